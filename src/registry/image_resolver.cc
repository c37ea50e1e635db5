#include "windlass/registry/image_resolver.h"

#include <future>

#include "windlass/base/format.h"

namespace windlass::registry {

std::string Resolution::pinned_name() const {
  return format("{}/{}@{}", reference.registry(), reference.repository(), digest.to_string());
}

Result<Resolution> ImageResolver::resolve_blocking(const image::ImageReference& reference,
                                                   const LookupOptions& options,
                                                   std::stop_token stop) {
  std::promise<Result<Resolution>> promise;
  std::future<Result<Resolution>> answer = promise.get_future();
  resolve(reference, options, std::move(stop),
          [&promise](Result<Resolution> result) { promise.set_value(std::move(result)); });
  return answer.get();
}

}  // namespace windlass::registry
