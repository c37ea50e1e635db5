// The configuration file: values for options that the command line does not give.
//
//     timeout: 10s
//     skip: [kind.local, "*.corp.test"]
//     pin:
//       style: comment
//
// Keys are the long names of options. Those of every command stand at the top, those of one command
// below its name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "option.h"
#include "option_parser.h"
#include "windlass/base/result.h"

namespace windlass::app {

// Sets the options of `command` that the file names, unless they are `given`, or exclude one that
// is. Options of other commands are looked at too, so that a mistake is found at once. kInvalid
// with file:line:column, what is wrong and which keys there are.
Result<void> apply_config(std::string_view file_name, std::string_view bytes,
                          const CommandSpec& command, std::span<const CommandSpec> commands,
                          const GivenOptions& given);

// Sets one option from a value of YAML: a scalar, or a list for an option that may be repeated.
struct YamlValue;
Result<void> set_from_yaml(const Option& option, const YamlValue& value,
                           std::string_view file_name);

}  // namespace windlass::app
