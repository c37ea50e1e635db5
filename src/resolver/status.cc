#include "windlass/resolver/status.h"

namespace windlass::resolver {

std::string_view to_string(LookupStatus::State state) {
  switch (state) {
    case LookupStatus::State::kQueued: return "queued";
    case LookupStatus::State::kDelayed: return "delayed";
    case LookupStatus::State::kRunning: return "running";
  }
  return "queued";
}

}  // namespace windlass::resolver
