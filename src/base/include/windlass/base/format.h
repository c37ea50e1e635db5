// windlass::format: fmt's, checked at compile time, until the standard library here has
// std::format.
#pragma once

#include <fmt/core.h>

namespace windlass {

using fmt::format;

}  // namespace windlass
