// Lists texts that look like images where no rule says that one stands: in arguments, variables,
// annotations, fields of unknown kinds. They are left alone, with that as the reason.
//
// Nothing of a Secret is ever listed.
#pragma once

#include "collector.h"
#include "tree.h"

namespace windlass::manifest {

// To be called for a document when the rules are through with it.
void add_possible_images(const Tree& tree, Collector& collector);

}  // namespace windlass::manifest
