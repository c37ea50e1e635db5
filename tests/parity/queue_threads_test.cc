// Rules of client-go's and controller-runtime's queues that take threads to show.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/base/mutex.h"
#include "windlass/base/random.h"
#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::parity {
namespace {

using namespace std::chrono_literals;
using Queue = workqueue::WorkQueue<std::string>;

std::vector<std::jthread> start(int count, const std::function<void(int)>& body) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([body, i] { body(i); });
  return threads;
}

// 50 producers add 50 keys each, 10 consumers take them; both ways of shutting down.
TEST(ClientGoQueue, ManyProducersAndConsumersLeaveItEmpty) {
  for (const bool drains : {false, true}) {
    Queue queue(system_clock());
    std::atomic<int> taken = 0;
    std::atomic<bool> late_key = false;
    auto consumers = start(10, [&](int) {
      while (auto item = queue.get()) {
        late_key = late_key || item->key() == "added after shutdown";
        ++taken;
      }
    });
    start(50, [&](int p) {
      for (int i = 0; i < 50; ++i) queue.add(std::to_string(p) + '/' + std::to_string(i));
    }).clear();
    if (drains) {
      EXPECT_TRUE(queue.shut_down_and_drain());
    } else {
      queue.shut_down();
    }
    EXPECT_FALSE(queue.add("added after shutdown"));
    consumers.clear();
    EXPECT_FALSE(late_key);
    EXPECT_EQ(taken, 2500);
    EXPECT_TRUE(queue.empty());
  }
}

// Each worker re-adds each key once while it runs.
TEST(ClientGoQueue, KeysAddedWhileTheyRunAreAllRunAgain) {
  Queue queue(system_clock());
  std::array<std::atomic<int>, 50> runs{};
  std::atomic<int> total = 0;
  auto consumers = start(10, [&](int) {
    while (auto item = queue.get()) {
      const auto key = std::string(item->key());
      if (runs[std::stoul(key)]++ == 0) queue.add(key);
      ++total;
    }
  });
  start(50, [&](int p) { queue.add(std::to_string(p)); }).clear();
  while (total < 100) std::this_thread::yield();  // a re-add after shutdown would be refused
  EXPECT_TRUE(queue.shut_down_and_drain());
  consumers.clear();
  for (const auto& count : runs) EXPECT_EQ(count, 2);
}

TEST(ClientGoQueue, AWorkerBlockedOnARunningKeyGetsItWhenDone) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("a");
  auto first = queue.get();
  std::jthread second([&] { EXPECT_EQ(queue.get()->key(), "a"); });
  clock.await_sleepers(1);
  queue.add("a");
  first->done();
}

TEST(ClientGoQueue, DrainReturnsOnceWhatRunsIsDone) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("a");
  queue.add("b");
  auto a = queue.get();
  auto b = queue.get();
  std::atomic<bool> drained = false;
  std::jthread drain([&] { drained = queue.shut_down_and_drain(); });
  clock.await_sleepers(1);
  a->done();
  EXPECT_FALSE(drained);
  b->done();
  drain.join();
  EXPECT_TRUE(drained);
}

TEST(ClientGoQueue, ShutDownReturnsWithoutWaitingForWhatRuns) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("a");
  auto a = queue.get();
  queue.shut_down();
  EXPECT_EQ(queue.running_len(), 1U);
}

TEST(ClientGoQueue, ShutDownEndsADrain) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("a");
  auto a = queue.get();
  std::jthread drain([&] { EXPECT_FALSE(queue.shut_down_and_drain()); });
  clock.await_sleepers(1);
  queue.shut_down();
}

// client-go's drain looks at running keys only, and wakes one of several callers.
TEST(ClientGoQueue, DrainWaitsForQueuedKeysTooAndReleasesAllCallersOurs) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("a");
  queue.add("b");
  queue.add_after("c", 1h);
  auto a = queue.get();
  queue.add("a");
  auto drains = start(3, [&](int) { EXPECT_TRUE(queue.shut_down_and_drain()); });
  clock.await_sleepers(3);
  EXPECT_FALSE(queue.add("d"));
  a->done();
  EXPECT_EQ(queue.get()->key(), "b");
  EXPECT_EQ(queue.get()->key(), "a");
  drains.clear();
  EXPECT_EQ(queue.stats().dropped, 1U);
}

TEST(ClientGoQueue, AKeyIsReleasedOnceDone) {
  FakeClock clock;
  workqueue::WorkQueue<std::shared_ptr<int>> queue(clock);
  std::weak_ptr<int> weak;
  {
    auto key = std::make_shared<int>(1);
    weak = key;
    queue.add(key);
  }
  EXPECT_FALSE(weak.expired());
  queue.get()->done();
  EXPECT_TRUE(weak.expired());
}

// 10 producers with random priorities and delays, 100 consumers.
TEST(ControllerRuntimePriority, NoKeyIsHandedOutTwiceAtOnceAndDepthIsNeverNegative) {
  Queue queue(system_clock());
  std::array<std::atomic<int>, 100> holders{};
  std::atomic<int> taken = 0;
  auto consumers = start(100, [&](int) {
    while (auto item = queue.get()) {
      const auto key = std::stoul(std::string(item->key()));
      EXPECT_EQ(holders[key].fetch_add(1), 0);
      if (taken++ % 7 == 0) queue.add_rate_limited(item->key());
      holders[key].fetch_sub(1);
    }
  });
  start(10, [&](int p) {
    Random random(static_cast<std::uint64_t>(p));
    for (int i = 0; i < 1000; ++i) {
      const std::string key = std::to_string(random.next() % 100);
      const auto priority = static_cast<int>(random.next() % 8) - 4;
      if (random.next() % 2 == 0) {
        queue.add(key, {.priority = priority});
      } else {
        queue.add_after(key, random.up_to(1ms), {.priority = priority});
      }
      EXPECT_LE(queue.stats().depth(), 200U);
    }
  }).clear();
  queue.shut_down_and_drain();
  consumers.clear();
  EXPECT_EQ(queue.stats().depth(), 0U);
  EXPECT_EQ(queue.running_len(), 0U);
}

