// Reads arguments by the definitions of options, as GNU programs do: --name VALUE, --name=VALUE,
// -n VALUE, -nVALUE, several flags behind one dash, operands anywhere, "--" before what only looks
// like an option.
//
// Pure function, but for what the options' setters do.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "option.h"
#include "windlass/base/result.h"

namespace windlass::app {

// Names of options, and how many operands stood before the first of each.
using GivenOptions = std::map<std::string, std::size_t, std::less<>>;

struct ParsedArguments {
  std::vector<std::string> operands;
  GivenOptions given;
};

// kInvalid, one line for a person, for what is no option, lacks a value or has a bad one, is given
// twice, or does not go together.
Result<ParsedArguments> parse_arguments(std::span<const std::string> arguments,
                                        std::span<const Option> options);

// What is wrong with `value` for `option`, or "". Sets it when nothing is.
std::string set_option(const Option& option, std::string_view value);

// The known name that was probably meant by `name`, or "".
std::string similar_name(std::string_view name, std::span<const std::string> known);

}  // namespace windlass::app
