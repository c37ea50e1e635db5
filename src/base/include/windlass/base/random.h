// Random: a seeded source of numbers, so that a run with jitter can be repeated.
//
// A value: copy it and both copies give the same numbers. Not thread-safe; its owner locks.
#pragma once

#include <cstdint>

#include "windlass/base/time.h"

namespace windlass {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();

  // Uniform in [0, 1).
  double uniform();

  // Uniform in [0, limit]; 0 when limit <= 0. "Full jitter" of a back-off delay.
  Duration up_to(Duration limit);

 private:
  std::uint64_t state_;  // splitmix64
};

// A seed no two processes share, from the operating system.
std::uint64_t random_seed();

}  // namespace windlass
