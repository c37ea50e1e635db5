// Manual pages and the reference page, from the definitions of commands.
//
// Pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "option.h"

namespace windlass::app {

// "windlass", or "windlass-pin": nullopt when there is no such page.
std::optional<std::string> manual_page(std::string_view page, const CommandSpec& program,
                                       std::span<const CommandSpec> commands);

// docs/reference/cli.md: everything.
std::string reference_page(const CommandSpec& program, std::span<const CommandSpec> commands);

}  // namespace windlass::app
