#include "windlass/resolver/revision_resolver.h"

#include <span>
#include <utility>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::resolver {
namespace {

std::string image_digest(const ImageResult& result) {
  if (!result.resolved()) return {};
  return result.resolution->asked ? result.resolution->pinned_name() : result.image;
}

std::vector<ContainerStatus> statuses(const std::vector<Container>& containers,
                                      std::span<const ImageResult> results) {
  std::vector<ContainerStatus> all;
  all.reserve(containers.size());
  for (std::size_t i = 0; i < containers.size(); ++i) {
    all.push_back({.name = containers[i].name, .image_digest = image_digest(results[i])});
  }
  return all;
}

std::optional<Error> failure(const Answer& answer) {
  std::optional<Error> all;
  for (const ImageResult& result : answer.images) {
    if (!result.failed()) continue;
    Error one = result.error->with_context(format(
        "Unable to fetch image {}: failed to resolve image to digest", quoted(result.image)));
    if (all) {
      all->message += "; " + one.message;
    } else {
      all = std::move(one);
    }
  }
  return all;
}

}  // namespace

std::optional<Result<RevisionStatus>> RevisionResolver::resolve(const std::string& revision,
                                                                const RevisionSpec& spec,
                                                                const ResolveOptions& options) {
  std::vector<std::string> images;
  images.reserve(spec.init_containers.size() + spec.containers.size());
  for (const Container& container : spec.init_containers) images.push_back(container.image);
  for (const Container& container : spec.containers) images.push_back(container.image);

  const std::optional<Answer> answer = resolver_.resolve(revision, images, options);
  if (!answer) return std::nullopt;
  if (std::optional<Error> error = failure(*answer)) return fail(std::move(*error));
  const std::span<const ImageResult> results = answer->images;
  return RevisionStatus{
      .init_containers = statuses(spec.init_containers, results.first(spec.init_containers.size())),
      .containers = statuses(spec.containers, results.subspan(spec.init_containers.size()))};
}

}  // namespace windlass::resolver
