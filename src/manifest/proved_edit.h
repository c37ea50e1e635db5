// Edits a text and proves what came of it: splice.h and proof.h in one step.
//
// Pure function.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proof.h"
#include "windlass/base/result.h"
#include "windlass/manifest/manifest.h"

namespace windlass::manifest {

// `bytes` with `replacements`, which are in their order; read again, it has `changes` and no other.
// Both `bytes` and the result have to be text that can be read at all. Errors are those of
// prove_only_changed().
Result<std::string> proved_edit(const std::string& file_name, std::string_view bytes,
                                std::optional<Format> format,
                                std::span<const Replacement> replacements,
                                std::vector<ScalarChange> changes);

}  // namespace windlass::manifest
