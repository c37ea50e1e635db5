// DockerConfig: what a Docker config.json or a podman auth.json says about logins.
//
// Keys may be a host, a host with a scheme and /v1/ or /v2/, or a host with a path, where the
// longest path wins. Docker Hub's names are one. A bad entry is a problem of its own and never
// hides the others. Running credential helpers is not done here.
//
// A value, constant once read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/credentials/keychain.h"

namespace windlass::credentials {

class DockerConfig {
 public:
  // No logins at all.
  DockerConfig() = default;

  enum class Format {
    kConfig,  // config.json, auth.json
    kLegacy,  // .dockercfg: what stands under "auths" in the others, and nothing else
  };

  // `place` names the text in messages and as the source of its logins. kInvalid when it is not a
  // JSON object, with line and column.
  static Result<DockerConfig> parse(std::string_view json, std::string place,
                                    Format format = Format::kConfig);

  // A file that does not exist holds no logins; one that cannot be read is kInvalid. One named
  // .dockercfg has the legacy format.
  static Result<DockerConfig> load(const std::filesystem::path& file);

  // The logins in the file itself that fit `reference`, the most specific first.
  Found find(const image::ImageReference& reference) const;

  // The credential helper to ask instead ("ecr-login" for docker-credential-ecr-login), or "".
  std::string helper_for(const image::ImageReference& reference) const;

  // One line for each bad entry, naming its key and never its value.
  const std::vector<std::string>& problems() const { return problems_; }

  const std::string& place() const { return place_; }

 private:
  friend class DockerConfigReader;

  struct Entry {
    std::string path;                 // of its key: what lies below it is meant; "" for all
    bool legacy_hub = false;          // it is Docker Hub's own key
    std::size_t position = 0;         // in the file, among those of its host
    std::optional<Credential> login;  // none where the entry is empty or bad
    std::string problem;              // why there is none, though there should be
  };

  std::string place_;
  // By host; for each the longest path first, then Docker Hub's own key, then in the file's order.
  std::map<std::string, std::vector<Entry>, std::less<>> entries_;
  std::map<std::string, std::string> helpers_;  // host to helper
  std::string store_;                           // helper of every other host
  std::vector<std::string> problems_;
};

}  // namespace windlass::credentials
