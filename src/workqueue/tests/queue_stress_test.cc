// Many threads on one queue; what they saw is checked afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/base/random.h"
#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/exponential_backoff.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kKeys = 64;
constexpr int kProducers = 3;
constexpr int kConsumers = 4;
constexpr int kEventDriven = 3;  // the consumer that waits for on_wake
constexpr int kAddsEach = 4000;

// One call, stamped before and after from one counter: if a.after < b.before, a came first.
struct Event {
  enum class Kind { kAdd, kDelay, kTake, kDone } kind;
  std::size_t key;
  std::uint64_t before, after;
  TimePoint due = {};   // kDelay
  TimePoint when = {};  // kTake
};

class Stress {
 public:
  enum class Producers { kAdd, kAddAndDrop };

  Stress(std::uint64_t seed, Producers producers) : seed_(seed), producers_(producers) {}

  void run() {
    queue_.set_on_wake([this] {
      woken_ = true;
      woken_.notify_one();
    });
    {
      std::vector<std::jthread> consumers;
      for (int c = 0; c < kConsumers; ++c) {
        consumers.emplace_back([this, c] { consume(c, histories_[static_cast<std::size_t>(c)]); });
      }
      {
        std::vector<std::jthread> producers;
        for (int p = 0; p < kProducers; ++p) {
          producers.emplace_back([this, p] {
            produce(Random(seed_ + static_cast<std::uint64_t>(p)),
                    histories_[static_cast<std::size_t>(kConsumers + p)]);
          });
        }
      }
      while (queue_.delayed_len() > 0) std::this_thread::yield();
      EXPECT_TRUE(queue_.shut_down_and_drain());
    }
    check();
  }

 private:
  using History = std::vector<Event>;

  void produce(Random random, History& history) {
    for (int i = 0; i < kAddsEach; ++i) {
      const std::size_t key = random.next() % kKeys;
      const std::uint64_t before = stamp_++;
      if (producers_ == Producers::kAddAndDrop && random.next() % 8 == 0) {
        if (random.next() % 2 == 0) {
          queue_.cancel_delayed(names_[key]);
        } else {
          queue_.remove(names_[key]);
        }
      } else if (random.next() % 4 == 0) {
        const Duration delay = 1us + random.up_to(500us);
        const TimePoint due = system_clock().now() + delay;
        queue_.add_after(names_[key], delay, {.mode = DelayMode::kReplace});
        history.push_back({Event::Kind::kDelay, key, before, stamp_++, due});
      } else {
        queue_.add(names_[key], {.priority = static_cast<int>(random.next() % 3)});
        history.push_back({Event::Kind::kAdd, key, before, stamp_++});
      }
    }
  }

  void consume(int which, History& history) {
    for (;;) {
      if (which == kEventDriven) woken_ = false;
      const std::uint64_t before = stamp_++;
      std::vector<Item<std::string>> items = ask(which);
      for (auto& item : items) handle(item, before, history);
      if (!items.empty()) continue;
      if (queue_.over()) return;
      if (which == kEventDriven) woken_.wait(false);
    }
  }

  // Each consumer has its own way of asking.
  std::vector<Item<std::string>> ask(int which) {
    if (which == 0) return queue_.get_batch(3);
    std::optional<Item<std::string>> item;
    if (which == 1) item = queue_.get_until(system_clock().now() + 20us);
    if (which == 2) item = queue_.get();
    if (which == kEventDriven) item = queue_.try_get();
    std::vector<Item<std::string>> items;
    if (item) items.push_back(std::move(*item));
    return items;
  }

  void handle(Item<std::string>& item, std::uint64_t before, History& history) {
    const auto key = static_cast<std::size_t>(std::stoul(std::string(item.key())));
    // Two holders of one key at once would meet here.
    EXPECT_EQ(holders_[key].fetch_add(1), 0);
    history.push_back({Event::Kind::kTake, key, before, stamp_++, {}, system_clock().now()});
    if (key % 8 == 0) std::this_thread::yield();
    holders_[key].fetch_sub(1);
    const std::uint64_t ending = stamp_++;
    item.done();
    history.push_back({Event::Kind::kDone, key, ending, stamp_++});
  }

