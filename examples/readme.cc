// What README.md shows of the work queue, as a program.
#include <cstdio>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

// [worker]
#include "windlass/workqueue/work_queue.h"

using Queue = windlass::workqueue::WorkQueue<std::string>;

bool reconcile(std::string_view key);  // yours: makes it as it is wanted to be

void work(Queue& queue, const std::stop_token& stop) {
  while (auto item = queue.get(stop)) {  // never handed to two workers at a time
    if (reconcile(item->key())) {
      queue.forget(item->key());
    } else {
      queue.add_rate_limited(item->key());  // back-off per key
    }
  }
}
// [worker]

bool reconcile(std::string_view key) { return std::printf("%s\n", std::string(key).c_str()) > 0; }

int main() {
  // [main]
  Queue queue(windlass::system_clock());
  const std::jthread worker([&](const std::stop_token& stop) { work(queue, stop); });
  queue.add("shop/web");  // once, however often it is added
  // [main]
  queue.shut_down_and_drain();
}
