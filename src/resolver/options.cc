#include "windlass/resolver/options.h"

namespace windlass::resolver {
namespace {

bool same_skips(const SkipList* a, const SkipList* b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

}  // namespace

bool equivalent(const ResolveOptions& a, const ResolveOptions& b) {
  return a.deadline == b.deadline && a.deadline_includes_line == b.deadline_includes_line &&
         a.lookup_timeout == b.lookup_timeout && a.credentials.identity == b.credentials.identity &&
         a.platform == b.platform && a.verify == b.verify && same_skips(a.skip.get(), b.skip.get());
}

}  // namespace windlass::resolver
