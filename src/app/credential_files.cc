#include "credential_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "input_files.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/credential_helpers.h"
#include "windlass/credentials/docker_config.h"
#include "windlass/credentials/file_keychain.h"
#include "windlass/credentials/helper_keychain.h"

namespace windlass::app {
namespace fs = std::filesystem;

std::vector<std::string> credential_files(const std::string& authfile,
                                          const Environment& environment) {
  if (!authfile.empty()) return {authfile};
  std::vector<std::string> files;
  const auto add = [&](const std::optional<std::string>& folder, const char* below) {
    if (!folder) return;
    std::string file = (fs::path(*folder) / below).native();
    if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
  };
  const auto home = environment("HOME");
  const auto explicit_file = environment("REGISTRY_AUTH_FILE");
  if (explicit_file) files.push_back(*explicit_file);
  if (const auto docker = environment("DOCKER_CONFIG")) {
    add(docker, "config.json");
  } else {
    add(home, ".docker/config.json");
  }
  if (explicit_file) return files;
  add(environment("XDG_RUNTIME_DIR"), "containers/auth.json");
  if (const auto config = environment("XDG_CONFIG_HOME")) {
    add(config, "containers/auth.json");
  } else {
    add(home, ".config/containers/auth.json");
  }
  return files;
}

namespace {

constexpr std::string_view kAuthfile = "--authfile";
constexpr std::size_t kPipeBytesMax = std::size_t{4} << 20U;

// `named_by` is who named the file: only then a pipe is waited for.
Result<credentials::DockerConfig> load(const std::string& file, std::string_view named_by) {
  const auto wrong = [&](const Error& error) {
    return fail(error.code, format("{}{}{}; mend that, or name another file with --authfile",
                                   named_by, named_by.empty() ? "" : ": ", error.message));
  };
  if (named_by.empty() || !is_pipe(file)) {
    auto config = credentials::DockerConfig::load(file);
    if (!config) return wrong(config.error());
    return config;
  }
  auto text = read_option_file(named_by, file, kPipeBytesMax);
  if (!text) return fail(std::move(text.error()));
  auto config = credentials::DockerConfig::parse(*text, printable(file, 4096));
  credentials::erase(*text);
  if (!config) return wrong(config.error());
  return config;
}

// In the place of a file that cannot be read: it may have held any login.
class UnreadableFile final : public credentials::Keychain {
 public:
  explicit UnreadableFile(Error why) : why_(std::move(why)) {}

  void find(const image::ImageReference&, std::stop_token, Callback done) override {
    done({.candidates = {}, .problems = {why_}});
  }

 private:
  const Error why_;
};

using Links = std::vector<std::shared_ptr<credentials::Keychain>>;

Result<std::shared_ptr<credentials::Keychain>> keychain_of_files(
    const std::string& authfile, const Environment& environment,
    const std::shared_ptr<credentials::CredentialHelpers>& programs, telemetry::Logger& logger) {
  Links links;
  for (const std::string& file : credential_files(authfile, environment)) {
    if (!authfile.empty()) {
      if (auto usable = check_option_file(kAuthfile, file); !usable)
        return fail(std::move(usable.error()));
    }
    const bool by_variable = authfile.empty() && file == environment("REGISTRY_AUTH_FILE");
    auto config = load(file, !authfile.empty() ? kAuthfile
                             : by_variable     ? "$REGISTRY_AUTH_FILE"
                                               : "");
    if (!config && !authfile.empty()) return fail(std::move(config.error()));
    if (!config) {
      logger.warn(config.error().message);
      links.push_back(std::make_shared<UnreadableFile>(std::move(config.error())));
      continue;
    }
    for (const std::string& problem : config->problems()) logger.warn(problem);
    links.push_back(std::make_shared<credentials::FileKeychain>(std::move(*config), programs));
  }
  return std::make_shared<credentials::ChainedKeychain>(std::move(links));
}

}  // namespace

Result<void> check_authfile(const std::string& authfile) {
  if (auto usable = check_option_file(kAuthfile, authfile); !usable || is_pipe(authfile))
    return usable;
  if (auto config = load(authfile, kAuthfile); !config) return fail(std::move(config.error()));
  return {};
}

Result<std::shared_ptr<credentials::Keychain>> keychain_of_user(
    const std::string& authfile, const std::vector<registries_conf::CredentialHelper>& helpers,
    const Environment& environment, Clock& clock, telemetry::Logger& logger) {
  const auto programs = std::make_shared<credentials::CredentialHelpers>(clock);
  if (helpers.empty() || !authfile.empty())
    return keychain_of_files(authfile, environment, programs, logger);
  Links links;
  for (const registries_conf::CredentialHelper& helper : helpers) {
    if (helper.name == registries_conf::kFilesOfLogins) {
      auto files = keychain_of_files(authfile, environment, programs, logger);
      if (!files) return files;
      links.push_back(*std::move(files));
    } else {
      links.push_back(std::make_shared<credentials::HelperKeychain>(
          helper.name, helper.place + ": credential-helpers", programs));
    }
  }
  return std::make_shared<credentials::ChainedKeychain>(std::move(links),
                                                        credentials::ChainedKeychain::Take::kFirst);
}

}  // namespace windlass::app
