// A program of docs/guides/workqueue.md: coroutines that take keys in one thread.
#include <chrono>
#include <coroutine>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "windlass/base/clock.h"
#include "windlass/base/mutex.h"
#include "windlass/workqueue/async_get.h"
#include "windlass/workqueue/work_queue.h"

namespace {

using namespace std::chrono_literals;
using windlass::TimePoint;
using windlass::workqueue::AsyncGet;
using windlass::workqueue::WorkQueue;

// [executor]
// An event loop would do the same with its own calls; this one only waits for the next call.
class Loop final : public windlass::workqueue::Executor {
 public:
  void post(std::function<void()> call) override { post_at(TimePoint{}, std::move(call)); }
  void post_at(TimePoint when, std::function<void()> call) override {
    windlass::MutexLock lock(mutex_);
    calls_.emplace(when, std::move(call));
    changed_.notify_one();
  }
  void run_one() {
    windlass::MutexLock lock(mutex_);
    while (calls_.empty() || calls_.begin()->first > clock_.now()) {
      const TimePoint due = calls_.empty() ? TimePoint::max() : calls_.begin()->first;
      const std::size_t known = calls_.size();
      clock_.wait_until(mutex_, changed_, due, {}, [&] {
        mutex_.assert_held();
        return calls_.size() > known;
      });
    }
    const auto call = calls_.extract(calls_.begin());
    lock.unlock();
    call.mapped()();
  }

 private:
  windlass::Clock& clock_ = windlass::system_clock();
  windlass::Mutex mutex_;
  windlass::CondVar changed_;
  std::multimap<TimePoint, std::function<void()>> calls_ GUARDED_BY(mutex_);
};
// [executor]

// A coroutine that nobody waits for.
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

// [worker]
Task work(AsyncGet<std::string>& keys, int& working) {
  ++working;
  while (auto item = co_await keys.next()) {
    const std::string key(item->key());
    std::puts(key.c_str());  // or co_await what the work waits for
  }
  --working;
}
// [worker]

}  // namespace

int main() {
  WorkQueue<std::string> queue(windlass::system_clock());
  queue.add_after("default/cache", 20ms);
  queue.add("default/web");
  const std::jthread ender([&queue] {
    windlass::Clock& clock = windlass::system_clock();
    while (!queue.empty()) clock.sleep_until(clock.now() + 1ms, {});
    queue.shut_down();
  });

  // [run]
  Loop loop;
  AsyncGet<std::string> keys(queue, loop);
  int working = 0;
  for (int i = 0; i < 2; ++i) work(keys, working);  // two keys at a time
  while (working > 0) loop.run_one();
  // [run]
  std::puts("over");
}
