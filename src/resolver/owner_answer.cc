#include "owner_answer.h"

#include <utility>

#include "windlass/base/check.h"

namespace windlass::resolver {
namespace {

// A lookup knows its image under the first owner's spelling; each answer uses its own owner's.
ImageResult result_of(const Slot& slot) {
  ImageResult result = *slot.outcome;
  result.image = slot.image;
  if (result.resolution && result.resolution->reference.written() != slot.image) {
    Result<image::ImageReference> own = image::ImageReference::parse(slot.image);
    WINDLASS_CHECK(own.has_value());
    result.resolution->reference = std::move(*own);
  }
  return result;
}

}  // namespace

Answer answer_of(const Owner& owner) {
  Answer answer;
  answer.images.reserve(owner.slots.size());
  for (const Slot& slot : owner.slots) answer.images.push_back(result_of(slot));
  return answer;
}

Answer same_for_all(std::span<const std::string> images, const Outcome& outcome) {
  Answer answer;
  for (const std::string& image : images) {
    answer.images.push_back(*outcome);
    answer.images.back().image = image;
  }
  return answer;
}

}  // namespace windlass::resolver
