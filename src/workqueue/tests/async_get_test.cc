#include "windlass/workqueue/async_get.h"

#include <gtest/gtest.h>

#include <coroutine>
#include <deque>
#include <exception>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "windlass/base/testing/fake_clock.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;

// A coroutine that runs by itself.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

// Runs what was posted when told to.
class ManualExecutor final : public Executor {
 public:
  explicit ManualExecutor(FakeClock& clock) : clock_(clock) {}

  void post(std::function<void()> call) override {
    MutexLock lock(mutex_);
    calls_.push_back(std::move(call));
  }
  void post_at(TimePoint when, std::function<void()> call) override {
    if (before_timer) before_timer();
    MutexLock lock(mutex_);
    timers_.emplace(when, std::move(call));
  }

  void run() {
    for (;;) {
      std::function<void()> call;
      {
        MutexLock lock(mutex_);
        if (!calls_.empty()) {
          call = std::move(calls_.front());
          calls_.pop_front();
        } else if (!timers_.empty() && timers_.begin()->first <= clock_.now()) {
          call = std::move(timers_.begin()->second);
          timers_.erase(timers_.begin());
        } else {
          return;
        }
      }
      call();
    }
  }
  std::size_t timers() {
    MutexLock lock(mutex_);
    return timers_.size();
  }

  std::function<void()> before_timer;

 private:
  FakeClock& clock_;
  Mutex mutex_;
  std::deque<std::function<void()>> calls_ GUARDED_BY(mutex_);
  std::multimap<TimePoint, std::function<void()>> timers_ GUARDED_BY(mutex_);
};

class AsyncGetTest : public testing::Test {
 protected:
  Detached take_all() {
    while (auto item = co_await keys.next()) got.emplace_back(item->key());
    ++ended;
  }
  Detached take_one() { held.push_back(co_await keys.next()); }

  FakeClock clock;
  ManualExecutor executor{clock};
  WorkQueue<std::string> queue{clock};
  AsyncGet<std::string> keys{queue, executor};
  std::vector<std::string> got;
  std::vector<std::optional<Item<std::string>>> held;
  int ended = 0;
};

TEST_F(AsyncGetTest, GivesKeysAsTheyComeAndNothingAfterShutdown) {
  queue.add("a");
  take_all();
  executor.run();
  queue.add("b");
  queue.add("c");
  executor.run();
  EXPECT_EQ(got, (std::vector<std::string>{"a", "b", "c"}));
  queue.add("d");
  queue.shut_down();
  executor.run();
  EXPECT_EQ(got.back(), "d");
  EXPECT_EQ(ended, 1);
  EXPECT_TRUE(queue.empty());
}

TEST_F(AsyncGetTest, TakesNoMoreThanCoroutinesAskFor) {
  for (const char* key : {"a", "b", "c"}) queue.add(key);
  take_one();
  take_one();
  executor.run();
  EXPECT_EQ(held.size(), 2U);
  EXPECT_EQ(queue.len(), 1U);
  EXPECT_EQ(queue.running_len(), 2U);
}

TEST_F(AsyncGetTest, WaitsForDelaysThroughOneTimerOfTheExecutor) {
  take_all();
  queue.add_after("late", 10s);
  queue.add_after("later", 20s);
  queue.add_after("early", 5s);
  executor.run();
  EXPECT_LE(executor.timers(), 2U);
  clock.advance(5s);
  executor.run();
  EXPECT_EQ(got, (std::vector<std::string>{"early"}));
  clock.advance(15s);
  executor.run();
  EXPECT_EQ(got, (std::vector<std::string>{"early", "late", "later"}));
  queue.shut_down();  // a coroutine that still waited would never be freed
  executor.run();
  EXPECT_EQ(ended, 1);
}

// It has looked, found nothing, and is about to sleep.
TEST_F(AsyncGetTest, SeesAKeyThatIsAddedWhileItTurnsToItsTimer) {
  take_all();
  executor.before_timer = [this] { queue.add("now"); };
  queue.add_after("later", 10s);
  executor.run();
  EXPECT_EQ(got, (std::vector<std::string>{"now"}));
  queue.shut_down();
  executor.run();
  EXPECT_EQ(ended, 1);
}

TEST_F(AsyncGetTest, SharesTheQueueWithThreads) {
  {
    std::jthread producer([&] {
      for (int i = 0; i < 2000; ++i) queue.add(std::to_string(i));
      queue.shut_down();
    });
    take_all();
    take_all();
    while (ended < 2) {
      executor.run();
      std::this_thread::yield();
    }
  }
  EXPECT_EQ(got.size(), 2000U);
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace windlass::workqueue
