// Batches, priorities, snapshots, counts and calls out.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;
using Queue = WorkQueue<std::string>;
using Keys = std::vector<std::string>;

std::string next(Queue& queue) {
  auto item = queue.try_get();
  return item ? std::string(item->key()) : "";
}

Keys all(Queue& queue) {
  Keys keys;
  for (std::string key = next(queue); !key.empty(); key = next(queue)) keys.push_back(key);
  return keys;
}

TEST(QueueBatch, AddsAndTakesManyAtOnce) {
  FakeClock clock;
  Queue queue(clock, {.keys_max = 100});
  Keys keys;
  for (int i = 0; i < 150; ++i) keys.push_back(std::to_string(i));
  EXPECT_EQ(queue.add_batch(keys), 100U);
  EXPECT_EQ(queue.add_batch(std::span(keys).first(3)), 3U);  // merged, and so taken in
  auto items = queue.get_batch(60);
  ASSERT_EQ(items.size(), 60U);
  EXPECT_EQ(items[59].key(), "59");
  EXPECT_EQ(queue.running_len(), 60U);
  items.clear();
  EXPECT_EQ(queue.get_batch(1000).size(), 40U);
  EXPECT_EQ(queue.get_batch(5, clock.now()).size(), 0U);
  queue.shut_down();
  EXPECT_TRUE(queue.get_batch(5).empty());
}

TEST(QueueBatch, WakesAsManyWaitersAsThereAreKeys) {
  FakeClock clock;
  Queue queue(clock);
  std::vector<std::jthread> waiters;
  for (int i = 0; i < 3; ++i) waiters.emplace_back([&] { EXPECT_TRUE(queue.get()); });
  clock.await_sleepers(3);
  queue.add_batch(Keys{"a", "b", "c"});
}

// The first was woken for a key it has taken: that wake-up must not count for the next key.
TEST(QueueWaiters, EachKeyWakesOneMore) {
  FakeClock clock;
  Queue queue(clock);
  std::latch all_taken(3);
  std::vector<std::jthread> waiters;
  for (int i = 0; i < 3; ++i) {
    waiters.emplace_back([&] {
      const auto item = queue.get();
      EXPECT_TRUE(item);
      all_taken.arrive_and_wait();
    });
  }
  clock.await_sleepers(3);
  for (std::size_t taken = 1; taken <= 3; ++taken) {
    queue.add(std::to_string(taken));
    while (queue.stats().queue_duration.count() < taken) std::this_thread::yield();
  }
}

TEST(QueuePriority, HigherComesFirstAndFifoWithinALevel) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("low1", {.priority = -1});
  queue.add("a");
  queue.add("high1", {.priority = 10});
  queue.add("b");
  queue.add("high2", {.priority = 10});
  queue.add("low2", {.priority = -1});
  EXPECT_EQ(all(queue), (Keys{"high1", "high2", "a", "b", "low1", "low2"}));
}

TEST(QueuePriority, ARaisedKeyGoesToTheEndOfItsNewLevelAndNothingLowersIt) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("a", {.priority = 5});
  queue.add("b");
  queue.add("b", {.priority = 5});
  queue.add("c", {.priority = 5});
  queue.add("b", {.priority = 1});
  queue.add("b");
  EXPECT_EQ(queue.len(), 3U);
  EXPECT_EQ(all(queue), (Keys{"a", "b", "c"}));
}

TEST(QueuePriority, IsKeptThroughARetryUnlessTheRetrySaysOtherwise) {
  FakeClock clock;
  Queue queue(clock);
  for (const auto& [given, kept] :
       {std::pair{std::optional<int>{}, -100}, {{7}, 7}, {{-200}, -200}}) {
    queue.add("a", {.priority = -100});
    auto item = queue.try_get();
    EXPECT_EQ(item->priority(), -100);
    queue.add_rate_limited("a", {.priority = given});
    item.reset();
    clock.advance(1h);
    item = queue.try_get();
    ASSERT_TRUE(item);
    EXPECT_EQ(item->priority(), kept);
    queue.forget("a");
  }
}

TEST(QueuePriority, LowKeysProgressUnderConstantHighLoad) {
  FakeClock clock;
  Queue queue(clock, {.age_after = 10s});
  for (int i = 0; i < 10; ++i) queue.add("low" + std::to_string(i));
  int low = 0;
  for (int i = 0; i < 100; ++i) {
    queue.add("high" + std::to_string(i), {.priority = 1});
    clock.advance(1s);
    low += next(queue).starts_with("low");
  }
  EXPECT_EQ(low, 10);
}

