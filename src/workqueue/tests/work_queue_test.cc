#include "windlass/workqueue/work_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "windlass/base/testing/fake_clock.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;
using Queue = WorkQueue<std::string>;

std::unique_ptr<RateLimiter<std::string>> backoff() {
  return std::make_unique<ExponentialBackoff<std::string>>(
      ExponentialBackoffOptions{.base = 1ms, .max = 1s});
}

class WorkQueueTest : public testing::Test {
 protected:
  // The next key, its run ended; "" when none is ready.
  std::string next() {
    auto item = queue.try_get();
    return item ? std::string(item->key()) : "";
  }
  std::vector<std::string> all() {
    std::vector<std::string> keys;
    for (std::string key = next(); !key.empty(); key = next()) keys.push_back(key);
    return keys;
  }
  using Keys = std::vector<std::string>;

  FakeClock clock;
  Queue queue{clock, {.limiter = backoff(), .name = "test"}};
};

TEST_F(WorkQueueTest, DeliversInTheOrderOfArrivalAndEachKeyOnce) {
  for (const char* key : {"a", "b", "a", "c", "b"}) EXPECT_TRUE(queue.add(key));
  EXPECT_EQ(queue.len(), 3U);
  EXPECT_EQ(all(), (Keys{"a", "b", "c"}));
  EXPECT_TRUE(queue.empty());
}

TEST_F(WorkQueueTest, AKeyAddedWhileItRunsRunsOnceMore) {
  queue.add("a");
  auto item = queue.try_get();
  ASSERT_TRUE(item);
  queue.add("a");
  queue.add("a");
  EXPECT_EQ(queue.len(), 0U);
  EXPECT_FALSE(queue.try_get());
  item->done();
  EXPECT_EQ(all(), (Keys{"a"}));
}

TEST_F(WorkQueueTest, DoneIsIdempotent) {
  queue.add("a");
  auto item = queue.try_get();
  item->done();
  queue.add("a");
  auto second = queue.try_get();
  ASSERT_TRUE(second);
  item->done();
  EXPECT_TRUE(item->is_done());
  EXPECT_EQ(queue.running_len(), 1U);
}

TEST_F(WorkQueueTest, AnItemLivesOnInWhateverItIsMovedTo) {
  queue.add("a");
  std::vector<Item<std::string>> kept;
  kept.push_back(std::move(*queue.try_get()));
  EXPECT_EQ(kept[0].key(), "a");
  EXPECT_EQ(queue.running_len(), 1U);
  std::jthread([moved = std::move(kept[0])]() mutable { moved.done(); }).join();
  EXPECT_EQ(queue.running_len(), 0U);
}

TEST_F(WorkQueueTest, MovingAnItemOntoAnotherEndsTheOther) {
  queue.add("a");
  queue.add("b");
  auto a = queue.try_get();
  auto b = queue.try_get();
  *a = std::move(*b);
  EXPECT_EQ(queue.running_len(), 1U);
  EXPECT_EQ(a->key(), "b");
}

TEST_F(WorkQueueTest, AnItemMayOutliveItsQueue) {
  std::optional<Item<std::string>> first;
  std::optional<Item<std::string>> second;
  {
    Queue shorter(clock);
    shorter.add("a");
    shorter.add("b");
    shorter.add_after("c", 1h);
    first = shorter.try_get();
    second = shorter.try_get();
    shorter.add("a");
  }
  EXPECT_EQ(first->key(), "a");
  first.reset();
  EXPECT_EQ(second->key(), "b");
  second->done();
}

TEST_F(WorkQueueTest, ADelayedKeyIsReadyNotBeforeItsTime) {
  queue.add_after("a", 50ms);
  EXPECT_EQ(queue.len(), 0U);
  EXPECT_EQ(queue.delayed_len(), 1U);
  EXPECT_FALSE(queue.empty());
  clock.advance(50ms - 1ns);
  EXPECT_FALSE(queue.try_get());
  clock.advance(1ns);
  EXPECT_EQ(queue.len(), 1U);
  EXPECT_EQ(queue.delayed_len(), 0U);
  EXPECT_EQ(all(), (Keys{"a"}));
  clock.advance(1h);
  EXPECT_FALSE(queue.try_get());
}

TEST_F(WorkQueueTest, NoDelayOrANegativeOneMeansNow) {
  queue.add_after("a", 0s);
  queue.add_after("b", -1s);
  queue.add_after("c", Duration::min());
  EXPECT_EQ(all(), (Keys{"a", "b", "c"}));
}

TEST_F(WorkQueueTest, AnEndlessDelayIsNeverDue) {
  queue.add_after("a", Duration::max());
  clock.advance(24h * 365 * 100);
  EXPECT_EQ(queue.len(), 0U);
  EXPECT_EQ(queue.delayed_len(), 1U);
}

