#include "windlass/resolver/answer.h"

#include <algorithm>

#include "windlass/base/text.h"

namespace windlass::resolver {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kResolved: return "resolved";
    case Verdict::kSkipped: return "skipped";
    case Verdict::kFailed: return "failed";
  }
  return "failed";
}

bool Answer::failed() const { return std::ranges::any_of(images, &ImageResult::failed); }

std::optional<Error> Answer::error() const {
  std::optional<Error> all;
  for (const ImageResult& image : images) {
    if (!image.failed()) continue;
    Error one = image.error->with_context("image " + quoted(image.image));
    if (all) {
      all->message += "; " + one.message;
    } else {
      all = std::move(one);
    }
  }
  return all;
}

}  // namespace windlass::resolver
