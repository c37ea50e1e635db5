// The comments "# windlass: ignore", by which a writer keeps an image as it is.
//
// One counts on the lines of a key and its value, and alone on the line above the key. All of a
// file are found once, so that asking for a value costs little however long its line is.
//
// A value; const members may be called from any thread. The SourceText must outlive it.
#pragma once

#include <cstddef>
#include <vector>

#include "event.h"
#include "source_text.h"
#include "windlass/manifest/location.h"

namespace windlass::manifest {

class IgnoreComments {
 public:
  explicit IgnoreComments(const SourceText& source);

  // `key` is an empty span where the value has none, as in a sequence.
  bool cover(Span key, Span value, ScalarStyle style) const;

 private:
  struct Comment {
    std::size_t begin;  // of its "#"
    bool is_alone;      // on its line
  };

  // The first comment that begins within `span`, or nullptr.
  const Comment* first_in(Span span) const;

  const SourceText* source_;
  std::vector<Comment> comments_;  // in the order of the file
};

}  // namespace windlass::manifest