TEST_F(WorkQueueTest, DelayedKeysBecomeReadyInTheOrderOfTheirTimes) {
  queue.add_after("c", 1s);
  queue.add_after("b1", 500ms);
  queue.add_after("a", 250ms);
  queue.add_after("b2", 500ms);
  clock.advance(2s);
  queue.add("d");
  EXPECT_EQ(all(), (Keys{"a", "b1", "b2", "c", "d"}));
}

struct ModeCase {
  DelayMode mode;
  Duration first, second, expected;
};

TEST_F(WorkQueueTest, TheModeSaysWhichOfTwoDelaysStays) {
  const ModeCase cases[] = {
      {DelayMode::kEarliest, 1s, 2s, 1s}, {DelayMode::kEarliest, 2s, 1s, 1s},
      {DelayMode::kLatest, 1s, 2s, 2s},   {DelayMode::kLatest, 2s, 1s, 2s},
      {DelayMode::kReplace, 1s, 2s, 2s},  {DelayMode::kReplace, 2s, 1s, 1s},
  };
  for (const ModeCase& c : cases) {
    queue.add_after("a", c.first);
    queue.add_after("a", c.second, {.mode = c.mode});
    EXPECT_EQ(queue.delayed_len(), 1U);
    clock.advance(c.expected - 1ns);
    EXPECT_EQ(queue.len(), 0U);
    clock.advance(1ns);
    EXPECT_EQ(all(), (Keys{"a"}));
    clock.advance(1h);
    EXPECT_EQ(queue.len(), 0U);
  }
}

TEST_F(WorkQueueTest, AnImmediateAddLeavesTheDelayInPlace) {
  queue.add_after("a", 5h);
  queue.add("a");
  EXPECT_EQ(all(), (Keys{"a"}));
  clock.advance(5h);
  EXPECT_EQ(all(), (Keys{"a"}));
}

TEST_F(WorkQueueTest, CancelDelayedEndsTheDelayAlone) {
  queue.add_after("a", 1h);
  queue.add("a");
  EXPECT_TRUE(queue.cancel_delayed("a"));
  EXPECT_FALSE(queue.cancel_delayed("a"));
  EXPECT_FALSE(queue.cancel_delayed("unknown"));
  EXPECT_EQ(all(), (Keys{"a"}));
  EXPECT_TRUE(queue.empty());
}

TEST_F(WorkQueueTest, ADelayThatEndsDuringARunMakesTheKeyRunAgain) {
  queue.add_after("a", 1s);
  queue.add("a");
  auto item = queue.try_get();
  clock.advance(2s);
  EXPECT_EQ(queue.len(), 0U);
  EXPECT_EQ(queue.delayed_len(), 0U);
  item->done();
  EXPECT_EQ(all(), (Keys{"a"}));
}

TEST_F(WorkQueueTest, AKeyThatRunsAgainQueuesBehindWhatWasDueBefore) {
  queue.add("a");
  auto item = queue.try_get();
  queue.add("a");
  queue.add_after("b", 1s);
  clock.advance(2s);
  item->done();
  EXPECT_EQ(all(), (Keys{"b", "a"}));
}

TEST_F(WorkQueueTest, ARateLimitedAddWaitsAsTheLimiterSays) {
  for (int failures = 0; failures < 3; ++failures) {
    queue.add_rate_limited("a");
    EXPECT_EQ(queue.num_requeues("a"), failures + 1);
    clock.advance(1ms * (1 << failures));
    auto item = queue.try_get();
    ASSERT_TRUE(item);
    EXPECT_EQ(item->attempt(), failures + 2);
  }
  queue.forget("a");
  EXPECT_EQ(queue.num_requeues("a"), 0);
}

TEST_F(WorkQueueTest, ForgetLeavesTheQueuedKeyAndClearsItsCount) {
  queue.add_rate_limited("a");
  queue.forget("a");
  clock.advance(1ms);
  auto item = queue.try_get();
  ASSERT_TRUE(item);
  EXPECT_EQ(item->attempt(), 1);
}

TEST_F(WorkQueueTest, RemoveDropsWhatWaits) {
  queue.add("a");
  queue.add_after("a", 1h);
  queue.add_after("b", 1h);
  EXPECT_TRUE(queue.remove("a"));
  EXPECT_TRUE(queue.remove("b"));
  EXPECT_FALSE(queue.remove("a"));
  EXPECT_TRUE(queue.empty());
}

