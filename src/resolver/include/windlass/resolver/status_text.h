// A Status as text: JSON for programs, a table for people.
#pragma once

#include <string>

#include "windlass/resolver/status.h"

namespace windlass::resolver {

// One object, without line breaks. Durations are in milliseconds.
std::string to_json(const Status& status);

// Several lines: the counts, then the registries, then the lookups.
std::string to_table(const Status& status);

// One short line for progress: "12 of 40 images, 2 failed; 3 running; next try in 4 s".
std::string to_line(const Status& status);

}  // namespace windlass::resolver
