// RevisionResolver: Knative Serving's contract for a revision's containers, on a
// BackgroundResolver.
//
// A revision has named init containers and containers; each gets a status with its digest, in the
// order of its spec. It keeps nothing itself. Names and differences from the original:
// docs/reference/knative.md.
//
// Thread safety: as BackgroundResolver, which outlives it; start() is called once.
#pragma once

#include <compare>
#include <future>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/resolver/background_resolver.h"

namespace windlass::resolver {

struct RevisionKey {
  std::string name_space;
  std::string name;

  // "namespace/name": the owner that a BackgroundResolver's callback is given.
  std::string to_string() const { return name_space + "/" + name; }
  static RevisionKey of(const std::string& owner);

  friend auto operator<=>(const RevisionKey&, const RevisionKey&) = default;
};

struct Container {
  std::string name;
  std::string image;  // as written
};

struct RevisionSpec {
  std::vector<Container> init_containers;
  std::vector<Container> containers;
};

struct ContainerStatus {
  std::string name;

  // "registry/repository@digest"; an image that was written with its digest is left as it was
  // written; empty when the image's registry is not to be asked.
  std::string image_digest;

  friend bool operator==(const ContainerStatus&, const ContainerStatus&) = default;
};

struct RevisionStatus {
  std::vector<ContainerStatus> init_containers;
  std::vector<ContainerStatus> containers;
};

class RevisionResolver {
 public:
  explicit RevisionResolver(BackgroundResolver& resolver) : resolver_(resolver) {}

  // Lets `in_flight_max` lookups run at a time; a resolver with Options::in_flight_max = 0 runs
  // none before. When `stop` is requested the resolver is stopped (StopMode::kCancel), so that
  // every revision that waits has its answer and its callback; then the future is ready. It is
  // ready, too, when this object is destroyed, which stops nothing.
  std::future<void> start(std::stop_token stop, int in_flight_max);

  // nullopt while pending. An error names every image that failed, init containers first:
  // Unable to fetch image "nginx": failed to resolve image to digest: CAUSE
  std::optional<Result<RevisionStatus>> resolve(const RevisionKey& revision,
                                                const RevisionSpec& spec,
                                                const ResolveOptions& options = {});

  // To be called after a failure before asking again, and when the revision is gone.
  void clear(const RevisionKey& revision) { resolver_.clear(revision.to_string()); }
  void forget(const RevisionKey& revision) { resolver_.forget(revision.to_string()); }

 private:
  BackgroundResolver& resolver_;

  std::jthread ender_;
};

}  // namespace windlass::resolver