TEST_F(WorkQueueTest, ARemovedRunningKeyIsNotRequeuedUnlessAddedAnew) {
  queue.add("a");
  auto item = queue.try_get();
  queue.add("a");
  queue.remove("a");
  EXPECT_FALSE(queue.add_rate_limited("a"));
  item.reset();
  EXPECT_TRUE(queue.empty());

  queue.add("a");
  item = queue.try_get();
  queue.remove("a");
  queue.add("a");
  item.reset();
  EXPECT_EQ(all(), (Keys{"a"}));
}

TEST_F(WorkQueueTest, ItemsTellWhenTheKeyWasAddedAndHowLongItWaited) {
  queue.add("a");
  const TimePoint added = clock.now();
  clock.advance(3s);
  queue.add("a");
  auto item = queue.try_get();
  EXPECT_EQ(item->time_added(), added);
  EXPECT_EQ(item->waited(), 3s);
  queue.add("a");
  clock.advance(2s);
  item.reset();
  item = queue.try_get();
  EXPECT_EQ(item->waited(), 2s);
}

TEST_F(WorkQueueTest, AfterShutdownTheReadyIsDeliveredAndTheRestRefused) {
  queue.add("a");
  queue.add_after("late", 1h);
  queue.add_after("due", 1s);
  clock.advance(1s);
  queue.shut_down();
  queue.shut_down();
  EXPECT_TRUE(queue.shutting_down());
  EXPECT_EQ(queue.stats().dropped, 1U);
  EXPECT_FALSE(queue.add("b"));
  EXPECT_FALSE(queue.add_after("b", 1s));
  EXPECT_FALSE(queue.add_rate_limited("b"));
  EXPECT_EQ(queue.num_requeues("b"), 0);
  EXPECT_EQ(queue.get()->key(), "a");
  EXPECT_EQ(queue.get()->key(), "due");
  EXPECT_FALSE(queue.get());
  EXPECT_FALSE(queue.get());
  EXPECT_TRUE(queue.empty());
}

TEST_F(WorkQueueTest, ANewKeyBeyondTheBoundIsRefused) {
  Queue small(clock, {.keys_max = 2});
  EXPECT_TRUE(small.add("a"));
  EXPECT_TRUE(small.add_after("b", 1s));
  EXPECT_FALSE(small.add("c"));
  EXPECT_FALSE(small.add_after("c", 1s));
  EXPECT_TRUE(small.add("a"));
  small.try_get().reset();
  EXPECT_TRUE(small.add("c"));
}

TEST_F(WorkQueueTest, AStoppedGetReturnsNothingAndLeavesTheKeys) {
  queue.add("a");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(queue.get(stop.get_token()));
  EXPECT_EQ(queue.len(), 1U);
}

TEST_F(WorkQueueTest, GetUntilReturnsNothingAtItsDeadline) {
  const TimePoint deadline = clock.now() + 1s;
  std::jthread waiter([&] { EXPECT_FALSE(queue.get_until(deadline)); });
  clock.await_sleepers(1);
  clock.advance(1s);
}

TEST_F(WorkQueueTest, AWaitingGetWakesForAnAddAStopAndAShutdown) {
  std::string got;
  std::jthread([&] {
    std::jthread waiter([&] { got = std::string(queue.get()->key()); });
    clock.await_sleepers(1);
    queue.add("a");
  }).join();
  EXPECT_EQ(got, "a");

  std::jthread stopped([&](const std::stop_token& stop) { EXPECT_FALSE(queue.get(stop)); });
  clock.await_sleepers(1);
  stopped.request_stop();
  stopped.join();

  std::jthread shut([&] { EXPECT_FALSE(queue.get()); });
  clock.await_sleepers(1);
  queue.shut_down();
}

TEST_F(WorkQueueTest, AWaitingGetWakesWhenADelayEndsAndWhenAnEarlierOneArrives) {
  queue.add_after("late", 10s);
  std::vector<std::string> got;
  std::jthread waiter([&] {
    for (int i = 0; i < 2; ++i) got.emplace_back(queue.get()->key());
  });
  clock.await_sleepers(1);
  const TimePoint early = clock.now() + 1s;
  queue.add_after("early", 1s);
  while (clock.next_deadline() != early) std::this_thread::yield();
  clock.advance(1s);
  const TimePoint late = early + 9s;
  while (clock.next_deadline() != late) std::this_thread::yield();
  clock.advance_to(late);
  waiter.join();
  EXPECT_EQ(got, (Keys{"early", "late"}));
}

TEST_F(WorkQueueTest, OneOfManyWaitersWatchesTheDelayAndAnotherTakesOver) {
  queue.add_after("a", 1s);
  queue.add_after("b", 2s);
  std::vector<std::jthread> waiters;
  for (int i = 0; i < 2; ++i) waiters.emplace_back([&] { EXPECT_TRUE(queue.get()); });
  clock.await_sleepers(2);
  const TimePoint second = clock.now() + 2s;
  clock.advance(1s);
  while (clock.next_deadline() != second) std::this_thread::yield();
  clock.advance_to(second);
  waiters.clear();
  EXPECT_TRUE(queue.empty());
}

