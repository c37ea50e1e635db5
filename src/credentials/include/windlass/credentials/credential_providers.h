// CredentialProviders: the kubelet's CredentialProviderConfig: which plugins give logins for which
// images. Running them is PluginKeychain's work.
//
// A value, constant once read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/base/time.h"
#include "windlass/credentials/image_pattern.h"

namespace windlass::credentials {

struct CredentialProvider {
  std::string name;  // the program's, in the folder of plugins
  std::vector<ImagePattern> match_images;
  Duration default_cache_duration{};
  std::string api_version;  // "credentialprovider.kubelet.k8s.io/v1"
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
};

struct CredentialProviders {
  // YAML or JSON; `place` names the text in messages. kInvalid, with line and column, when it
  // cannot be read as a CredentialProviderConfig at all.
  static Result<CredentialProviders> parse(std::string_view text, const std::string& place);

  // A file, or a folder whose .json, .yaml and .yml files are read in the order of their names. A
  // file of a folder that cannot be used is a problem, and no error.
  static Result<CredentialProviders> load(const std::filesystem::path& path);

  std::vector<CredentialProvider> providers;  // in order; names occur once

  // One line for each bad entry: "FILE:LINE: providers[0].matchImages: what is expected". A
  // provider with a bad entry is left out, the others stay.
  std::vector<std::string> problems;
};

}  // namespace windlass::credentials
