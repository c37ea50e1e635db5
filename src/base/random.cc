#include "windlass/base/random.h"

#include <random>

namespace windlass {

// splitmix64, by Sebastiano Vigna, in the public domain.
std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

double Random::uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

Duration Random::up_to(Duration limit) {
  if (limit <= Duration::zero()) return Duration::zero();
  const auto range = static_cast<std::uint64_t>(limit.count()) + 1;
  return Duration(static_cast<Duration::rep>(next() % range));
}

std::uint64_t random_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32U) | device();
}

}  // namespace windlass
