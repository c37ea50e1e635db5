// Finds the images of a Dockerfile: FROM, defaults of build arguments that FROM uses, COPY --from,
// RUN --mount=from, the syntax directive. Stages of the file are none.
#pragma once

#include "collector.h"
#include "tree.h"

namespace windlass::manifest {

// `tree` is what DockerfileEvents tell.
void find_in_dockerfile(const Tree& tree, Collector& collector);

}  // namespace windlass::manifest
