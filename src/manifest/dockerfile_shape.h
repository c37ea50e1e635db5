// Tells by its content whether a text is a Dockerfile.
//
// Pure functions.
#pragma once

#include "source_text.h"

namespace windlass::manifest {

// True when the first instruction is FROM or ARG and each FROM has an image and perhaps a name,
// which a builder insists on and what is written in other languages has not.
bool has_shape_of_dockerfile(const SourceText& source);

// True when there is anything but blank lines and comments.
bool has_instructions(const SourceText& source);

}  // namespace windlass::manifest
