// Answers many owners through a BackgroundResolver and tells how long that took, for
// bench/suites/resolver.py.
//
// usage: windlass_resolver_compare OWNERS HANGING_OWNERS HANGING_HOST < REFERENCES
//
// Each owner asks for one of the references, in turn. Before them HANGING_OWNERS ask for an image
// each of HANGING_HOST, which does not answer; they are not waited for.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <latch>
#include <string>
#include <vector>

#include "windlass/base/check.h"
#include "windlass/base/clock.h"
#include "windlass/base/format.h"
#include "windlass/http/curl_client.h"
#include "windlass/registry/registry_client.h"
#include "windlass/resolver/background_resolver.h"

namespace {

using namespace windlass;
using resolver::BackgroundResolver;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double cpu_seconds(const rusage& usage) {
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void print(const std::vector<double>& sorted_ms, double wall, std::size_t failed) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto count = static_cast<double>(sorted_ms.size());
  const std::string out = format(
      "{{\"seconds\":{:.4f},\"cpu_us\":{:.2f},\"median_ms\":{:.3f},"
      "\"max_ms\":{:.3f},\"failed\":{}}}\n",
      wall, cpu_seconds(usage) / count * 1e6, sorted_ms[sorted_ms.size() / 2], sorted_ms.back(),
      failed);
  std::fputs(out.c_str(), stdout);
}

int measure(registry::ImageResolver& registries, std::size_t owners, std::size_t hanging,
            const std::string& hole) {
  std::vector<std::vector<std::string>> images;
  for (std::string line; std::getline(std::cin, line);) images.push_back({line});
  WINDLASS_CHECK(!images.empty() && owners > 0);
  std::vector<TimePoint> begun(owners);
  std::vector<double> took_ms(owners);
  std::latch answered(static_cast<std::ptrdiff_t>(owners));
  resolver::Options options;
  options.in_flight_max = 100;
  BackgroundResolver background(system_clock(), registries, options, [&](const std::string& owner) {
    if (owner.starts_with('-')) return;
    const std::size_t number = std::stoul(owner);
    took_ms[number] =
        std::chrono::duration<double, std::milli>(system_clock().now() - begun[number]).count();
    answered.count_down();
  });
  for (std::size_t i = 0; i < hanging; ++i) {
    const std::vector<std::string> image = {hole + "/app-" + std::to_string(i) + ":v1"};
    background.resolve("-" + std::to_string(i), image);
  }
  const TimePoint start = system_clock().now();
  for (std::size_t i = 0; i < owners; ++i) {
    begun[i] = system_clock().now();
    background.resolve(std::to_string(i), images[i % images.size()]);
  }
  answered.wait();
  const std::chrono::duration<double> wall = system_clock().now() - start;
  const std::size_t failed = background.status(0).owners.failed;
  std::ranges::sort(took_ms);
  print(took_ms, wall.count(), failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  WINDLASS_CHECK(argc == 4);
  const auto client = http::CurlClient::create(system_clock(), {}).value();
  registry::RegistryClient registries(system_clock(), *client,
                                      std::make_shared<credentials::AnonymousKeychain>(),
                                      telemetry::null_logger());
  return measure(registries, std::stoul(argv[1]), std::stoul(argv[2]), argv[3]);
}
