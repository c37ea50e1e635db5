#include "windlass/workqueue/async_get.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <coroutine>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <stop_token>
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

// A coroutine that its owner may destroy while it waits.
class [[nodiscard]] Owned {
 public:
  struct promise_type {
    Owned get_return_object() {
      return Owned(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&&) = delete;
  ~Owned() {
    if (handle_) handle_.destroy();
  }

 private:
  explicit Owned(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
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
  Detached take_one(std::stop_token stop = {}) { held.push_back(co_await keys.next(stop)); }
  Owned take_one_owned() { held.push_back(co_await keys.next()); }

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

TEST_F(AsyncGetTest, EarlyDelaysLeaveNoTimersBehindForALateOne) {
  take_all();
  queue.add_after("late", 1h);
  for (int i = 0; i < 20; ++i) {
    queue.add_after("early", 1s);
    executor.run();
    EXPECT_LE(executor.timers(), 2U);
    clock.advance(1s);
    executor.run();
  }
  EXPECT_EQ(executor.timers(), 1U);
  EXPECT_EQ(got.size(), 20U);
  queue.shut_down();
  executor.run();
  EXPECT_EQ(ended, 1);
}

TEST_F(AsyncGetTest, MayGoBeforeTheCallsThatTheExecutorHolds) {
  std::optional<AsyncGet<std::string>> other(std::in_place, queue, executor);
  const auto take = [this](AsyncGet<std::string>& from) -> Owned {
    held.push_back(co_await from.next());
  };
  {
    const Owned first = take(*other);
    queue.add_after("late", 1h);
    queue.add("now");
  }
  EXPECT_EQ(executor.timers(), 1U);
  other.reset();
  executor.run();
  clock.advance(1h);
  executor.run();
  EXPECT_TRUE(held.empty());
  EXPECT_EQ(queue.len(), 2U);
}

TEST_F(AsyncGetTest, ACoroutineMayEndIt) {
  std::optional<AsyncGet<std::string>> other(std::in_place, queue, executor);
  const auto take = [&]() -> Detached {
    held.push_back(co_await other->next());
    other.reset();
  };
  take();
  queue.add("a");
  executor.run();
  EXPECT_FALSE(other);
  ASSERT_EQ(held.size(), 1U);
}

TEST_F(AsyncGetTest, AfterShutdownACoroutineStaysForAKeyThatIsToRunAgain) {
  queue.add("a");
  auto item = queue.try_get();
  queue.add("a");
  take_all();
  queue.shut_down();
  executor.run();
  EXPECT_EQ(ended, 0);
  item->done();
  executor.run();
  EXPECT_EQ(got, (std::vector<std::string>{"a"}));
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

TEST_F(AsyncGetTest, ACoroutineDestroyedWhileItWaitsIsNotGivenAKey) {
  std::optional<Owned> first(take_one_owned());
  take_one();
  first.reset();
  queue.add("a");
  executor.run();
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0]->key(), "a");
  {
    const Owned last = take_one_owned();
  }
  queue.add("b");
  executor.run();
  EXPECT_EQ(queue.len(), 1U);
}

TEST_F(AsyncGetTest, AKeyOnItsWayToADestroyedCoroutineGoesToTheNext) {
  std::optional<Owned> first(take_one_owned());
  queue.add("a", {.priority = 3});
  EXPECT_EQ(queue.running_len(), 1U);
  first.reset();
  EXPECT_EQ(queue.len(), 1U);
  executor.run();  // what was posted for it finds it gone
  EXPECT_TRUE(held.empty());
  take_one();
  executor.run();
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0]->key(), "a");
  EXPECT_EQ(held[0]->priority(), 3);
}

TEST_F(AsyncGetTest, AKeyOnItsWayIsNotLostWhenTheQueueShutsDownMeanwhile) {
  std::optional<Owned> first(take_one_owned());
  queue.add("a");
  queue.shut_down();
  first.reset();
  take_all();
  executor.run();
  EXPECT_EQ(got, (std::vector<std::string>{"a"}));
  EXPECT_EQ(ended, 1);
  EXPECT_TRUE(queue.empty());
}

TEST_F(AsyncGetTest, AStopEndsTheWaitWithNothingAndLeavesTheKeys) {
  std::stop_source stop;
  take_one(stop.get_token());
  take_one();
  EXPECT_TRUE(stop.request_stop());
  EXPECT_TRUE(held.empty());  // not in the thread that asks for the stop
  executor.run();
  ASSERT_EQ(held.size(), 1U);
  EXPECT_FALSE(held[0]);
  take_one(stop.get_token());  // stopped before it waits
  queue.add("a");
  executor.run();
  ASSERT_EQ(held.size(), 3U);
  EXPECT_EQ(std::ranges::count_if(held, [](const auto& item) { return item.has_value(); }), 1);
  EXPECT_EQ(queue.len(), 0U);
}

TEST_F(AsyncGetTest, AStopThatComesAfterAKeyWasGivenDoesNotLoseIt) {
  std::stop_source stop;
  take_one(stop.get_token());
  queue.add("a");
  stop.request_stop();
  executor.run();
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0]->key(), "a");
}

// Goal: whatever comes first, no key is lost and no coroutine forgotten. Method: stops come from a
// thread of their own while another adds keys.
TEST_F(AsyncGetTest, StopsFromOtherThreadsLoseNoKey) {
  constexpr std::size_t kKeys = 500;
  std::size_t started = 0;
  std::array<std::stop_source, kKeys> stops;
  for (auto& stop : stops) {
    take_one(stop.get_token());
    ++started;
  }
  {
    const std::jthread producer([&] {
      for (std::size_t i = 0; i < kKeys; ++i) queue.add(std::to_string(i));
    });
    const std::jthread stopper([&] {
      for (auto& stop : stops) stop.request_stop();
    });
    while (held.size() < started) {
      executor.run();
      std::this_thread::yield();
    }
  }
  const auto taken = std::ranges::count_if(held, [](const auto& item) { return item.has_value(); });
  EXPECT_EQ(queue.len() + static_cast<std::size_t>(taken), kKeys);
}

// Otherwise no coroutine would be given a key again, and nobody would be told.
TEST(AsyncGetDeathTest, AnExecutorThatThrowsEndsTheProgram) {
  struct Full final : Executor {
    void post(std::function<void()>) override { throw std::runtime_error("no room for calls"); }
    void post_at(TimePoint, std::function<void()>) override {}
  };
  FakeClock clock;
  WorkQueue<std::string> queue(clock);
  Full executor;
  AsyncGet<std::string> keys(queue, executor);
  queue.add("a");
  const auto take = [](AsyncGet<std::string>& from) -> Detached {
    try {
      static_cast<void>(co_await from.next());
    } catch (const std::runtime_error&) {
      co_return;
    }
  };
  EXPECT_DEATH(take(keys), "no room for calls");
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
