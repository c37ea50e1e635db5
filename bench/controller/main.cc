// windlass_controller_compare ready|delayed BACKLOG RUNS: handles a chain of keys with one worker
// while others wait, through the controller and on the bare queue; prints one line of JSON.
//
// Each run adds the next key. Metrics are on, tracing is off. Medians of five rounds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "support.h"
#include "windlass/base/clock.h"
#include "windlass/reconcile/controller.h"
#include "windlass/telemetry/metrics.h"
#include "windlass/workqueue/exponential_backoff.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::bench {
namespace {

using namespace std::chrono_literals;

struct Workload {
  bool delayed;
  std::size_t backlog;
  std::size_t runs;
  std::vector<std::string> keys = make_keys(backlog + runs + 1);
};

std::unique_ptr<workqueue::RateLimiter<std::string>> limiter() {
  return std::make_unique<workqueue::ExponentialBackoff<std::string>>(
      workqueue::ExponentialBackoffOptions{});
}

double bare_queue(const Workload& workload) {
  workqueue::WorkQueue<std::string> queue(system_clock(), {.limiter = limiter(), .name = "bench"});
  for (std::size_t i = 0; i < workload.backlog; ++i) {
    workload.delayed ? queue.add_after(workload.keys[i], 1h) : queue.add(workload.keys[i]);
  }
  const Stopwatch watch;
  for (std::size_t i = 0; i < workload.runs; ++i) {
    queue.add(workload.keys[workload.backlog + i]);
    queue.get()->done();
  }
  return watch.nanoseconds() / static_cast<double>(workload.runs);
}

double controller(const Workload& workload) {
  telemetry::Metrics metrics;
  std::stop_source stop;
  std::size_t handled = 0;
  std::optional<Stopwatch> watch;
  double took = 0;
  std::unique_ptr<reconcile::Controller> controller;
  const auto handle = [&](reconcile::Context&, const std::string&) -> Result<reconcile::Outcome> {
    if (handled == 0) watch.emplace();
    if (handled == workload.runs) {
      took = watch->nanoseconds();
      stop.request_stop();
    } else {
      ++handled;
      controller->enqueue_now(workload.keys[workload.backlog + handled]);
    }
    return reconcile::Outcome::done();
  };
  controller = std::make_unique<reconcile::Controller>(
      system_clock(), "bench", reconcile::Options{.limiter = limiter()}, reconcile::Handler(handle),
      reconcile::Telemetry{.metrics = metrics});
  for (std::size_t i = 0; i < workload.backlog; ++i) {
    if (workload.delayed) {
      controller->enqueue_after(workload.keys[i], 1h);
    } else {
      controller->enqueue_now(workload.keys[i]);
    }
  }
  controller->enqueue_now(workload.keys[workload.backlog]);
  if (!controller->run(stop.get_token(), 1)) std::abort();
  return took / static_cast<double>(workload.runs);
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
  return values[values.size() / 2];
}

}  // namespace
}  // namespace windlass::bench

int main(int argc, char** argv) {
  using namespace windlass::bench;
  const std::string_view name = argc == 4 ? argv[1] : "";
  if (name != "ready" && name != "delayed") {
    std::fprintf(stderr, "usage: %s ready|delayed BACKLOG RUNS\n", argv[0]);
    return 2;
  }
  const Workload workload{.delayed = name == "delayed",
                          .backlog = std::strtoul(argv[2], nullptr, 10),
                          .runs = std::strtoul(argv[3], nullptr, 10)};
  // In turn, so that both meet the same machine.
  constexpr int kRounds = 5;
  std::vector<double> bare;
  std::vector<double> whole;
  for (int round = 0; round < kRounds; ++round) {
    bare.push_back(bare_queue(workload));
    whole.push_back(controller(workload));
  }
  Report report(name);
  report.add("ns_per_key", median(whole));
  report.add("bare_ns_per_key", median(bare));
  report.add("over_bare_ns", median(whole) - median(bare));
  report.print(workload.runs);
  return 0;
}
