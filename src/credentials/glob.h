// Wildcards of one label, as Go's path.Match has them: * ? [a-z] [^a-z] and \ before a character
// that stands for itself.
#pragma once

#include <string_view>

namespace windlass::credentials {

// Whether `pattern` is well-formed: brackets are closed and hold something, nothing is escaped at
// the end.
bool is_glob(std::string_view pattern);

// False for what is no glob. Takes time in proportion to the product of the lengths at most.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace windlass::credentials
