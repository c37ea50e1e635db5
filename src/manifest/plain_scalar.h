// What a plain YAML scalar means without a tag: text, or a number, a truth value, nothing.
//
// Pure functions.
#pragma once

#include <string_view>

namespace windlass::manifest {

enum class PlainMeaning { kText, kNull, kBoolean, kNumber, kTimestamp };

// As Kubernetes' YAML libraries read it: YAML 1.1 words for true and false included.
PlainMeaning meaning_of_plain(std::string_view text);

}  // namespace windlass::manifest
