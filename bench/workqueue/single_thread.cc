// Workloads with one thread, and those that measure memory.
#include <memory>
#include <string>

#include "support.h"
#include "windlass/base/clock.h"
#include "windlass/workqueue/exponential_backoff.h"
#include "windlass/workqueue/work_queue.h"
#include "workloads.h"

namespace windlass::bench {
namespace {

using namespace std::chrono_literals;
using Queue = workqueue::WorkQueue<std::string>;
using Backoff = workqueue::ExponentialBackoff<std::string>;

Queue::Options options(bool metrics) {
  return {.limiter = std::make_unique<Backoff>(workqueue::ExponentialBackoffOptions{}),
          .name = "bench",
          .record_times = metrics};
}

}  // namespace

void only_keys(std::size_t count) {
  const auto keys = make_keys(count);
  Report("keys").print(keys.size());
}

void add_get_done(std::size_t count, bool metrics) {
  const auto keys = make_keys(count);
  Queue queue(system_clock(), options(metrics));
  const Stopwatch watch;
  for (const auto& key : keys) {
    queue.add(key);
    queue.get()->done();
  }
  Report report(metrics ? "1m" : "1");
  report.add("ns_per_item", watch.nanoseconds() / static_cast<double>(count));
  report.print(count);
}

void fill_then_drain(std::size_t count, bool metrics) {
  const auto keys = make_keys(count);
  const auto n = static_cast<double>(count);
  Queue queue(system_clock(), options(metrics));
  const Stopwatch watch;
  for (const auto& key : keys) queue.add(key);
  const double filled = watch.nanoseconds();
  for (std::size_t i = 0; i < count; ++i) queue.get()->done();
  const double drained = watch.nanoseconds();
  Report report(metrics ? "1fm" : "1f");
  report.add("ns_per_item", drained / n);
  report.add("ns_per_add", filled / n);
  report.add("ns_per_getdone", (drained - filled) / n);
  report.print(count);
}

void immediate_behind_delayed(std::size_t count) {
  constexpr std::size_t kAdds = 2000;
  const auto keys = make_keys(count + kAdds);
  Report report("1b");
  for (const bool behind : {false, true}) {
    Queue queue(system_clock(), options(true));
    for (std::size_t i = 0; behind && i < count; ++i) queue.add_after(keys[i], 1h);
    const Stopwatch watch;
    for (std::size_t i = count; i < count + kAdds; ++i) queue.add(keys[i]);
    report.add(behind ? "ns_per_enqueue" : "ns_behind_none", watch.nanoseconds() / kAdds);
  }
  report.print(count);
}

void limiter(std::size_t count) {
  const auto keys = make_keys(count);
  const auto n = static_cast<double>(count);
  const double base = memory().resident;
  Backoff backoff({});
  Report report("5");
  const auto timed = [&](const char* name, auto call) {
    const Stopwatch watch;
    for (const auto& key : keys) call(key);
    report.add(name, watch.nanoseconds() / n);
  };
  timed("when_first_ns", [&](const auto& key) { backoff.next_delay(key); });
  report.add("rss_per_key", (memory().resident - base) / n);
  timed("when_again_ns", [&](const auto& key) { backoff.next_delay(key); });
  double failures = 0;  // told at the end, or the compiler would leave the looking out
  timed("numrequeues_ns", [&](const auto& key) { failures += backoff.num_requeues(key); });
  timed("forget_ns", [&](const auto& key) { backoff.forget(key); });
  report.add("rss_per_key_after_forget", (memory().resident - base) / n);
  report.add("failures_per_key", failures / n);
  report.print(count);
}

void hold_queued(std::size_t count) {
  const auto keys = make_keys(count);
  const auto n = static_cast<double>(count);
  reset_peak();
  const Memory base = memory();
  Queue queue(system_clock(), options(true));
  for (const auto& key : keys) queue.add(key);
  const Memory held = memory();
  for (std::size_t i = 0; i < count; ++i) queue.get()->done();
  Report report("6");
  report.add("rss_per_key", (held.resident - base.resident) / n);
  report.add("peak_over_base_per_key", (held.peak - base.resident) / n);
  report.add("rss_per_key_drained", (memory().resident - base.resident) / n);
  report.print(count);
}

void hold_delayed(std::size_t count) {
  const auto keys = make_keys(count);
  const auto n = static_cast<double>(count);
  reset_peak();
  const Memory base = memory();
  Queue queue(system_clock(), options(true));
  const Stopwatch watch;
  for (const auto& key : keys) queue.add_after(key, 1h);
  Report report("6d");
  report.add("ns_per_addafter", watch.nanoseconds() / n);
  const Memory held = memory();
  for (const auto& key : keys) queue.cancel_delayed(key);
  report.add("rss_per_key", (held.resident - base.resident) / n);
  report.add("peak_over_base_per_key", (held.peak - base.resident) / n);
  report.add("rss_per_key_drained", (memory().resident - base.resident) / n);
  report.print(count);
}

}  // namespace windlass::bench
