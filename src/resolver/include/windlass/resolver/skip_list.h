// SkipList: the registries whose tags are left alone, such as those that only a developer's own
// machine knows.
//
// A value. Hosts compare without case; Docker Hub's names are all "docker.io".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/image/image_reference.h"

namespace windlass::resolver {

class SkipList {
 public:
  // Skips nothing.
  SkipList() = default;

  // kind.local, ko.local and dev.local: what local development tools call their registries.
  static SkipList of_local_development();

  // Each pattern is `host[:port]`, `*.suffix` (any host below it, not the suffix itself), or either
  // of them with a `/path` below which everything is skipped. Empty patterns are passed over.
  // kInvalid quotes the pattern that is none of these.
  static Result<SkipList> parse(std::span<const std::string> patterns);

  // The same, from a comma-separated list; blanks around the commas are ignored.
  static Result<SkipList> parse_list(std::string_view patterns);

  bool matches(const image::ImageReference& reference) const;

  friend bool operator==(const SkipList&, const SkipList&) = default;

 private:
  struct Pattern {
    std::string host;  // lower case; starts with '.' when every host below it is meant
    std::string path;  // without slashes at its ends; empty when the whole registry is meant

    friend bool operator==(const Pattern&, const Pattern&) = default;
  };

  static Result<Pattern> parse_pattern(std::string_view text);

  std::vector<Pattern> patterns_;
};

}  // namespace windlass::resolver
