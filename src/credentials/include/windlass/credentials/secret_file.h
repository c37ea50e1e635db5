// Reading a whole file that may hold secrets.
#pragma once

#include <filesystem>

#include "windlass/base/result.h"
#include "windlass/credentials/secret.h"

namespace windlass::credentials {

// kNotFound when it does not exist; kInvalid when it cannot be read, is no regular file or has more
// than 4 MiB. The message begins with the file's name.
Result<Secret> read_secret_file(const std::filesystem::path& file);

}  // namespace windlass::credentials
