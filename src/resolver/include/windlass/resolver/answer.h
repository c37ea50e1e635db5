// Answer: what became of every image an owner asked about.
//
// A value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/error.h"
#include "windlass/registry/image_resolver.h"

namespace windlass::resolver {

enum class Verdict {
  kResolved,  // `resolution` is set; `error` too when stale
  kSkipped,   // its registry is not to be asked
  kFailed,    // `error` is set
};

std::string_view to_string(Verdict verdict);  // "resolved", "skipped", "failed"

struct ImageResult {
  std::string image;  // as written
  Verdict verdict = Verdict::kSkipped;
  std::optional<registry::Resolution> resolution = std::nullopt;
  std::optional<Error> error = std::nullopt;
  int tries = 0;        // times a registry was asked for it; 0 when that was not needed
  bool cached = false;  // the answer was given to somebody else before
  bool stale = false;   // kResolved, but the registry could not be asked again: see `error`

  bool resolved() const { return verdict == Verdict::kResolved; }
  bool failed() const { return verdict == Verdict::kFailed; }
};

// One result for each image asked, duplicates included, in the order asked.
struct Answer {
  std::vector<ImageResult> images;

  bool failed() const;

  // All failures in one, in the order asked, each naming its image; the code is that of the first.
  // nullopt when nothing failed.
  std::optional<Error> error() const;
};

}  // namespace windlass::resolver
