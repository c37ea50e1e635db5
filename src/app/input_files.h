// Reading what the user named: files, directories, standard input.
#pragma once

#include <filesystem>
#include <istream>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"

namespace windlass::app {

inline constexpr std::string_view kStandardInput = "-";

// The files that `argument` names, in a stable order: itself, or for a directory every file
// below it that may name images, except in hidden folders other than .github and, unless
// `ignored_too`, what git ignores. A symbolic link to a directory is followed only when it is the
// argument itself. kNotFound when nothing has that name; kInvalid when a directory cannot be read
// or holds no manifest.
Result<std::vector<std::string>> files_named_by(const std::string& argument, bool ignored_too);

// All bytes of `path`, "-" being `standard_input`. The error says in one line what is wrong and
// what to do: kNotFound, kForbidden (not readable), kInvalid (a directory, larger than
// `bytes_max`), kCancelled (`stop` was requested while waiting for a pipe).
Result<std::string> read_input(const std::string& path, std::istream& standard_input,
                               std::size_t bytes_max, const std::stop_token& stop = {});

// False for standard input, pipes and devices: their bytes come once, and cannot be put back.
bool is_regular_file(const std::string& path);

}  // namespace windlass::app