// 20 producers add 1,000 keys each with every mixture of priority and delay, for 100 getters.
TEST(ControllerRuntimePriority, KeysOfMixedPrioritiesAndDelaysAllArrive) {
  constexpr int kProducers = 20;
  constexpr int kEach = 1000;
  Queue queue(system_clock());
  std::vector<std::atomic<int>> taken(kProducers * kEach);
  auto getters = start(100, [&](int) {
    while (auto item = queue.get()) ++taken[std::stoul(std::string(item->key()))];
  });
  start(kProducers, [&](int p) {
    for (int i = 0; i < kEach; ++i) {
      const std::string key = std::to_string(p * kEach + i);
      if (i % 3 == 0) {
        queue.add(key, {.priority = i % 5 - 2});
      } else {
        queue.add_after(key, 100us * (i % 7 - 1), {.priority = i % 5 - 2});
      }
    }
  }).clear();
  while (queue.delayed_len() > 0) std::this_thread::yield();
  EXPECT_TRUE(queue.shut_down_and_drain());
  getters.clear();
  for (const auto& count : taken) EXPECT_EQ(count, 1);
}

TEST(ControllerRuntimePriority, ABlockedGetIsReleasedByShutdown) {
  FakeClock clock;
  Queue queue(clock);
  auto waiters = start(5, [&](int) { EXPECT_FALSE(queue.get()); });
  clock.await_sleepers(5);
  queue.shut_down();
}

TEST(ControllerRuntimePriority, ShuttingDownWhileKeysAreHandedOutDoesNotHang) {
  for (int round = 0; round < 50; ++round) {
    Queue queue(system_clock());
    auto consumers = start(20, [&](int) {
      while (auto item = queue.get()) queue.add(item->key());
    });
    for (int i = 0; i < 20; ++i) queue.add(std::to_string(i));
    queue.shut_down();
  }
}

TEST(ControllerRuntimePriority, ABlockedGetReturnsAsSoonAsADelayEnds) {
  FakeClock clock;
  Queue queue(clock);
  std::jthread waiter([&] { EXPECT_EQ(queue.get()->key(), "a"); });
  clock.await_sleepers(1);
  const TimePoint due = clock.now() + 60s;
  queue.add_after("a", 60s, {.priority = 3});
  while (clock.next_deadline() != due) std::this_thread::yield();
  clock.advance(60s);
}

// Counts of one queue reach its own observer and nobody else's.
TEST(PublicReports, MetricsBelongToOneQueue) {
  FakeClock clock;
  Queue one(clock, {.name = "one"});
  Queue other(clock, {.name = "other"});
  one.add("a");
  EXPECT_EQ(one.stats().adds, 1U);
  EXPECT_EQ(other.stats().adds, 0U);
}

TEST(PublicReports, ADelayedKeyIsReleasedOnceDoneOrCancelled) {
  FakeClock clock;
  workqueue::WorkQueue<std::shared_ptr<int>> queue(clock);
  const auto key = std::make_shared<int>(1);
  queue.add_after(key, 1s);
  queue.cancel_delayed(key);
  EXPECT_EQ(key.use_count(), 1);
  queue.add_after(key, 1s);
  clock.advance(1s);
  queue.get()->done();
  EXPECT_EQ(key.use_count(), 1);
  queue.add_rate_limited(key);
  queue.remove(key);
  queue.forget(key);
  EXPECT_EQ(key.use_count(), 1);
}

// Adds alone never keep consumers from their turn.
TEST(PublicReports, ConsumersAreServedWhileProducersAddWithoutPause) {
  Queue queue(system_clock());
  std::atomic<int> taken = 0;
  auto producers = start(4, [&](int p) {
    for (int i = 0; taken < 1000; ++i) queue.add(std::to_string((p + i) % 10));
    queue.shut_down();
  });
  while (auto item = queue.get()) ++taken;
  EXPECT_GE(taken, 1000);
}

std::size_t threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(PublicReports, QueuesStartNoThreadsAndDieAtOnceWithDelaysInThem) {
  const std::size_t before = threads();
  std::vector<std::unique_ptr<Queue>> queues;
  for (int i = 0; i < 1000; ++i) {
    queues.push_back(std::make_unique<Queue>(system_clock()));
    queues.back()->add_after("far away", 24h);
  }
  EXPECT_EQ(threads(), before);
  queues.clear();
  EXPECT_EQ(threads(), before);
}

TEST(PublicReports, AWorkerThatFailsStillEndsItsRun) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("a");
  EXPECT_THROW(
      {
        auto item = queue.get();
        throw std::runtime_error("handler");
      },
      std::runtime_error);
  EXPECT_TRUE(queue.empty());
}

// One timer however many delays there are: the waiter sleeps until the earliest, and until an
// earlier one arrives.
TEST(PublicReports, AWaiterWatchesTheEarliestOfManyDelays) {
  FakeClock clock;
  Queue queue(clock);
  for (int i = 0; i < 10'000; ++i) queue.add_after(std::to_string(i), 24h + 1s * i);
  std::jthread waiter([&] { EXPECT_EQ(queue.get()->key(), "0"); });
  clock.await_sleepers(1);
  EXPECT_EQ(clock.next_deadline(), clock.now() + 24h);
  clock.advance(24h);
  waiter.join();
  EXPECT_EQ(queue.delayed_len(), 9999U);
}

}  // namespace
}  // namespace windlass::parity
