#include "stack.h"

#include <gtest/gtest.h>

#include "windlass/base/format.h"
#include "windlass/credentials/base64.h"

namespace windlass::integration {
namespace {

std::unique_ptr<http::CurlClient> make_http(http::CurlClient::Options options) {
  auto made = http::CurlClient::create(system_clock(), std::move(options));
  EXPECT_TRUE(made.has_value()) << made.error().message;
  return *std::move(made);
}

std::shared_ptr<credentials::Keychain> make_keychain(const std::string& docker_config) {
  auto config = credentials::DockerConfig::parse(docker_config, "config.json");
  EXPECT_TRUE(config.has_value()) << config.error().message;
  return std::make_shared<credentials::FileKeychain>(*std::move(config));
}

}  // namespace

Stack::Stack(Wiring wiring)
    : http_(make_http(std::move(wiring.http))),
      client_(system_clock(), *http_, make_keychain(wiring.docker_config), logger_,
              std::move(wiring.registry)) {}

Result<registry::Resolution> Stack::resolve(const std::string& image, Duration timeout) {
  return resolve(image, registry::LookupOptions{.timeout = timeout});
}

Result<registry::Resolution> Stack::resolve(const std::string& image,
                                            const registry::LookupOptions& options) {
  Result<image::ImageReference> reference = image::ImageReference::parse(image);
  if (!reference) return fail(reference.error());
  return client_.resolve_blocking(*reference, options);
}

std::string login_file(const std::string& host, const std::string& login) {
  return login_files({{host, login}});
}

std::string login_files(const std::vector<std::pair<std::string, std::string>>& logins) {
  std::string auths;
  for (const auto& [host, login] : logins) {
    auths += format(R"({}"{}":{{"auth":"{}"}})", auths.empty() ? "" : ",", host,
                    credentials::base64_encode(login));
  }
  return format(R"({{"auths":{{{}}}}})", auths);
}

registries_conf::Registries registries_of(const std::string& conf) {
  registries_conf::Loaded loaded;
  registries_conf::read(conf, "registries.conf", loaded);
  for (const Error& problem : loaded.problems) ADD_FAILURE() << problem.message;
  return loaded.registries;
}

std::string shown(const Result<registry::Resolution>& result, const std::string& right_digest) {
  if (!result) return format("{}: {}", to_string(result.error().code), result.error().message);
  return result->digest.to_string() == right_digest ? "D" : result->digest.to_string();
}

}  // namespace windlass::integration