  void check() {
    std::array<std::uint64_t, kKeys> last_add{}, last_take{};
    std::size_t takes = 0, dones = 0, delays = 0;
    for (const History& history : histories_) {
      for (const Event& e : history) {
        takes += e.kind == Event::Kind::kTake;
        dones += e.kind == Event::Kind::kDone;
        delays += e.kind == Event::Kind::kDelay;
        if (e.kind == Event::Kind::kTake) {
          last_take[e.key] = std::max(last_take[e.key], e.after);
        } else if (e.kind != Event::Kind::kDone) {
          last_add[e.key] = std::max(last_add[e.key], e.before);
        }
      }
    }
    const QueueStats stats = queue_.stats();
    EXPECT_TRUE(queue_.empty());
    EXPECT_EQ(takes, dones);
    EXPECT_EQ(stats.queue_duration.count(), takes);
    EXPECT_EQ(stats.work_duration.count(), dones);
    EXPECT_EQ(stats.retries, delays);
    EXPECT_EQ(stats.dropped, 0U);
    EXPECT_GE(stats.adds, takes);
    if (producers_ == Producers::kAddAndDrop) return;
    EXPECT_EQ(stats.adds, takes);
    // Whatever was added, now or for later, was taken after its last add began: nothing is lost.
    for (std::size_t key = 0; key < kKeys; ++key) EXPECT_GT(last_take[key], last_add[key]) << key;
  }

  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kKeys; ++i) names.push_back(std::to_string(i));
    return names;
  }

  const std::uint64_t seed_;
  const Producers producers_;
  const std::vector<std::string> names_ = names();
  std::atomic<std::uint64_t> stamp_ = 1;
  std::array<std::atomic<int>, kKeys> holders_{};
  std::atomic<bool> woken_ = false;
  std::array<History, kConsumers + kProducers> histories_;
  WorkQueue<std::string> queue_{system_clock()};
};

void stress(Stress::Producers producers, std::uint64_t rounds) {
  const std::uint64_t seed = random_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (std::uint64_t round = 0; round < rounds; ++round)
    Stress(seed + round * 100, producers).run();
}

TEST(QueueStress, NoKeyIsLostHeldTwiceOrMiscounted) { stress(Stress::Producers::kAdd, 5); }

TEST(QueueStress, DroppingKeysMeanwhileHarmsNothing) { stress(Stress::Producers::kAddAndDrop, 3); }

// Goal: a delay is never cut short. Method: each key is delayed once, so its one delivery can be
// held against its one deadline.
TEST(QueueStress, DelaysAreNeverEarly) {
  constexpr std::size_t kCount = 3000;
  WorkQueue<int> queue(system_clock());
  std::vector<TimePoint> due(kCount), taken(kCount);
  {
    std::vector<std::jthread> consumers;
    for (int c = 0; c < kConsumers; ++c) {
      consumers.emplace_back([&] {
        while (auto item = queue.get()) {
          taken[static_cast<std::size_t>(item->key())] = system_clock().now();
        }
      });
    }
    Random random(random_seed());
    for (std::size_t i = 0; i < kCount; ++i) {
      const Duration delay = 1us + random.up_to(3ms);
      due[i] = system_clock().now() + delay;
      queue.add_after(static_cast<int>(i), delay);
    }
    while (queue.delayed_len() > 0) std::this_thread::yield();
    queue.shut_down_and_drain();
  }
  for (std::size_t i = 0; i < kCount; ++i) EXPECT_GE(taken[i], due[i]);
}

// Goal: ending is safe whatever else goes on. Method: queues die while threads wait in get() and
// other threads finish items, some of which are to run again.
TEST(QueueStress, QueuesMayDieUnderWaitersAndOpenItems) {
  for (int round = 0; round < 200; ++round) {
    FakeClock clock;
    auto queue = std::make_unique<WorkQueue<int>>(clock);
    for (int i = 0; i < 10; ++i) queue->add(i);
    queue->add_after(99, 24h);
    auto items = queue->get_batch(10);
    for (int i = 0; i < 3; ++i) queue->add(i);
    std::vector<std::jthread> waiters;
    for (int w = 0; w < 4; ++w) {
      waiters.emplace_back([&queue = *queue] { static_cast<void>(queue.get()); });
    }
    clock.await_sleepers(4);
    const std::jthread finisher([items = std::move(items)]() mutable {
      for (auto& item : items) item.done();
    });
    if (round % 2 == 0) queue->shut_down();
    queue.reset();
  }
}

}  // namespace
}  // namespace windlass::workqueue
