#include "support.h"

#include <malloc.h>
#include <sys/resource.h>

#include <cstdio>
#include <fstream>

#include "windlass/base/clock.h"

namespace windlass::bench {
namespace {

double status_bytes(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field)) return 1024.0 * std::stod(line.substr(field.size() + 1));
  }
  return 0;
}

}  // namespace

std::vector<std::string> make_keys(std::size_t count) {
  std::vector<std::string> keys;
  keys.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    char text[64];
    std::snprintf(text, sizeof text, "ns-%03zu/obj-%07zu", i % 1000, i);
    keys.emplace_back(text);
  }
  return keys;
}

Memory memory() {
  malloc_trim(0);
  return {.resident = status_bytes("VmRSS"), .peak = status_bytes("VmHWM")};
}

void reset_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void Report::print(std::size_t count) const {
  std::printf(R"({"impl":"windlass","workload":"%s","n":%zu)", workload_.c_str(), count);
  for (const auto& [name, value] : values_) std::printf(R"(,"%s":%.6g)", name.c_str(), value);
  std::puts("}");
}

Stopwatch::Stopwatch() : start_(system_clock().now()) {}

double Stopwatch::nanoseconds() const {
  return static_cast<double>((system_clock().now() - start_).count());
}

}  // namespace windlass::bench
