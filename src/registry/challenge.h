// Challenges: what a registry's WWW-Authenticate headers ask for (RFC 9110, section 11), read as
// leniently as real registries need: several in one header or several headers, in any order, with
// blanks, empty values, commas in quotes, and values that should be quoted and are not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace windlass::registry {

struct Challenge {
  std::string scheme;                                           // lower case
  std::vector<std::pair<std::string, std::string>> parameters;  // names in lower case

  // nullptr when it is not there; "" when it is there without a value.
  const std::string* find(std::string_view name) const;

  friend bool operator==(const Challenge&, const Challenge&) = default;
};

// Never fails: what makes no sense is left out.
std::vector<Challenge> parse_challenges(const std::vector<std::string_view>& headers);

// The first Bearer that names a realm, else the first Basic, else nothing.
std::optional<Challenge> choose(const std::vector<Challenge>& challenges);

// For people: "Negotiate, Digest"; "none".
std::string schemes(const std::vector<Challenge>& challenges);

}  // namespace windlass::registry
