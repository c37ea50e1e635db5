// Variables in a value, as shells, compose and Dockerfiles write them: $NAME, ${NAME},
// ${NAME:-text}.
//
// Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "windlass/manifest/location.h"

namespace windlass::manifest {

// A text that is one variable and nothing else.
struct Variable {
  std::string_view name;
  std::optional<Span> fallback;  // of ${NAME:-fallback} and ${NAME-fallback}, as bytes of the text
};

// nullopt when `text` is anything but one variable, or has an operator that is not understood.
std::optional<Variable> parse_variable(std::string_view text);

// Where the text stands that is used when no variable is set: all of `text` when it has no
// variable, the innermost fallback of ${A:-${B-text}}. nullopt when there is none or it is built
// from parts.
std::optional<Span> text_without_variables(std::string_view text);

// Why a value with a template or variable in it cannot be looked up; "" when it has none.
std::string reason_by_variable(std::string_view text);

}  // namespace windlass::manifest
