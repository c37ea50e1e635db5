// Runs a kubeconfig's exec plugin and reads the ExecCredential it prints.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "windlass/base/clock.h"
#include "windlass/base/result.h"
#include "windlass/kube/connection.h"

namespace windlass::kube {

struct ExecCredential {
  credentials::Secret token;  // or a certificate and its key, or all three
  credentials::Secret client_certificate_pem;
  credentials::Secret client_key_pem;
  std::optional<std::chrono::sys_seconds> expires;
};

// "2026-01-02T03:04:05Z", with fractions or an offset from UTC as RFC 3339 has them.
std::optional<std::chrono::sys_seconds> parse_timestamp(std::string_view text);

// What the plugin finds in KUBERNETES_EXEC_INFO.
std::string exec_info(const ExecPlugin& plugin);

// Never quotes the output.
Result<ExecCredential> read_exec_credential(std::string_view output, const ExecPlugin& plugin);

Result<ExecCredential> run_exec_plugin(const ExecPlugin& plugin, Duration timeout, Clock& clock,
                                       const std::stop_token& stop);

}  // namespace windlass::kube
