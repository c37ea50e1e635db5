#include "windlass/credentials/pull_secret.h"

#include "json.h"
#include "login_entry.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::credentials {
namespace {

constexpr std::string_view kJsonType = "kubernetes.io/dockerconfigjson";
constexpr std::string_view kLegacyType = "kubernetes.io/dockercfg";

class PullSecretReader {
 public:
  PullSecretReader(const PullSecret& secret, Keyring& keyring)
      : secret_(secret), keyring_(keyring) {}

  std::vector<std::string> read() {
    const bool legacy = secret_.type == kLegacyType;
    if (!legacy && secret_.type != kJsonType) {
      problem(
          format("its type is {}, not {}: it is not used", quoted(secret_.type, 60), kJsonType));
      return std::move(problems_);
    }
    const std::string name = legacy ? ".dockercfg" : ".dockerconfigjson";
    const auto data = secret_.data.find(name);
    if (data == secret_.data.end()) {
      problem(format("it holds no {}, which its type promises", name));
      return std::move(problems_);
    }
    const Result<boost::json::value> root =
        parse_secret_object(data->second.reveal(), format("{}: {}", secret_.source, name));
    if (!root) {
      problems_.push_back(root.error().message);
    } else if (legacy) {
      read_entries(root->get_object());
    } else {
      read_auths(root->get_object());
    }
    return std::move(problems_);
  }

 private:
  void problem(std::string_view text) {
    problems_.push_back(format("{}: {}", secret_.source, text));
  }

  void read_auths(const boost::json::object& root) {
    const boost::json::value* auths = root.if_contains("auths");
    if (auths == nullptr || auths->is_null()) {
      problem("it holds no auths");
    } else if (!auths->is_object()) {
      problem("auths: an object is expected");
    } else {
      read_entries(auths->get_object());
    }
  }

  void read_entries(const boost::json::object& entries) {
    for (const auto& [key, value] : entries) {
      Result<ImagePattern> pattern = ImagePattern::parse(key);
      if (!pattern) {
        problem(format("the key {}", pattern.error().message));
        continue;
      }
      LoginEntry entry = read_login_entry(value, secret_.source);
      if (!entry.problem.empty()) {
        const std::string text =
            format("the login under {}: {}", quoted(image::without_password(key)), entry.problem);
        problem(text);
        keyring_.add_problem(
            *std::move(pattern),
            {.code = ErrorCode::kInvalid, .message = format("{}: {}", secret_.source, text)});
      } else if (entry.login) {
        keyring_.add(*std::move(pattern), *std::move(entry.login));
      }
    }
  }

  const PullSecret& secret_;
  Keyring& keyring_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> add_pull_secret(const PullSecret& secret, Keyring& keyring) {
  return PullSecretReader(secret, keyring).read();
}

}  // namespace windlass::credentials
