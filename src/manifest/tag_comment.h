// The tag of an image that is named by its digest alone, in a comment behind it:
//
//     image: nginx@sha256:...  # tag: 1.27
//
// Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "source_text.h"
#include "windlass/manifest/location.h"

namespace windlass::manifest {

struct TagComment {
  std::string_view tag;
  Span bytes;      // from the end of the value to the end of the tag
  Span removable;  // what goes when the tag does: more words stay a comment
};

// The comment behind the value that ends at `value_end` and names an image `name`. Also what other
// tools write there is read: "# 1.27" and "# nginx:1.27".
std::optional<TagComment> read_tag_comment(const SourceText& source, std::size_t value_end,
                                           std::string_view name);

// True when a comment may be put behind `value`: it is on one line, nothing but a comment follows
// there, and no other tool reads that comment for a marker at its beginning.
bool may_have_comment(const SourceText& source, Span value);

// The comment with the two blanks in front that linters ask for.
std::string tag_comment(std::string_view tag);

}  // namespace windlass::manifest
