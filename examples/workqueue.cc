// The program of docs/guides/workqueue.md: a small controller by hand.
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/workqueue/default_limiters.h"
#include "windlass/workqueue/queue_stats.h"
#include "windlass/workqueue/work_queue.h"

namespace {

using namespace std::chrono_literals;
using windlass::workqueue::WorkQueue;

// [try]
// "web" fails twice before it succeeds; everything else succeeds at once.
bool reconcile(const std::string& key, int attempt) {
  std::printf("%s, attempt %d\n", key.c_str(), attempt);
  return key != "default/web" || attempt > 2;
}
// [try]

// [worker]
void work(WorkQueue<std::string>& queue) {
  while (auto item = queue.get()) {
    const std::string key(item->key());
    if (reconcile(key, item->attempt())) {
      queue.forget(key);
    } else if (queue.num_requeues(key) < 5) {
      queue.add_rate_limited(key);
    } else {
      queue.forget(key);
      std::printf("%s is given up\n", key.c_str());
    }
  }  // the item's destructor ends the run
}
// [worker]

}  // namespace

int main() {
  // [queue]
  WorkQueue<std::string> queue(
      windlass::system_clock(),
      {.limiter = windlass::workqueue::default_item_limiter<std::string>(), .name = "deployments"});
  // [queue]

  // [add]
  queue.add("default/web");
  queue.add("default/web");                   // still one key
  queue.add("default/db", {.priority = 10});  // ahead of "web"
  queue.add_after("default/cache", 20ms);     // later
  queue.add_after("default/old", std::chrono::hours(1));
  queue.cancel_delayed("default/old");  // never mind
  // [add]

  // [run]
  std::vector<std::jthread> workers;
  for (int i = 0; i < 2; ++i) workers.emplace_back([&queue] { work(queue); });
  // [run]

  windlass::Clock& clock = windlass::system_clock();
  while (!queue.empty()) clock.sleep_until(clock.now() + 1ms, {});

  // [metrics]
  const auto stats = queue.stats();
  std::printf("%llu adds, %llu retries or delays, %zu left\n",
              static_cast<unsigned long long>(stats.adds),
              static_cast<unsigned long long>(stats.retries), stats.depth() + stats.delayed);
  // [metrics]

  // [end]
  const bool drained =
      queue.shut_down_and_drain({.deadline = windlass::system_clock().now() + 10s});
  workers.clear();
  std::puts(drained ? "drained" : "gave up waiting");
  // [end]
  return drained ? 0 : 1;
}
