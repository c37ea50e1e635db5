// What a docker-credential-* program says: its protocol, apart from running it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "windlass/credentials/credential.h"
#include "windlass/credentials/program.h"

namespace windlass::credentials {

// "docker-credential-NAME". kInvalid when `helper` is not a plain file name.
Result<std::string> helper_program(std::string_view helper);

// Reads what `program get` answered for `key`: a login, none, or why neither. The error never
// quotes the program's output, which may hold secrets.
Result<std::optional<Credential>> read_helper_answer(const ProgramEnd& end,
                                                     const std::string& program,
                                                     const std::string& key);

}  // namespace windlass::credentials