TEST(QueuePriority, AgeingLeavesEverySecondTurnToTheHighest) {
  FakeClock clock;
  Queue queue(clock, {.age_after = 10s});
  for (int i = 0; i < 1000; ++i) queue.add("low" + std::to_string(i), {.priority = -100});
  clock.advance(1h);
  queue.add("high", {.priority = 1});
  const std::string first = next(queue);
  EXPECT_TRUE(first == "high" || next(queue) == "high");
}

TEST(QueuePriority, AKeyIsAgedAtItsAgeAndNotBefore) {
  for (const auto& [waited, first] : {std::pair{10s - 1ns, "high"}, {Duration(10s), "low"}}) {
    FakeClock clock;
    Queue queue(clock, {.age_after = 10s});
    queue.add("low", {.priority = -1});
    clock.advance(waited);
    queue.add("high");
    EXPECT_EQ(next(queue), first);
  }
}

TEST(QueuePriority, WithoutAgeingTheHighestAlwaysComesFirst) {
  FakeClock clock;
  Queue queue(clock, {.age_after = 0s});
  queue.add("low", {.priority = -1});
  clock.advance(24h);
  for (int i = 0; i < 10; ++i) {
    queue.add("high");
    EXPECT_EQ(next(queue), "high");
  }
}

TEST(QueueSnapshot, ListsRunningThenReadyThenDelayed) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("running");
  auto item = queue.try_get();
  clock.advance(1s);
  queue.add("running");
  clock.advance(1s);
  queue.add("ready", {.priority = 3});
  queue.add_after("ready", 5s);
  queue.add_after("delayed", 9s);
  const auto keys = queue.snapshot(10);
  ASSERT_EQ(keys.size(), 3U);
  EXPECT_EQ(keys[0].key, "running");
  EXPECT_TRUE(keys[0].running && keys[0].rerun && !keys[0].ready && !keys[0].due);
  EXPECT_EQ(keys[0].started, clock.now() - 2s);  // so a worker that is stuck can be found
  EXPECT_EQ(keys[0].added, clock.now() - 1s);
  EXPECT_EQ(keys[1].key, "ready");
  EXPECT_TRUE(keys[1].ready);
  EXPECT_EQ(keys[1].priority, 3);
  EXPECT_EQ(keys[1].due, clock.now() + 5s);
  EXPECT_EQ(keys[2].key, "delayed");
  EXPECT_EQ(keys[2].due, clock.now() + 9s);
  EXPECT_EQ(queue.snapshot(2).size(), 2U);
  EXPECT_EQ(queue.snapshot(0).size(), 0U);
}

struct Recorder final : QueueObserver {
  void on_add(std::size_t keys) noexcept override { adds += keys; }
  void on_retry() noexcept override { ++retries; }
  void on_get(Duration waited) noexcept override { waits += waited; }
  void on_done(Duration worked) noexcept override { works += worked; }

  std::atomic<std::size_t> adds = 0, retries = 0;
  Duration waits{}, works{};
};

TEST(QueueObserver, IsToldOfEachEvent) {
  FakeClock clock;
  auto recorder = std::make_shared<Recorder>();
  Queue queue(clock, {.observer = recorder});
  queue.add("a");
  queue.add("a");
  queue.add_after("b", 1s);
  clock.advance(3s);
  auto item = queue.try_get();
  EXPECT_EQ(recorder->adds, 2U);
  EXPECT_EQ(recorder->retries, 1U);
  EXPECT_EQ(recorder->waits, 3s);
  clock.advance(2s);
  item->done();
  EXPECT_EQ(recorder->works, 2s);
}

TEST(QueueObserver, IsToldHoweverAKeyIsTakenAndNothingOfWhatIsRefused) {
  FakeClock clock;
  auto recorder = std::make_shared<Recorder>();
  Queue queue(clock, {.keys_max = 3, .observer = recorder});
  queue.add_batch(Keys{"a", "b", "c"});
  EXPECT_EQ(recorder->adds, 3U);
  clock.advance(1s);
  auto first = queue.get();
  EXPECT_EQ(recorder->waits, 1s);
  auto others = queue.get_batch(2);
  EXPECT_EQ(recorder->waits, 3s);
  EXPECT_FALSE(queue.add_after("d", 1s));
  EXPECT_EQ(recorder->retries, 0U);
}

