// Platform: the system and machine an image is for, as "linux/arm64" or "linux/arm/v7".
//
// A value. Machines have several names (x86_64, aarch64): one is kept.
#pragma once

#include <string>
#include <string_view>

#include "windlass/base/result.h"

namespace windlass::oci {

struct Platform {
  std::string os;            // "linux"
  std::string architecture;  // "amd64"
  std::string variant;       // "v7"; empty where the architecture has one only

  // "OS/ARCHITECTURE" or "OS/ARCHITECTURE/VARIANT", in any case.
  static Result<Platform> parse(std::string_view text);

  // The same platform under its usual names: "x86_64" is "amd64", arm64's only variant is left out.
  Platform normalised() const;

  std::string to_string() const;

  friend bool operator==(const Platform&, const Platform&) = default;
};

// How well what is offered fits what is wanted; 0 for not at all, more is better. Without a variant
// any fits, the newest best; with one, only that one does.
int fitness(const Platform& wanted, const Platform& offered);

}  // namespace windlass::oci
