// unified_diff: the difference of two texts as `diff -u` writes it.
//
// It is the shortest one where lines were changed in place, as edits of manifests do; otherwise all
// between the first and the last different line is shown as replaced.
//
// Line ends are part of the line, so CR LF and a missing last newline come out as they are.
//
// Pure function.
#pragma once

#include <string>
#include <string_view>

namespace windlass::manifest {

// "" when the texts are equal. `name` is shown with a/ and b/ in front, without a / it begins
// with and steps that are a dot, and in quotes where git has quotes, so that the result can be
// applied with `git apply` or `patch -p1`. Three lines of context.
std::string unified_diff(std::string_view before, std::string_view after, std::string_view name);

}  // namespace windlass::manifest
