// Workloads with producers and consumers.
#include <algorithm>
#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support.h"
#include "windlass/base/clock.h"
#include "windlass/workqueue/exponential_backoff.h"
#include "windlass/workqueue/work_queue.h"
#include "workloads.h"

namespace windlass::bench {
namespace {

using Queue = workqueue::WorkQueue<std::string>;

Queue::Options options(bool metrics) {
  return {.limiter = std::make_unique<workqueue::ExponentialBackoff<std::string>>(
              workqueue::ExponentialBackoffOptions{}),
          .name = "bench",
          .record_times = metrics};
}

constexpr std::size_t kProducers = 4;
constexpr std::size_t kConsumers = 4;

}  // namespace

void producers_and_consumers(std::size_t count, std::size_t each, bool metrics) {
  const auto keys = make_keys(count);
  Queue queue(system_clock(), options(metrics));
  std::atomic<std::size_t> handled = 0;
  std::latch go(static_cast<std::ptrdiff_t>(2 * each + 1));
  std::latch all_handled(1);
  std::vector<std::jthread> threads;
  for (std::size_t p = 0; p < each; ++p) {
    threads.emplace_back([&, p] {
      go.arrive_and_wait();
      for (std::size_t i = p * count / each; i < (p + 1) * count / each; ++i) queue.add(keys[i]);
    });
  }
  for (std::size_t c = 0; c < each; ++c) {
    threads.emplace_back([&] {
      go.arrive_and_wait();
      while (auto item = queue.get()) {
        item->done();
        if (handled.fetch_add(1, std::memory_order_relaxed) + 1 == count) all_handled.count_down();
      }
    });
  }
  const double cpu = cpu_seconds();
  const Stopwatch watch;  // before any thread goes: they may be far by the time this one goes on
  go.arrive_and_wait();
  all_handled.wait();
  const double wall = watch.nanoseconds();
  Report report(metrics ? "2m" : "2");
  report.add("items_per_s", static_cast<double>(count) / wall * 1e9);
  report.add("cpu_s", cpu_seconds() - cpu);
  report.print(count);
  queue.shut_down();
}

void few_keys(std::size_t adds, bool consumers, bool metrics) {
  constexpr std::uint64_t kDistinct = 1000;
  const auto keys = make_keys(kDistinct);
  Queue queue(system_clock(), options(metrics));
  std::atomic<std::size_t> handled = 0;
  const std::size_t takers = consumers ? kConsumers : 0;
  std::latch go(static_cast<std::ptrdiff_t>(kProducers + takers + 1));
  std::latch produced(kProducers);
  std::vector<std::jthread> threads;
  for (std::size_t p = 0; p < kProducers; ++p) {
    threads.emplace_back([&, p] {
      XorShift random((p + 1) * 0x9E3779B97F4A7C15U);
      go.arrive_and_wait();
      for (std::size_t i = 0; i < adds / kProducers; ++i) {
        queue.add(keys[random.next() % kDistinct]);
      }
      produced.count_down();
    });
  }
  for (std::size_t c = 0; c < takers; ++c) {
    threads.emplace_back([&] {
      go.arrive_and_wait();
      std::size_t mine = 0;
      while (auto item = queue.get()) {
        item->done();
        ++mine;
      }
      handled.fetch_add(mine);
    });
  }
  const double cpu = cpu_seconds();
  const Stopwatch watch;  // before any thread goes: they may be far by the time this one goes on
  go.arrive_and_wait();
  produced.wait();
  const double wall = watch.nanoseconds();
  const double used = cpu_seconds() - cpu;
  queue.shut_down();
  threads.clear();
  Report report(consumers ? (metrics ? "3m" : "3") : (metrics ? "3bm" : "3b"));
  report.add("adds_per_s", static_cast<double>(adds) / wall * 1e9);
  report.add("deliveries", static_cast<double>(handled.load()));
  report.add("cpu_s", used);
  report.print(adds);
}

void random_delays(std::size_t count) {
  const auto keys = make_keys(count);
  std::vector<Duration> delays(count);
  XorShift random(42);
  for (auto& delay : delays) {
    delay = Duration(static_cast<std::int64_t>(random.next() % 2'000'000'000));
  }
  std::vector<TimePoint> due(count);
  std::vector<Duration> late(count);
  reset_peak();
  const Memory base = memory();
  Queue queue(system_clock(), options(true));
  const double cpu = cpu_seconds();
  const Stopwatch watch;
  TimePoint produced;
  std::jthread producer([&] {
    for (std::size_t i = 0; i < count; ++i) {
      due[i] = system_clock().now() + delays[i];
      queue.add_after(keys[i], delays[i]);
    }
    produced = system_clock().now();
  });
  std::vector<TimePoint> delivered(count);
  for (std::size_t taken = 0; taken < count; ++taken) {
    auto item = queue.get();
    const auto number = std::stoul(std::string(item->key().substr(11)));
    item->done();
    delivered[number] = system_clock().now();
  }
  const double wall = watch.nanoseconds();
  producer.join();
  const double used = cpu_seconds() - cpu;
  const Memory end = memory();
  std::vector<Duration> late_after;  // of the keys that were due once all was added
  for (std::size_t i = 0; i < count; ++i) {
    late[i] = delivered[i] - due[i];
    if (due[i] > produced) late_after.push_back(late[i]);
  }
  std::ranges::sort(late);
  std::ranges::sort(late_after);
  const auto milliseconds = [](Duration d) { return 1e-6 * static_cast<double>(d.count()); };
  Report report("4");
  report.add("wall_s", wall * 1e-9);
  report.add("cpu_s", used);
  report.add("over_base_mb", (end.peak - base.resident) / 1e6);
  report.add("late_min_ms", milliseconds(late.front()));
  report.add("late_p50_ms", milliseconds(late[count / 2]));
  report.add("late_p99_ms", milliseconds(late[count * 99 / 100]));
  report.add("late_max_ms", milliseconds(late.back()));
  if (!late_after.empty()) {
    report.add("late_after_p99_ms", milliseconds(late_after[late_after.size() * 99 / 100]));
  }
  report.print(count);
}

}  // namespace windlass::bench