TEST_F(WorkQueueTest, DestructionReleasesThreadsThatWait) {
  auto other = std::make_unique<Queue>(clock);
  other->add_after("a", 24h);
  std::jthread waiter([&queue = *other] { EXPECT_FALSE(queue.get()); });
  clock.await_sleepers(1);
  other.reset();
}

TEST_F(WorkQueueTest, DestructionReleasesThreadsThatWaitForAKeyToRunAgain) {
  auto other = std::make_unique<Queue>(clock);
  other->add("a");
  const auto item = other->try_get();
  other->add("a");
  other->shut_down();
  std::jthread waiter([&queue = *other] { EXPECT_FALSE(queue.get()); });
  clock.await_sleepers(1);
  other.reset();
}

// Otherwise the last worker to come could leave a key behind that was added before the shutdown.
TEST_F(WorkQueueTest, AfterShutdownAWaiterStaysForAKeyThatIsToRunAgain) {
  queue.add("a");
  auto item = queue.try_get();
  queue.add("a");
  std::atomic<int> taken = 0;
  std::vector<std::jthread> waiters;
  for (int i = 0; i < 3; ++i) {
    waiters.emplace_back([&] {
      while (const auto next = queue.get()) ++taken;
    });
  }
  clock.await_sleepers(3);
  queue.shut_down();
  EXPECT_FALSE(queue.over());
  item->done();
  waiters.clear();
  EXPECT_EQ(taken, 1);
  EXPECT_TRUE(queue.over());
}

TEST_F(WorkQueueTest, AfterShutdownARemoveOfTheLastKeyReleasesTheWaiters) {
  queue.add("a");
  const auto item = queue.try_get();
  queue.add("a");
  queue.shut_down();
  std::jthread waiter([&] { EXPECT_FALSE(queue.get()); });
  clock.await_sleepers(1);
  queue.remove("a");
}

TEST_F(WorkQueueTest, DrainWaitsForReadyAndRunningAndReleasesEveryCaller) {
  queue.add("a");
  queue.add("b");
  queue.add_after("c", 1h);
  auto a = queue.try_get();
  queue.add("a");
  std::vector<std::jthread> drains;
  for (int i = 0; i < 2; ++i)
    drains.emplace_back([&] { EXPECT_TRUE(queue.shut_down_and_drain()); });
  clock.await_sleepers(2);
  EXPECT_FALSE(queue.add("d"));
  a.reset();
  EXPECT_EQ(all(), (Keys{"b", "a"}));
  drains.clear();
  EXPECT_EQ(queue.stats().dropped, 1U);
  EXPECT_FALSE(queue.get());
}

TEST_F(WorkQueueTest, DrainEndsAtItsDeadlineAndWhenSomebodyShutsDown) {
  queue.add("a");
  std::jthread late(
      [&] { EXPECT_FALSE(queue.shut_down_and_drain({.deadline = clock.now() + 1s})); });
  clock.await_sleepers(1);
  clock.advance(1s);
  late.join();

  std::jthread ended([&] { EXPECT_FALSE(queue.shut_down_and_drain()); });
  clock.await_sleepers(1);
  queue.shut_down();
}

TEST_F(WorkQueueTest, DrainOfAnIdleQueueReturnsAtOnce) { EXPECT_TRUE(queue.shut_down_and_drain()); }

TEST(WorkQueue, HoldsKeysOfAnyHashableType) {
  FakeClock clock;
  WorkQueue<int> numbers(clock);
  numbers.add(7);
  numbers.add(7);
  EXPECT_EQ(numbers.try_get()->key(), 7);
  EXPECT_TRUE(numbers.empty());

  WorkQueue<NamespacedName> names(clock);
  names.add({"default", "web"});
  names.add({"default", "web"});
  names.add({"", "node"});
  EXPECT_EQ(to_string(names.try_get()->key()), "default/web");
  EXPECT_EQ(to_string(names.try_get()->key()), "node");
}

TEST(WorkQueue, DropsTheKeyItDelivered) {
  FakeClock clock;
  WorkQueue<std::shared_ptr<int>> queue(clock);
  auto key = std::make_shared<int>(1);
  queue.add(key);
  EXPECT_EQ(key.use_count(), 2);
  queue.try_get().reset();
  EXPECT_EQ(key.use_count(), 1);
  queue.add(key);
  auto item = queue.try_get();
  queue.remove(key);
  item.reset();
  EXPECT_EQ(key.use_count(), 1);
}

}  // namespace
}  // namespace windlass::workqueue
