// Tallies: what a resolver has counted since it was made, for whoever reads its metrics.
//
// A value, copied whole by readers. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "windlass/base/error.h"
#include "windlass/base/time.h"
#include "windlass/registry/image_resolver.h"
#include "windlass/telemetry/metric_family.h"

namespace windlass::resolver {

// Where the answer for an image of an owner comes from.
enum class Origin {
  kLookup,     // it began a lookup
  kShared,     // it joined a lookup that somebody waited for already
  kCache,      // a registry said so lately
  kDigest,     // it was written with its digest
  kSkipped,    // its registry is not to be asked
  kMalformed,  // it is no image
  kRefused,    // its registry would not be asked in time
};
inline constexpr std::size_t kOrigins = 7;

struct RegistryTally {
  std::uint64_t found = 0;
  std::array<std::uint64_t, 11> failed = {};  // by ErrorCode
  std::uint64_t abandoned = 0;                // tries that everybody left
  std::uint64_t retries = 0;                  // tries that are not their lookup's first
  telemetry::HistogramValue seconds = {};     // of tries that ended
  std::optional<registry::RateLimit> rate_limit = std::nullopt;  // as last heard

  RegistryTally();
  void end(Duration took, const Error* error);
};

class Tallies {
 public:
  // Counted together with all others once there are kRegistriesMax.
  static constexpr std::size_t kRegistriesMax = 1000;
  RegistryTally& of(const std::string& host);

  void count(Origin origin) { ++images_[static_cast<std::size_t>(origin)]; }

  const std::array<std::uint64_t, kOrigins>& images() const { return images_; }
  const std::map<std::string, RegistryTally>& registries() const { return registries_; }

 private:
  std::array<std::uint64_t, kOrigins> images_ = {};  // by Origin
  std::map<std::string, RegistryTally> registries_;
};

}  // namespace windlass::resolver
