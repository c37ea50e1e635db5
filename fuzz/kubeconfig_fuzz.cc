// A kubeconfig, what an exec plugin answers, and what an API server answers: reading ends, and a
// connection that is made can be used.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exec_credential.h"
#include "status.h"
#include "windlass/base/check.h"
#include "windlass/kube/kubeconfig.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windlass;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto config = kube::Kubeconfig::parse(text, "/fuzz/config")) {
    for (const std::string& context : config->contexts()) {
      const auto connection = config->connection(context);
      if (!connection) {
        WINDLASS_CHECK(!is_retryable(connection.error().code));
        continue;
      }
      WINDLASS_CHECK(connection->server.starts_with("http"));
      WINDLASS_CHECK(!connection->identity.exec || !connection->identity.exec->command[0].empty());
      for (const auto& [name, value] : connection->identity.impersonation)
        WINDLASS_CHECK((name + value).find_first_of("\r\n") == std::string::npos);
    }
  }
  const kube::ExecPlugin plugin{.command = {"plugin"},
                                .environment = {},
                                .api_version = "client.authentication.k8s.io/v1",
                                .install_hint = "",
                                .cluster_json = ""};
  kube::read_exec_credential(text, plugin);
  const Error error =
      kube::describe_status({.status = 403, .headers = {}, .body = std::string(text)});
  WINDLASS_CHECK(error.code == ErrorCode::kForbidden);
  return 0;
}
