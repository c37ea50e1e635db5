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

struct FoundFiles {
  std::vector<std::string> files;
  std::vector<Error>
      errors;  // folders that cannot be read; what is elsewhere is found all the same
};

// The files that `argument` names, in a stable order: itself, or for a directory every file below
// it that may name images, except in hidden folders other than .github and, unless `ignored_too`,
// what git ignores. Symbolic links below a directory are not followed: what they lead to is found
// by its own name, or is not in the directory. An error when nothing has that name, or a directory
// holds no manifest.
FoundFiles files_named_by(const std::string& argument, bool ignored_too);

// All bytes of `path`, "-" being `standard_input`. The error says in one line what is wrong and
// what to do: kNotFound, kForbidden (not readable), kInvalid (a directory, larger than
// `bytes_max`, standard input that breaks off), kCancelled (`stop` was requested while waiting for
// a pipe).
Result<std::string> read_input(const std::string& path, std::istream& standard_input,
                               std::size_t bytes_max, const std::stop_token& stop = {});

// True for what another process writes into, as the shell's <(COMMAND).
bool is_pipe(const std::string& path);

// An error that begins with `option`, unless `path` is a file or a pipe that may be read.
Result<void> check_option_file(std::string_view option, const std::string& path);

// The bytes of a file that `option` names; its errors begin with the option. Standard input is not
// taken for one.
Result<std::string> read_option_file(std::string_view option, const std::string& path,
                                     std::size_t bytes_max);

// False for standard input, pipes and devices: their bytes come once, and cannot be put back.
bool is_regular_file(const std::string& path);

}  // namespace windlass::app
