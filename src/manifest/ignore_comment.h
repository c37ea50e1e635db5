// The comment "# windlass: ignore", by which a writer keeps an image as it is.
//
// It counts on the lines of the key and its value, and alone on the line above the key.
//
// Pure functions.
#pragma once

#include <string_view>

#include "event.h"
#include "source_text.h"
#include "windlass/manifest/location.h"

namespace windlass::manifest {

// True when `text`, which is not inside quotes, has the comment.
bool has_ignore_comment(std::string_view text);

// `key` is an empty span where the value has none, as in a sequence.
bool is_ignored(const SourceText& source, Span key, Span value, ScalarStyle style);

}  // namespace windlass::manifest
