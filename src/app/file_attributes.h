// What a file has beside its bytes and permissions: extended attributes, which are also where
// access control lists stand.
#pragma once

#include <string>
#include <vector>

namespace windlass::app {

// Gives the open file `to` the attributes of the file at `from`, and no other access control list.
// Returns the names of those that it could not be given. What the system makes from a file's bytes
// is left to it.
std::vector<std::string> copy_attributes(const char* from, int to);

}  // namespace windlass::app
