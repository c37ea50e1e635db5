// What single calls of a queue and its limiter cost, and how that grows with keys, delays and
// threads. bench/run compares whole workloads with Go's queues.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/base/format.h"
#include "windlass/workqueue/exponential_backoff.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;
using Queue = WorkQueue<std::string>;

std::vector<std::string> make_keys(std::size_t count, int thread = 0) {
  std::vector<std::string> keys;
  keys.reserve(count);
  for (std::size_t i = 0; i < count; ++i) keys.push_back(format("ns-{:03}/obj-{:07}", thread, i));
  return keys;
}

std::size_t argument(const benchmark::State& state) {
  return static_cast<std::size_t>(state.range(0));
}

// A queue that holds so many keys that wait for an hour.
std::unique_ptr<Queue> with_delayed(std::size_t count) {
  auto queue = std::make_unique<Queue>(system_clock());
  for (std::size_t i = 0; i < count; ++i) queue->add_after(format("delayed/{}", i), 1h);
  return queue;
}

void BM_WorkQueue_AddGetDone(benchmark::State& state) {
  const auto keys = make_keys(argument(state));
  Queue queue(system_clock());
  std::size_t at = 0;
  for (auto _ : state) {
    queue.add(keys[at]);
    queue.try_get()->done();
    if (++at == keys.size()) at = 0;
  }
}
BENCHMARK(BM_WorkQueue_AddGetDone)->ArgName("keys")->Arg(1)->Arg(10'000)->Arg(1'000'000);

void BM_WorkQueue_FillThenDrain(benchmark::State& state) {
  const auto keys = make_keys(argument(state));
  for (auto _ : state) {
    Queue queue(system_clock());
    for (const auto& key : keys) queue.add(key);
    for (std::size_t i = 0; i < keys.size(); ++i) queue.try_get()->done();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_WorkQueue_FillThenDrain)->ArgName("keys")->Arg(10'000)->Arg(100'000)->Arg(1'000'000);

void BM_WorkQueue_MergedAdd(benchmark::State& state) {
  Queue queue(system_clock());
  queue.add("ns/busy");
  for (auto _ : state) benchmark::DoNotOptimize(queue.add("ns/busy"));
}
BENCHMARK(BM_WorkQueue_MergedAdd);

void BM_WorkQueue_AddGetDoneBehindDelays(benchmark::State& state) {
  const auto queue = with_delayed(argument(state));
  for (auto _ : state) {
    queue->add("ns/now");
    queue->try_get()->done();
  }
}
BENCHMARK(BM_WorkQueue_AddGetDoneBehindDelays)->ArgName("delays")->Arg(0)->Arg(50'000);

void BM_WorkQueue_AddAfterThenCancel(benchmark::State& state) {
  const auto queue = with_delayed(argument(state));
  for (auto _ : state) {
    queue->add_after("ns/later", 30min);
    queue->cancel_delayed("ns/later");
  }
}
BENCHMARK(BM_WorkQueue_AddAfterThenCancel)->ArgName("delays")->Arg(0)->Arg(50'000);

// All threads share one queue and each adds keys of its own; what it takes may be anybody's.
void BM_WorkQueue_AddGetDoneTogether(benchmark::State& state) {
  static std::unique_ptr<Queue> queue;
  if (state.thread_index() == 0) queue = std::make_unique<Queue>(system_clock());
  const auto keys = make_keys(1000, state.thread_index());
  std::size_t at = 0;
  for (auto _ : state) {
    queue->add(keys[at]);
    if (auto item = queue->try_get()) item->done();
    if (++at == keys.size()) at = 0;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_WorkQueue_AddGetDoneTogether)->ThreadRange(1, 16)->UseRealTime();

void BM_ExponentialBackoff_NextThenForget(benchmark::State& state) {
  const auto keys = make_keys(argument(state));
  ExponentialBackoff<std::string> backoff({});
  std::size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(backoff.next_delay(keys[at]));
    backoff.forget(keys[at]);
    if (++at == keys.size()) at = 0;
  }
}
BENCHMARK(BM_ExponentialBackoff_NextThenForget)->ArgName("keys")->Arg(10'000);

}  // namespace
}  // namespace windlass::workqueue

BENCHMARK_MAIN();
