// with_items_added: a YAML or JSON file with more items in a list at the top of its first document,
// as a function of a pipeline tells its results.
//
// No other byte changes. The list is made where there is none. The new text is parsed again and
// compared, as edits of images are.
//
// Pure function.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "windlass/base/result.h"

namespace windlass::manifest {

// `items` are JSON texts; they follow the document's last value, or come first in a list that has
// items already. kInvalid, with file:line:column, when the file cannot be parsed, its first
// document is no mapping, or something else than a list stands under `key`. kInternal when the new
// text would not say what it should.
Result<std::string> with_items_added(std::string_view file_name, std::string_view bytes,
                                     std::string_view key, std::span<const std::string> items);

}  // namespace windlass::manifest
