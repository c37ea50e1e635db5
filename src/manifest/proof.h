// Proves that an edit changed what it was meant to change and nothing else.
//
// Both texts are read again from scratch and compared event by event: kinds, styles, anchors, tags
// and values. It shares no state with what made the edit.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "event.h"
#include "windlass/base/result.h"

namespace windlass::manifest {

// The scalar number `ordinal` of the file has the text `value` after the edit.
struct ScalarChange {
  std::size_t ordinal;
  std::string value;
  char quote = '\0';  // plain before, in these after
};

// `changes` are in the order of the file. kInternal names the first difference that is none of
// them, or the first of them that did not come about.
Result<void> prove_only_changed(EventSource& before, EventSource& after,
                                std::span<const ScalarChange> changes);

}  // namespace windlass::manifest
