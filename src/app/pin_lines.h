// A PinReport for people: lines on standard output, and messages on standard error.
//
// Pure functions, but for what the console writes.
#pragma once

#include <ostream>

#include "commands.h"
#include "console.h"
#include "pin_report.h"

namespace windlass::app {

// Errors, warnings and, when verbose, what became of every other image. Places that a check found
// go to `out`, unless `out` belongs to a report for programs.
void tell_images(const PinReport& report, bool places_to_out, std::ostream& out, Console& console);

// One image a line: place, image, and what is known of it.
void list_images(const PinReport& report, std::ostream& out);

// One line at the end.
void tell_summary(const PinReport& report, const PinCommand& command, Console& console);

}  // namespace windlass::app
