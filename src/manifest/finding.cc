#include "windlass/manifest/finding.h"

#include <utility>

namespace windlass::manifest {

std::optional<image::ImageReference> Finding::followed() const {
  if (!reference) return std::nullopt;
  if (!reference->is_pinned()) return reference;
  const std::string_view tag =
      reference->has_written_tag() ? std::string_view(*reference->tag()) : tag_in_comment;
  if (tag.empty()) return std::nullopt;
  auto followed =
      image::ImageReference::parse(std::string(reference->written_name()).append(":").append(tag));
  return followed ? std::optional(std::move(*followed)) : std::nullopt;
}

}  // namespace windlass::manifest
