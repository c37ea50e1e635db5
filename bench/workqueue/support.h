// What the workloads share: the keys, the random numbers, the process's own figures, one line out.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windlass/base/time.h"

namespace windlass::bench {

// "ns-%03d/obj-%07d" of (i mod 1000, i): 18 bytes each.
std::vector<std::string> make_keys(std::size_t count);

// xorshift64; the value after the step.
class XorShift {
 public:
  explicit XorShift(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_;
  }

 private:
  std::uint64_t state_;
};

struct Memory {
  double resident = 0;  // bytes, after free pages went back
  double peak = 0;      // bytes, since reset_peak()
};
Memory memory();
void reset_peak();

double cpu_seconds();

// What a workload measured, printed as one line of JSON.
class Report {
 public:
  explicit Report(std::string_view workload) : workload_(workload) {}
  void add(std::string_view name, double value) { values_.emplace_back(name, value); }
  void print(std::size_t count) const;

 private:
  std::string workload_;
  std::vector<std::pair<std::string, double>> values_;
};

// Nanoseconds since construction.
class Stopwatch {
 public:
  Stopwatch();
  double nanoseconds() const;

 private:
  TimePoint start_;
};

}  // namespace windlass::bench
