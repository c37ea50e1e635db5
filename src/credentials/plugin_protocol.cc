#include "plugin_protocol.h"

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/section.h"

namespace windlass::credentials {
namespace {

std::optional<CacheKeyType> key_type_of(std::string_view text) {
  if (text == "Image") return CacheKeyType::kImage;
  if (text == "Registry") return CacheKeyType::kRegistry;
  if (text == "Global") return CacheKeyType::kGlobal;
  return std::nullopt;
}

void read_login(const std::string& key, const Section& login, const std::string& source,
                PluginAnswer& answer) {
  Result<ImagePattern> pattern = ImagePattern::parse(key);
  if (!pattern) {
    answer.problems.push_back(format("{}: the key {}", source, pattern.error().message));
    return;
  }
  const std::size_t before = answer.problems.size();
  const std::string user = login.text("username");
  const Secret password = login.secret("password");
  if (answer.problems.size() > before) {
    answer.logins.add_problem(*std::move(pattern), {.code = ErrorCode::kUnauthenticated,
                                                    .message = answer.problems.back()});
  } else if (!user.empty() || !password.empty()) {
    answer.logins.add(*std::move(pattern), Credential::password(user, password, source));
  }
}

}  // namespace

std::string plugin_request(const std::string& api_version, std::string_view image) {
  return format(R"({{"kind":"CredentialProviderRequest","apiVersion":{},"image":{}}})",
                json_quoted(api_version), json_quoted(image));
}

Result<PluginAnswer> read_plugin_answer(std::string_view output, const std::string& api_version,
                                        const std::string& source) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kUnauthenticated, format("{}: its answer {}", source, why));
  };
  // The parser's message names a place in the output, and nothing of it.
  const Result<Value> root = parse_json(output, "output");
  if (!root) return refuse(format("is not JSON ({})", root.error().message));
  PluginAnswer answer;
  const Section section(*root, source, "", answer.problems);
  if (section.text("kind") != "CredentialProviderResponse")
    return refuse("is no CredentialProviderResponse");
  if (section.text("apiVersion") != api_version)
    return refuse(format("has not the apiVersion {}", api_version));
  const std::optional<CacheKeyType> key_type = key_type_of(section.text("cacheKeyType"));
  if (!key_type) return refuse("has no cacheKeyType Image, Registry or Global");
  answer.cache_key_type = *key_type;
  answer.cache_duration = section.duration("cacheDuration");
  if (section.has("cacheDuration") && !answer.cache_duration)
    return refuse("has a cacheDuration that is none");
  if (section.has("auth") && !section.section("auth"))
    return refuse("has an auth that is no object");
  if (const std::optional<Section> auth = section.section("auth")) {
    for (const auto& [key, value] : auth->value().members) {
      const std::string path = format("auth[{}]", quoted(key, 100));
      read_login(key, Section(value, source, path, answer.problems), source, answer);
    }
  }
  return answer;
}

}  // namespace windlass::credentials
