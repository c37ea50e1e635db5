// What is done with open files in more than one place.
#pragma once

#include <string_view>

namespace windlass {

// Writes all of `bytes` to a blocking descriptor, however many calls that takes. False, and errno
// says why, when it cannot; a part may have been written then.
bool write_all(int file, std::string_view bytes);

}  // namespace windlass
