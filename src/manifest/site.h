// Site: where in the bytes of a file the digest of one finding goes, and what the scalar around it
// will then say.
//
// A value.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "windlass/manifest/location.h"

namespace windlass::manifest {

struct InnerSite;

// Usually one scalar is the whole reference and "@digest" follows its tag. A digest may also have a
// key of its own, or follow a tag that has one.
//
// Invariant: tag_at <= digest_at <= end <= value.size(), and the spans name the bytes of
// value[tag_at, digest_at) and value[digest_at, end).
struct Site {
  std::size_t ordinal = 0;  // of the scalar among all scalars of the file
  std::string value;        // its decoded text now
  std::size_t tag_at = 0;   // where ":tag" starts in `value`
  std::size_t digest_at = 0;
  std::size_t end = 0;
  Span tag_bytes;
  Span digest_bytes;  // "@sha256:..." where there is one, else the place where it goes

  bool may_have_comment = false;  // with the tag, behind the scalar
  std::string tag_in_comment;     // what stands in it now
  Span comment_bytes;             // of it and the blanks in front; else the place where it goes
  Span removable_comment_bytes;   // what goes with it

  std::string own_tag;        // that stands under a key of its own and stays there
  bool has_own_key = false;   // the scalar is the digest alone: no "@"
  bool after_colon = false;   // an empty value that touches the colon of its key: needs a blank
  bool needs_quotes = false;  // plain and read as a number until now: `scalar_bytes` are replaced
  char quote = '"';           // that it gets then
  Span scalar_bytes;

  // In a text that is a file of its own: what it is there. `ordinal` is then of no use.
  std::shared_ptr<const InnerSite> inner;
};

}  // namespace windlass::manifest
