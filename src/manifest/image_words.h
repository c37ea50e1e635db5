// Words of a text that look like images: in scripts, arguments, comments, annotations.
//
// Pure functions.
#pragma once

#include <functional>
#include <string_view>

#include "windlass/manifest/location.h"

namespace windlass::manifest {

// Calls `found` with the bytes of each such word within `span` of `bytes`. "name:tag" may be
// anything; a registry in front, or a digest behind, makes an image likely.
void for_each_image_word(std::string_view bytes, Span span,
                         const std::function<void(Span word)>& found);

// The same within comments only: what stands behind a '#' at the beginning of a line or behind a
// blank. No text in quotes may stand in `span`.
void for_each_image_word_in_comments(std::string_view bytes, Span span,
                                     const std::function<void(Span word)>& found);

}  // namespace windlass::manifest
