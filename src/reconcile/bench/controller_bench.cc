// What a run costs above the bare queue: getting the key, telling the handler, what follows.
//
// Each run adds the next key, while `keys` others wait in front of it.
#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/reconcile/controller.h"
#include "windlass/telemetry/metrics.h"
#include "windlass/workqueue/exponential_backoff.h"

namespace windlass::reconcile {
namespace {

constexpr std::size_t kRuns = 20'000;  // in one iteration

std::vector<std::string> make_keys(std::size_t count) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < count; ++i)
    keys.push_back("namespace/" + std::to_string(10'000'000 + i));
  return keys;
}

std::unique_ptr<workqueue::RateLimiter<std::string>> limiter() {
  return std::make_unique<workqueue::ExponentialBackoff<std::string>>(
      workqueue::ExponentialBackoffOptions{});
}

void count(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRuns));
}

void BM_Queue_AddGetDone(benchmark::State& state) {
  const auto backlog = static_cast<std::size_t>(state.range(0));
  const std::vector<std::string> keys = make_keys(backlog + kRuns);
  for (auto _ : state) {
    workqueue::WorkQueue<std::string> queue(system_clock(), {.limiter = limiter()});
    for (std::size_t i = 0; i < backlog; ++i) queue.add(keys[i]);
    const TimePoint start = system_clock().now();
    for (std::size_t i = backlog; i < backlog + kRuns; ++i) {
      queue.add(keys[i]);
      queue.get()->done();
    }
    state.SetIterationTime(std::chrono::duration<double>(system_clock().now() - start).count());
  }
  count(state);
}
BENCHMARK(BM_Queue_AddGetDone)->ArgName("keys")->Arg(1'000)->Arg(50'000)->UseManualTime();

// Runs in one worker, from the first to the last; starting it is not counted.
void handle_chain(benchmark::State& state, telemetry::Metrics& metrics) {
  const auto backlog = static_cast<std::size_t>(state.range(0));
  const std::vector<std::string> keys = make_keys(backlog + kRuns + 1);
  for (auto _ : state) {
    std::stop_source stop;
    std::size_t runs = 0;
    TimePoint start;
    std::optional<Controller> controller;
    controller.emplace(system_clock(), "bench", Options{.limiter = limiter()},
                       Handler([&](Context&, const std::string&) -> Result<Outcome> {
                         if (runs == 0) start = system_clock().now();
                         if (runs == kRuns) {
                           const Duration took = system_clock().now() - start;
                           state.SetIterationTime(std::chrono::duration<double>(took).count());
                           stop.request_stop();
                         } else {
                           controller->enqueue_now(keys[backlog + ++runs]);
                         }
                         return Outcome::done();
                       }),
                       Telemetry{.metrics = metrics});
    for (std::size_t i = 0; i <= backlog; ++i) controller->enqueue_now(keys[i]);
    if (!controller->run(stop.get_token(), 1)) state.SkipWithError("it did not run");
  }
  count(state);
}

void BM_Controller_Handle(benchmark::State& state) {
  telemetry::Metrics metrics;
  handle_chain(state, metrics);
}
BENCHMARK(BM_Controller_Handle)->ArgName("keys")->Arg(1'000)->Arg(50'000)->UseManualTime();

void BM_Controller_HandleWithoutMetrics(benchmark::State& state) {
  handle_chain(state, telemetry::null_metrics());
}
BENCHMARK(BM_Controller_HandleWithoutMetrics)->ArgName("keys")->Arg(1'000)->UseManualTime();

}  // namespace
}  // namespace windlass::reconcile

BENCHMARK_MAIN();
