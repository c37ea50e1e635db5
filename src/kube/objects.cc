#include "windlass/kube/objects.h"

#include <algorithm>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/base64.h"
#include "windlass/credentials/section.h"

namespace windlass::kube {
namespace {

using credentials::Section;

// The object `plural`/`name`, checked to be of `kind`.
Result<credentials::Value> read(ApiClient& client, std::string_view kind, std::string_view plural,
                                const std::string& name_space, const std::string& name,
                                const std::stop_token& stop) {
  for (const std::string& part : {name_space, name}) {
    if (!is_object_name(part)) {
      return fail(ErrorCode::kInvalid,
                  format("{} cannot be the name of a {} or of a namespace: lower-case letters, "
                         "digits, '-' and '.' are expected",
                         quoted(part, 100), kind));
    }
  }
  const std::string what = format("{} {}/{}", to_lower(kind), name_space, name);
  Result<credentials::Value> object =
      client.get(format("/api/v1/namespaces/{}/{}/{}", name_space, plural, name), what, stop);
  if (!object) return object;
  Section::Problems ignored;
  if (Section(*object, "answer", "", ignored).text("kind") != kind)
    return fail(ErrorCode::kInvalid, format("read {}: the answer is no {}", what, kind));
  return object;
}

}  // namespace

bool is_object_name(std::string_view name) {
  const auto is_edge = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (name.empty() || name.size() > 253 || !is_edge(name.front()) || !is_edge(name.back()))
    return false;
  return std::ranges::all_of(name, [&](char c) { return is_edge(c) || c == '-' || c == '.'; }) &&
         name.find("..") == std::string_view::npos;
}

Result<SecretObject> read_secret(ApiClient& client, const std::string& name_space,
                                 const std::string& name, const std::stop_token& stop) {
  const Result<credentials::Value> object =
      read(client, "Secret", "secrets", name_space, name, stop);
  if (!object) return fail(object.error());
  SecretObject secret;
  const Section section(*object, "answer", "", secret.problems);
  secret.type = section.text("type");
  if (const auto data = section.section("data")) {
    for (const auto& [key, value] : data->value().members) {
      std::optional<std::string> bytes = credentials::base64_decode(value.text());
      if (!bytes) {
        data->note(key, "base64 is expected");
        continue;
      }
      secret.data.emplace(key, credentials::Secret(*bytes));
      credentials::erase(*bytes);
    }
  }
  return secret;
}

Result<ServiceAccount> read_service_account(ApiClient& client, const std::string& name_space,
                                            const std::string& name, const std::stop_token& stop) {
  const Result<credentials::Value> object =
      read(client, "ServiceAccount", "serviceaccounts", name_space, name, stop);
  if (!object) return fail(object.error());
  ServiceAccount account;
  Section::Problems ignored;
  const Section section(*object, "answer", "", ignored);
  for (const Section& reference : section.sections("imagePullSecrets")) {
    std::string secret = reference.text("name");
    if (!secret.empty()) account.image_pull_secrets.push_back(std::move(secret));
  }
  return account;
}

}  // namespace windlass::kube
