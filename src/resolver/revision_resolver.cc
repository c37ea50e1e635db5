#include "windlass/resolver/revision_resolver.h"

#include <semaphore>
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

RevisionKey RevisionKey::of(const std::string& owner) {
  const std::size_t slash = owner.find('/');
  if (slash == std::string::npos) return {.name_space = "", .name = owner};
  return {.name_space = owner.substr(0, slash), .name = owner.substr(slash + 1)};
}

std::future<void> RevisionResolver::start(std::stop_token stop, int in_flight_max) {
  resolver_.set_in_flight_max(in_flight_max);
  std::promise<void> ended;
  std::future<void> end = ended.get_future();
  ender_ = std::jthread(
      [this, stop = std::move(stop), ended = std::move(ended)](const std::stop_token& own) mutable {
        std::counting_semaphore<2> asked(0);
        const std::stop_callback on_stop(stop, [&asked] { asked.release(); });
        const std::stop_callback on_destruction(own, [&asked] { asked.release(); });
        asked.acquire();
        if (stop.stop_requested()) resolver_.stop(BackgroundResolver::StopMode::kCancel);
        ended.set_value();
      });
  return end;
}

std::optional<Result<RevisionStatus>> RevisionResolver::resolve(const RevisionKey& revision,
                                                                const RevisionSpec& spec,
                                                                const ResolveOptions& options) {
  std::vector<std::string> images;
  images.reserve(spec.init_containers.size() + spec.containers.size());
  for (const Container& container : spec.init_containers) images.push_back(container.image);
  for (const Container& container : spec.containers) images.push_back(container.image);

  const std::optional<Answer> answer = resolver_.resolve(revision.to_string(), images, options);
  if (!answer) return std::nullopt;
  if (std::optional<Error> error = failure(*answer)) return fail(std::move(*error));
  const std::span<const ImageResult> results = answer->images;
  return RevisionStatus{
      .init_containers = statuses(spec.init_containers, results.first(spec.init_containers.size())),
      .containers = statuses(spec.containers, results.subspan(spec.init_containers.size()))};
}

}  // namespace windlass::resolver
