// What --version prints.
#pragma once

#include <string>

namespace windlass::app {

// The version and commit, and the libraries that were built against.
std::string version_text();

}  // namespace windlass::app
