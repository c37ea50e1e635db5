// Splicing: turns edits of findings into bytes to replace, and replaces them.
//
// Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proof.h"
#include "site.h"
#include "windlass/manifest/manifest.h"

namespace windlass::manifest {

// The bytes to replace at `site`, in the order of the file, and what the scalar then says.
std::vector<Replacement> replacements_at(const Site& site, const Edit& edit);
// What stands behind the image's name then: ":tag@sha256:...".
std::string ending_at(const Site& site, const Edit& edit);
ScalarChange change_at(const Site& site, const Edit& edit);

// `replacements` are in the order of the file and do not overlap.
std::string splice(std::string_view bytes, std::span<const Replacement> replacements);

}  // namespace windlass::manifest
