// Splits a Dockerfile into instructions and words, as BuildKit does: parser directives, the escape
// character, continuation lines with comments and blank lines between them, quotes, heredocs.
//
// Pure function; every text is taken, as a builder says better what is wrong with it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/manifest/location.h"

namespace windlass::manifest {

struct DockerWord {
  Span span;
  std::string text;  // without line ends that are escaped within it
};

using DockerInstruction =
    std::vector<DockerWord>;  // never empty: the keyword, as written, is first

// The keyword of a syntax directive, whose second word names an image.
inline constexpr std::string_view kSyntaxDirective = "# syntax";

std::vector<DockerInstruction> scan_dockerfile(std::string_view bytes, std::size_t begin);

}  // namespace windlass::manifest
