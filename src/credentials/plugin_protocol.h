// What is said to a kubelet credential provider plugin, and what it answers; apart from running it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/base/time.h"
#include "windlass/credentials/keyring.h"

namespace windlass::credentials {

enum class CacheKeyType { kImage, kRegistry, kGlobal };

struct PluginAnswer {
  CacheKeyType cache_key_type = CacheKeyType::kImage;
  std::optional<Duration> cache_duration;  // none: the configuration's; zero: not kept
  Keyring logins;
  std::vector<std::string> problems;  // of single entries
};

// A CredentialProviderRequest for `image`, "registry/repository".
std::string plugin_request(const std::string& api_version, std::string_view image);

// Reads a CredentialProviderResponse of the same version. The error, and the problems, never quote
// the output, which may hold secrets. `source` is the logins'.
Result<PluginAnswer> read_plugin_answer(std::string_view output, const std::string& api_version,
                                        const std::string& source);

}  // namespace windlass::credentials
