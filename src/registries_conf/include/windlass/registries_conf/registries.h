// Registries: what a registries.conf says about where images are asked: mirrors, other locations,
// registries that are blocked or insecure, and what short names mean.
//
// The format is that of containers-registries.conf(5), version 2.
//
// A value; thread-safe as such.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/image/image_reference.h"

namespace windlass::registries_conf {

// One place where an image may be asked.
struct Endpoint {
  image::ImageReference reference;  // what it is called there
  bool insecure = false;            // any certificate will do there, or none at all
  bool is_mirror = false;
};

enum class PullFrom { kAll, kDigestOnly, kTagOnly };

struct Mirror {
  std::string location;
  std::string place = {};  // of the location, "FILE:LINE:COLUMN"
  bool insecure = false;
  PullFrom pull_from = PullFrom::kAll;

  friend bool operator==(const Mirror&, const Mirror&) = default;
};

// One [[registry]].
struct Registry {
  std::string prefix;    // "HOST[:PORT][/PATH]" or "*.HOST[:PORT][/PATH]"
  std::string location;  // what takes the prefix's place; empty for itself
  bool insecure = false;
  bool blocked = false;
  std::vector<Mirror> mirrors;
  std::string place;                // "FILE:LINE"
  std::string location_place = {};  // "FILE:LINE:COLUMN"
  std::optional<Error> fault;       // what makes it unusable: then its images are not asked at all

  friend bool operator==(const Registry&, const Registry&) = default;
};

class Registries {
 public:
  // Where to ask for `reference`, in order: mirrors first, the registry itself last. With nothing
  // configured, the reference itself. kForbidden where it is blocked; kInvalid where the entry that
  // decides about it has a fault.
  Result<std::vector<Endpoint>> endpoints_of(const image::ImageReference& reference) const;

  // What podman takes a short name for, one without a registry: its alias, or the one registry that
  // is searched. kInvalid names the registries when there are several, for which of them is meant
  // is not for us to guess. A reference that is not short comes back as it is, and so does one of
  // which nothing is said.
  Result<image::ImageReference> expand(const image::ImageReference& reference) const;

  // The registry whose prefix is the longest that fits; nullptr for none.
  const Registry* find(const image::ImageReference& reference) const;

  // A later entry with the same prefix takes the place of an earlier one.
  void add(Registry registry);
  void set_alias(const std::string& name, const std::string& full_name);  // "" takes it away
  void set_searched(std::vector<std::string> registries) { searched_ = std::move(registries); }

  const std::vector<Registry>& registries() const { return registries_; }
  const std::vector<std::string>& searched() const { return searched_; }
  const std::map<std::string, std::string>& aliases() const { return aliases_; }

 private:
  std::vector<Registry> registries_;  // by prefix
  std::vector<std::string> searched_;
  std::map<std::string, std::string> aliases_;
};

// kInvalid, beginning with `place`, when no image can be asked below `location`.
Result<void> check_location(const std::string& location, const std::string& place);

// How many bytes of "HOST/PATH:TAG" `prefix` takes up; 0 when it does not fit.
std::size_t match(std::string_view prefix, std::string_view name);

}  // namespace windlass::registries_conf
