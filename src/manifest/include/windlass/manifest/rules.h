// PathRule: where objects of a kind name images that no built-in rule knows.
//
// A value. Written by people, in a YAML file:
//
//     rules:
//     - kind: Widget
//       paths: [spec.image, "spec.sidecars[*].image"]
//     - kind: "*"
//       env: [RELATED_IMAGE_*]
//       args: [--sidecar-image]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"

namespace windlass::manifest {

enum class RuleTarget {
  kPath,
  kVariable,  // `path` is the name of an environment variable in a pod; a * at its end is any
              // ending
  kArgument,  // `path` is an option of a pod's container: --option=IMAGE, or --option and IMAGE
};

// The path leads to a reference, to a mapping with repository and tag, or to a pod's spec. Keys are
// joined by dots; [*] is every item of a sequence, * every key. The kind "*" is every kind.
struct PathRule {
  std::string kind;
  std::string path;
  RuleTarget target = RuleTarget::kPath;
  std::string place = {};  // "rules.yaml:3:10: ", for people

  friend bool operator==(const PathRule&, const PathRule&) = default;
};

// kInvalid, with file:line:column, for anything that is not written as above.
Result<std::vector<PathRule>> parse_rules(std::string_view file_name, std::string_view bytes);

}  // namespace windlass::manifest
