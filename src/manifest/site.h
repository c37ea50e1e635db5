// Site: where in the bytes of a file the digest of one finding goes, and what the scalar around it
// will then say.
//
// A value.
#pragma once

#include <cstddef>
#include <string>

#include "windlass/manifest/location.h"

namespace windlass::manifest {

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
};

}  // namespace windlass::manifest
