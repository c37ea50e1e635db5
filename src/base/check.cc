#include "windlass/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace windlass::base_internal {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: internal error: check failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace windlass::base_internal
