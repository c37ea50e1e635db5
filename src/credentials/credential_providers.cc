#include "windlass/credentials/credential_providers.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/secret_file.h"
#include "windlass/credentials/section.h"

namespace windlass::credentials {
namespace {

constexpr std::string_view kConfigGroup = "kubelet.config.k8s.io/";
constexpr std::string_view kPluginGroup = "credentialprovider.kubelet.k8s.io/";

bool has_version(std::string_view api_version, std::string_view group) {
  if (!api_version.starts_with(group)) return false;
  const std::string_view version = api_version.substr(group.size());
  return version == "v1" || version == "v1beta1" || version == "v1alpha1";
}

bool is_program_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         std::ranges::none_of(name, [](char c) { return c == '/' || c == ' ' || c == '\0'; });
}

// Members it does not know are noted, but harm nobody.
void note_others(const Section& section, const std::vector<std::string_view>& known) {
  for (const std::string& name : section.others(known))
    section.note("", format("{} is not known, and not heeded", quoted(name, 60)));
}

class ProviderReader {
 public:
  explicit ProviderReader(const Section& section) : section_(section) {}

  std::optional<CredentialProvider> read() {
    read_name();
    read_match_images();
    read_rest();
    note_others(section_, {"name", "matchImages", "defaultCacheDuration", "apiVersion", "args",
                           "env", "tokenAttributes"});
    if (!good_) return std::nullopt;
    return std::move(provider_);
  }

 private:
  void refuse(std::string_view name, std::string_view what) {
    section_.note(name, format("{}; this provider is left out", what));
    good_ = false;
  }

  void read_name() {
    provider_.name = section_.text("name");
    if (!is_program_name(provider_.name))
      refuse("name", "the name of a program is expected, without slashes and blanks");
  }

  void read_match_images() {
    const std::vector<std::string> texts = section_.texts("matchImages");
    if (texts.empty()) refuse("matchImages", "at least one pattern is expected");
    for (const std::string& text : texts) {
      Result<ImagePattern> pattern = ImagePattern::parse(text);
      if (pattern) {
        provider_.match_images.push_back(*std::move(pattern));
      } else {
        refuse("matchImages", pattern.error().message);
      }
    }
  }

  void read_rest() {
    if (const std::optional<Duration> duration = section_.duration("defaultCacheDuration")) {
      provider_.default_cache_duration = *duration;
    } else {
      refuse("defaultCacheDuration", "it is required");
    }
    provider_.api_version = section_.text("apiVersion");
    if (!has_version(provider_.api_version, kPluginGroup))
      refuse("apiVersion", format("{}v1 is expected", kPluginGroup));
    provider_.arguments = section_.texts("args");
    for (const Section& variable : section_.sections("env")) {
      std::string name = variable.text("name");
      if (name.empty() || name.contains('=')) {
        refuse("env", "each entry needs a name, without '='");
      } else {
        provider_.environment.emplace_back(std::move(name), variable.text("value"));
      }
    }
    const std::optional<Section> token = section_.section("tokenAttributes");
    if (token && token->flag("requireServiceAccount"))
      refuse("tokenAttributes", "a plugin that needs a service account's token cannot be run here");
  }

  const Section& section_;
  CredentialProvider provider_;
  bool good_ = true;
};

void add_file(const std::filesystem::path& file, CredentialProviders& all) {
  const Result<Secret> text = read_secret_file(file);
  Result<CredentialProviders> read =
      text ? CredentialProviders::parse(text->reveal(), file.string()) : fail(text.error());
  if (!read) {
    all.problems.push_back(std::move(read.error().message));
    return;
  }
  std::ranges::move(read->problems, std::back_inserter(all.problems));
  for (CredentialProvider& provider : read->providers) {
    if (std::ranges::find(all.providers, provider.name, &CredentialProvider::name) !=
        all.providers.end()) {
      all.problems.push_back(format("{}: a provider named {} stands in an earlier file already",
                                    printable(file.string(), 4096), quoted(provider.name, 60)));
    } else {
      all.providers.push_back(std::move(provider));
    }
  }
}

}  // namespace

Result<CredentialProviders> CredentialProviders::parse(std::string_view text,
                                                       const std::string& place) {
  const std::string shown = printable(place, 4096);
  const Result<Value> root = parse_yaml(text, shown);
  if (!root) return fail(root.error());
  CredentialProviders all;
  const Section section(*root, shown, "", all.problems);
  if (section.text("kind") != "CredentialProviderConfig" ||
      !has_version(section.text("apiVersion"), kConfigGroup)) {
    return fail(ErrorCode::kInvalid,
                format("{}: a CredentialProviderConfig with apiVersion {}v1 is expected", shown,
                       kConfigGroup));
  }
  note_others(section, {"kind", "apiVersion", "providers"});
  if (!section.has("providers")) section.note("providers", "at least one is expected");
  for (const Section& entry : section.sections("providers")) {
    std::optional<CredentialProvider> provider = ProviderReader(entry).read();
    if (!provider) continue;
    if (std::ranges::find(all.providers, provider->name, &CredentialProvider::name) !=
        all.providers.end()) {
      entry.note("name", "this name stands here twice; the first counts");
    } else {
      all.providers.push_back(*std::move(provider));
    }
  }
  return all;
}

Result<CredentialProviders> CredentialProviders::load(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    const Result<Secret> text = read_secret_file(path);
    if (!text) return fail(text.error());
    return parse(text->reveal(), path.string());
  }
  std::vector<std::filesystem::path> files;
  std::filesystem::directory_iterator entries(path, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    const std::string extension = entries->path().extension();
    if (extension == ".json" || extension == ".yaml" || extension == ".yml")
      files.push_back(entries->path());
  }
  if (error) {
    return fail(ErrorCode::kInvalid,
                format("{}: cannot read it: {}", printable(path.string(), 4096), error.message()));
  }
  std::ranges::sort(files);
  CredentialProviders all;
  for (const std::filesystem::path& file : files) add_file(file, all);
  return all;
}

}  // namespace windlass::credentials