TEST(QueueBatch, AStoppedOneTakesNothing) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("a");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(queue.get_batch(5, TimePoint::max(), stop.get_token()).empty());
  EXPECT_EQ(queue.len(), 1U);
}

TEST(QueueDrain, EndsWhenTheLastKeyIsRemoved) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("a");
  std::jthread drain([&] { EXPECT_TRUE(queue.shut_down_and_drain()); });
  clock.await_sleepers(1);
  EXPECT_TRUE(queue.remove("a"));
}

struct CountsMany final : RateLimiter<std::string> {
  Duration next_delay(std::string_view) override { return 0s; }
  bool forget(std::string_view) override { return true; }
  int num_requeues(std::string_view) const override { return 70'000; }
};

TEST(QueueRetry, AttemptsSaturate) {
  FakeClock clock;
  Queue queue(clock, {.limiter = std::make_unique<CountsMany>()});
  queue.add_rate_limited("a");
  EXPECT_EQ(queue.try_get()->attempt(), 1 + 0xFFFF);
}

TEST(QueueRetry, ARefusedOneGivesItsTokenBack) {
  FakeClock clock;
  Queue queue(clock, {.limiter = std::make_unique<TokenBucket<std::string>>(
                          clock, TokenBucketOptions{.per_second = 1, .burst = 1}),
                      .keys_max = 1});
  queue.add_rate_limited("a");
  EXPECT_FALSE(queue.add_rate_limited("b"));
  queue.add_rate_limited("a");
  EXPECT_EQ(queue.next_due(), clock.now() + 1s);
}

TEST(QueueRetry, ARefusedOneIsNotCounted) {
  FakeClock clock;
  Queue queue(clock, {.keys_max = 1});
  queue.add("a");
  EXPECT_FALSE(queue.add_rate_limited("beyond the bound"));
  EXPECT_EQ(queue.num_requeues("beyond the bound"), 0);
  auto item = queue.try_get();
  queue.add_rate_limited("a");
  item.reset();
  clock.advance(1h);
  item = queue.try_get();
  queue.remove("a");
  EXPECT_FALSE(queue.add_rate_limited("a"));
  EXPECT_EQ(queue.num_requeues("a"), 0);
  queue.shut_down();
  EXPECT_FALSE(queue.add_rate_limited("a"));
  EXPECT_EQ(queue.num_requeues("a"), 0);
}

// Otherwise a queue would be left behind in the middle of a step.
TEST(QueueWakeDeathTest, AnExceptionEndsTheProgram) {
  FakeClock clock;
  Queue queue(clock);
  queue.set_on_wake([] { throw std::runtime_error("out of it"); });
  EXPECT_DEATH(queue.add("a"), "out of it");
  queue.set_on_wake(nullptr);
}

TEST(QueueWake, IsCalledOncePerTimeThatNothingWasFound) {
  FakeClock clock;
  Queue queue(clock);
  int wakes = 0;
  queue.set_on_wake([&] { ++wakes; });
  queue.add("a");
  EXPECT_EQ(wakes, 1);
  queue.add("b");
  EXPECT_EQ(wakes, 1);  // nobody has looked yet
  EXPECT_EQ(all(queue), (Keys{"a", "b"}));
  queue.add("c");
  queue.add("d");
  EXPECT_EQ(wakes, 2);
  EXPECT_EQ(all(queue), (Keys{"c", "d"}));
  queue.add_after("e", 5s);
  EXPECT_EQ(wakes, 3);
  EXPECT_EQ(all(queue), Keys{});
  queue.add_after("f", 6s);
  EXPECT_EQ(wakes, 3);
  queue.add_after("g", 1s);
  EXPECT_EQ(wakes, 4);
  EXPECT_EQ(all(queue), Keys{});
  queue.set_on_wake(nullptr);
  queue.shut_down();
  EXPECT_EQ(wakes, 4);
}

TEST(QueueWake, IsOwedAfterEachKindOfLookThatFoundNothing) {
  using Look = bool (*)(Queue&);
  const Look looks[] = {
      [](Queue& queue) { return queue.try_get().has_value(); },
      [](Queue& queue) { return queue.get_until(TimePoint::min()).has_value(); },
      [](Queue& queue) { return !queue.get_batch(8, TimePoint::min()).empty(); },
  };
  for (const Look look : looks) {
    FakeClock clock;
    Queue queue(clock);
    int wakes = 0;
    queue.set_on_wake([&] { ++wakes; });
    for (int i = 1; i <= 3; ++i) {
      EXPECT_FALSE(look(queue));
      queue.add("a");
      EXPECT_EQ(wakes, i);
      EXPECT_TRUE(look(queue));
    }
    queue.set_on_wake(nullptr);
  }
}

TEST(QueueWake, IsCalledAtOnceForWhatIsThereAlready) {
  struct Case {
    const char* what;
    void (*prepare)(Queue&);
    int wakes;
  };
  const Case cases[] = {
      {"nothing", [](Queue&) {}, 0},
      {"a key", [](Queue& queue) { queue.add("a"); }, 1},
      {"a delay, whose end the consumer has to learn",
       [](Queue& queue) { queue.add_after("a", 5s); }, 1},
      {"the end", [](Queue& queue) { queue.shut_down(); }, 1},
  };
  for (const Case& c : cases) {
    FakeClock clock;
    Queue queue(clock);
    c.prepare(queue);
    int wakes = 0;
    queue.set_on_wake([&] { ++wakes; });
    EXPECT_EQ(wakes, c.wakes) << c.what;
    queue.set_on_wake(nullptr);
  }
}

TEST(QueueWake, TellsThatTheQueueIsOverNotThatItShutsDown) {
  FakeClock clock;
  Queue queue(clock);
  int wakes = 0;
  queue.add("a");
  auto item = queue.try_get();
  queue.add("a");
  queue.set_on_wake([&] { ++wakes; });
  EXPECT_FALSE(queue.try_get().has_value());
  queue.shut_down();
  EXPECT_EQ(wakes, 0);
  EXPECT_FALSE(queue.over());
  item->done();
  EXPECT_EQ(wakes, 1);  // it is ready again
  item = queue.try_get();
  EXPECT_TRUE(queue.over());
  EXPECT_FALSE(queue.try_get().has_value());
  EXPECT_EQ(wakes, 1);
  item->put_back();
  EXPECT_EQ(wakes, 2);
  queue.set_on_wake(nullptr);
}

// Goal: a consumer that looks only when it is told ends. Method: the key to run again is removed,
// so nothing becomes ready any more.
TEST(QueueWake, TellsOfTheEndThatARemoveBringsAbout) {
  FakeClock clock;
  Queue queue(clock);
  int wakes = 0;
  queue.add("a");
  const auto item = queue.try_get();
  queue.add("a");
  queue.set_on_wake([&] { ++wakes; });
  queue.shut_down();
  EXPECT_EQ(wakes, 0);
  queue.remove("a");
  EXPECT_EQ(wakes, 1);
  EXPECT_TRUE(queue.over());
  queue.set_on_wake(nullptr);
}

// An observer that is being called, and a function that was replaced before, are no reason to wait.
TEST(QueueWake, WaitsForNoOtherCall) {
  struct Replacing final : QueueObserver {
    Queue* queue = nullptr;
    void on_add(std::size_t) noexcept override { queue->set_on_wake(nullptr); }
  };
  FakeClock clock;
  const auto observer = std::make_shared<Replacing>();
  Queue queue(clock, {.observer = observer});
  observer->queue = &queue;
  int wakes = 0;
  queue.set_on_wake([&] { ++wakes; });
  queue.add("a");
  EXPECT_EQ(wakes, 0);  // replaced before its turn
}

TEST(QueueWake, IsNotRunningAnyMoreOnceItIsReplaced) {
  FakeClock clock;
  Queue queue(clock);
  std::latch called(1);
  std::latch leave(1);
  queue.set_on_wake([&] {
    called.count_down();
    leave.wait();
  });
  EXPECT_EQ(next(queue), "");
  std::jthread adder([&] { queue.add("a"); });
  called.wait();
  std::atomic<bool> replaced = false;
  std::jthread setter([&] {
    queue.set_on_wake(nullptr);
    replaced = true;
  });
  clock.await_sleepers(1);
  EXPECT_FALSE(replaced);
  leave.count_down();
  setter.join();
  EXPECT_TRUE(replaced);
}

TEST(QueueWake, MayCallTheQueue) {
  FakeClock clock;
  Queue queue(clock);
  std::string got;
  queue.set_on_wake([&] { got = next(queue); });
  queue.add("a");
  EXPECT_EQ(got, "a");
}

}  // namespace
}  // namespace windlass::workqueue
