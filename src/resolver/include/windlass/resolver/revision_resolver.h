// RevisionResolver: Knative Serving's contract for a revision's containers, on a
// BackgroundResolver.
//
// A revision has named init containers and containers; each gets a status with its digest, in the
// order of its spec. It keeps nothing itself. Unlike the original, changed images start over, all
// failures are told, and the callback (the BackgroundResolver's) comes outside any lock.
//
// Thread safety: as BackgroundResolver, which outlives it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/resolver/background_resolver.h"

namespace windlass::resolver {

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

  // nullopt while pending. An error names every image that failed, init containers first:
  // Unable to fetch image "nginx": failed to resolve image to digest: CAUSE
  std::optional<Result<RevisionStatus>> resolve(const std::string& revision,
                                                const RevisionSpec& spec,
                                                const ResolveOptions& options = {});

  // To be called after a failure before asking again, and when the revision is gone.
  void clear(const std::string& revision) { resolver_.clear(revision); }
  void forget(const std::string& revision) { resolver_.forget(revision); }

 private:
  BackgroundResolver& resolver_;
};

}  // namespace windlass::resolver
