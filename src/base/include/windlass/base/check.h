// WINDLASS_CHECK: aborts when our own code has broken a promise, in every build type.
//
// For bugs only. Nothing that comes from outside (a file, a registry, a user) may trigger one:
// those are Results.
#pragma once

namespace windlass::base_internal {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace windlass::base_internal

#define WINDLASS_CHECK(condition) \
  (static_cast<bool>(condition)   \
       ? static_cast<void>(0)     \
       : ::windlass::base_internal::check_failed(#condition, __FILE__, __LINE__))
