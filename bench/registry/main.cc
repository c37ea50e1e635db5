// Looks digests up as fast as it can and tells how fast that was, for bench/suites/registry.py.
//
// usage: windlass_registry_compare IN_FLIGHT LOOKUPS [CONNECTIONS] < REFERENCES
//        windlass_registry_compare cancel COUNT < REFERENCES
//
// LOOKUPS lookups, IN_FLIGHT at a time, through the references from standard input in turn. With
// "cancel", COUNT lookups of registries that do not answer are each stopped, or run out of time,
// and how late that was told is printed.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
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

namespace {

using namespace windlass;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class Run {
 public:
  Run(registry::ImageResolver& resolver, const std::vector<image::ImageReference>& references,
      std::size_t lookups)
      : resolver_(resolver), references_(references), lookups_(lookups) {}

  void start(std::size_t in_flight) {
    for (std::size_t i = 0; i < in_flight; ++i) start_one();
  }

  void await() { done_.wait(); }

  std::size_t errors() const { return errors_; }
  TimePoint first() const { return first_; }
  const std::string& last_error() const { return last_error_; }

 private:
  void start_one() {
    const std::size_t turn = started_++;
    if (turn >= lookups_) return;
    resolver_.resolve(references_[turn % references_.size()], {}, {},
                      [this](Result<registry::Resolution> result) { end_one(result); });
  }

  void end_one(const Result<registry::Resolution>& result) {
    if (ended_++ == 0) first_ = system_clock().now();
    if (!result && errors_++ == 0) last_error_ = result.error().message;
    start_one();
    if (ended_ == lookups_ && !told_.exchange(true)) done_.count_down();
  }

  registry::ImageResolver& resolver_;
  const std::vector<image::ImageReference>& references_;
  const std::size_t lookups_;
  std::atomic<std::size_t> started_ = 0;
  std::atomic<std::size_t> ended_ = 0;
  std::atomic<std::size_t> errors_ = 0;
  std::atomic<bool> told_ = false;
  TimePoint first_{};
  std::string last_error_;
  std::latch done_{1};
};

std::vector<image::ImageReference> read_references() {
  std::vector<image::ImageReference> references;
  for (std::string line; std::getline(std::cin, line);)
    references.push_back(image::ImageReference::parse(line).value());
  WINDLASS_CHECK(!references.empty());
  return references;
}

int print_run(registry::ImageResolver& resolver, std::size_t in_flight, std::size_t lookups) {
  const std::vector<image::ImageReference> references = read_references();
  Run run(resolver, references, lookups);
  const double cpu_before = cpu_seconds();
  const TimePoint begin = system_clock().now();
  run.start(in_flight);
  run.await();
  const std::chrono::duration<double> wall = system_clock().now() - begin;
  const std::chrono::duration<double, std::milli> first = run.first() - begin;
  const double cpu = cpu_seconds() - cpu_before;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto count = static_cast<double>(lookups);
  const std::string out = format(
      "{{\"lookups_per_s\":{:.1f},\"cpu_us\":{:.2f},\"rss_mb\":{:.1f},\"first_ms\":{:.2f},"
      "\"errors\":{}}}\n",
      count / wall.count(), cpu / count * 1e6, static_cast<double>(usage.ru_maxrss) / 1024.0,
      first.count(), run.errors());
  std::fputs(out.c_str(), stdout);
  if (run.errors() > 0) std::fputs((run.last_error() + "\n").c_str(), stderr);
  return run.errors() == 0 ? 0 : 1;
}

// How long after `due` one lookup ended, in milliseconds; a stop is requested then if `stops`.
double lateness(registry::ImageResolver& resolver, const image::ImageReference& reference,
                bool stops) {
  constexpr std::chrono::milliseconds kAfter(50);
  std::stop_source stop;
  std::latch ended(1);
  TimePoint end;
  const TimePoint due = system_clock().now() + kAfter;
  const Duration timeout = stops ? Duration(std::chrono::hours(1)) : Duration(kAfter);
  resolver.resolve(reference, {.timeout = timeout}, stop.get_token(), [&](const auto&) {
    end = system_clock().now();
    ended.count_down();
  });
  TimePoint stopped = due;
  if (stops) {
    system_clock().sleep_until(due, {});
    stopped = system_clock().now();
    stop.request_stop();
  }
  ended.wait();
  return std::chrono::duration<double, std::milli>(end - stopped).count();
}

int print_cancelling(registry::ImageResolver& resolver, std::size_t count) {
  const std::vector<image::ImageReference> references = read_references();
  const auto worst = [&](bool stops) {
    std::vector<double> all;
    for (std::size_t i = 0; i < count; ++i)
      all.push_back(lateness(resolver, references[i % references.size()], stops));
    std::ranges::sort(all);
    return std::pair(all[all.size() / 2], all.back());
  };
  const auto [cancel_median, cancel_max] = worst(true);
  const auto [late_median, late_max] = worst(false);
  const std::string out = format(
      "{{\"cancel_ms\":{:.3f},\"cancel_ms_max\":{:.3f},\"late_ms\":{:.3f},\"late_ms_max\":{:.3f}}}"
      "\n",
      cancel_median, cancel_max, late_median, late_max);
  std::fputs(out.c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  WINDLASS_CHECK(argc >= 3);
  const bool cancels = std::string_view(argv[1]) == "cancel";
  const std::size_t in_flight = cancels ? 1 : std::stoul(argv[1]);
  const std::size_t count = std::stoul(argv[2]);
  WINDLASS_CHECK(in_flight > 0 && count > 0);
  http::CurlClient::Options options;
  if (argc > 3) options.connections_per_host_max = std::stoul(argv[3]);
  options.requests_per_host_max = in_flight;
  options.connections_max = std::max(options.connections_max, 2 * options.connections_per_host_max);
  const auto client = http::CurlClient::create(system_clock(), options).value();
  registry::RegistryClient resolver(system_clock(), *client,
                                    std::make_shared<credentials::AnonymousKeychain>(),
                                    telemetry::null_logger());
  return cancels ? print_cancelling(resolver, count) : print_run(resolver, in_flight, count);
}
