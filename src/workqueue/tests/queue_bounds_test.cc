// What a queue must not cost: allocations, memory after a burst, starved threads; and what wrong
// use and a lack of memory give.
#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/fast_then_slow.h"
#include "windlass/workqueue/max_of.h"
#include "windlass/workqueue/work_queue.h"
#include "windlass/workqueue/wrapped_limiters.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WINDLASS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WINDLASS_SANITIZED 1
#endif
#endif

namespace {

thread_local std::size_t allocations = 0;
thread_local int allocations_left = -1;  // before they fail; negative: they do not

void* counted(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  const std::size_t whole = (bytes + alignment) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, whole)) return memory;
  throw std::bad_alloc();
}

// Out of line, or the compiler takes free() for a mistake.
[[gnu::noinline]] void release(void* memory) { std::free(memory); }

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace windlass::workqueue {
namespace {

// Throws where it is told to: out of a copy when half of it is made, or out of a comparison.
struct Fragile {
  Fragile(std::uint32_t first_half, int number) : first(first_half), id(number) {}
  Fragile(const Fragile& other) : first(other.first), id(other.id) {
    if (copies_fail) throw std::runtime_error("half a copy");
  }
  Fragile& operator=(const Fragile&) = delete;
  ~Fragile() = default;
  bool operator==(const Fragile& other) const {
    if (looks_fail) throw std::runtime_error("no comparison");
    return id == other.id;
  }
  static inline bool copies_fail = false;
  static inline bool looks_fail = false;

  std::uint32_t first;
  int id;
};

}  // namespace
}  // namespace windlass::workqueue

template <>
struct std::hash<windlass::workqueue::Fragile> {
  std::size_t operator()(const windlass::workqueue::Fragile&) const noexcept { return 1; }
};

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;
using Queue = WorkQueue<std::string>;

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("namespace/object-" + std::to_string(i));
  return names;
}

// Every kind of add.
template <class Key>
void one_round(WorkQueue<Key>& queue, FakeClock& clock, const Key& key) {
  queue.add(key);
  queue.add(key);
  auto item = queue.try_get();
  queue.add(item->key());
  queue.add_rate_limited(item->key());
  queue.add_after(item->key(), 1ms);
  item->done();
  queue.forget(key);
  queue.add(key, {.priority = 3});
  while (auto next = queue.try_get()) {
  }
  clock.advance(1s);
  while (auto next = queue.try_get()) {
  }
}

// Allocations of fifty rounds with `keys`, while others are held.
template <class Key>
std::size_t allocations_with(const std::vector<Key>& keys, const std::vector<Key>& held) {
  FakeClock clock;
  WorkQueue<Key> queue(clock);
  for (const auto& key : held) queue.add_after(key, 24h);
  for (const auto& key : keys) one_round(queue, clock, key);
  const std::size_t before = allocations;
  for (int round = 0; round < 50; ++round) {
    for (const auto& key : keys) one_round(queue, clock, key);
  }
  return allocations - before;
}

TEST(QueueBounds, NoCallAllocatesInTheSteadyState) {
  std::vector<std::string> held = names(1000);
  for (auto& key : held) key = "held/" + key;
  EXPECT_EQ(allocations_with(names(64), held), 0U);
}

// Names of objects in a cluster are mostly longer than what a key holds in itself.
TEST(QueueBounds, NoCallAllocatesForLongKeysInTheSteadyState) {
  std::vector<std::string> texts;
  std::vector<NamespacedName> objects;
  for (std::size_t i = 0; i < 64; ++i) {
    objects.push_back({std::string(10 + i % 40, 'n'), std::string(40 + i, 'o')});
    texts.push_back(to_string(objects.back()));
  }
  std::vector<std::string> held_texts = names(1000);
  std::vector<NamespacedName> held_objects;
  for (const auto& key : held_texts) held_objects.push_back({"held-for-a-long-time", key});
  for (auto& key : held_texts) key = "held-for-a-long-time/" + key;
  EXPECT_EQ(allocations_with(texts, held_texts), 0U);
  EXPECT_EQ(allocations_with(objects, held_objects), 0U);
}

std::size_t resident_bytes() {
  malloc_trim(0);
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

// Resident bytes before, during and after a burst of keys that are ready, delayed and retried.
struct Burst {
  std::size_t before = 0, full = 0, after = 0;

  Burst(Queue& queue, FakeClock& clock) {
    const auto keys = names(200'000);
    before = resident_bytes();
    for (const auto& key : keys) {
      queue.add(key);
      queue.add_rate_limited(key);
    }
    full = resident_bytes();
    for (const auto& key : keys) queue.forget(key);
    clock.advance(24h);
    while (auto item = queue.try_get()) {
    }
    after = resident_bytes();
  }
};

TEST(QueueBounds, ABurstGivesItsMemoryBack) {
#if defined(WINDLASS_SANITIZED)
  GTEST_SKIP() << "a sanitizer keeps freed memory";
#endif
  FakeClock clock;
  Queue queue(clock);
  queue.add("stays");
  const Burst burst(queue, clock);
  EXPECT_TRUE(queue.empty());
  EXPECT_GT(burst.full, burst.before + burst.before / 10);
  EXPECT_LT(burst.after, burst.before + burst.before / 10);
}

// A key that stays keeps a block of entries and four bytes for each key that was ever held with it.
TEST(QueueBounds, ABurstBesideAKeyThatStaysGivesMostOfItsMemoryBack) {
#if defined(WINDLASS_SANITIZED)
  GTEST_SKIP() << "a sanitizer keeps freed memory";
#endif
  FakeClock clock;
  Queue queue(clock);
  queue.add_after("stays", 48h);
  const Burst burst(queue, clock);
  EXPECT_EQ(queue.delayed_len(), 1U);
  RecordProperty("full", std::to_string(burst.full - burst.before));
  RecordProperty("after", std::to_string(burst.after - burst.before));
  EXPECT_LT(burst.after - burst.before, (burst.full - burst.before) / 5);
}

// Keys that stay are spread over all that the burst took: each keeps a block of 16 KiB.
TEST(QueueBounds, ABurstAmongKeysThatStayGivesMostOfItsMemoryBack) {
#if defined(WINDLASS_SANITIZED)
  GTEST_SKIP() << "a sanitizer keeps freed memory";
#endif
  FakeClock clock;
  Queue queue(clock);
  const auto keys = names(400'000);
  const std::size_t before = resident_bytes();
  for (std::size_t i = 0; i < keys.size(); ++i) queue.add(keys[i], {.priority = i % 4000 == 0});
  const std::size_t full = resident_bytes();
  std::vector<Item<std::string>> stay;
  for (int i = 0; i < 100; ++i) stay.push_back(*queue.try_get());
  while (auto item = queue.try_get()) {
  }
  const std::size_t after = resident_bytes();
  EXPECT_EQ(queue.running_len(), 100U);
  EXPECT_LT(after - before, (full - before) / 8);
  for (std::size_t i = 0; i < 10; ++i) queue.add(keys[i]);  // what was given back is used again
  EXPECT_EQ(queue.len(), 9U);
}

// Goal: whatever the number of workers, each gets keys. Method: keys that are always added again go
// round, each run giving up its processor as one that does work would, until every worker has had
// some. One that starves leaves a count out of all measure.
TEST(QueueBounds, NoWorkerStarvesAmongOneToSixtyFour) {
  for (const std::size_t workers : {1U, 2U, 8U, 64U}) {
    Queue queue(system_clock());
    std::array<std::atomic<std::size_t>, 64> taken{};
    std::atomic<std::size_t> without = workers;
    std::atomic<std::size_t> total = 0;
    for (const auto& key : names(workers)) queue.add(key);
    {
      std::vector<std::jthread> threads;
      for (std::size_t w = 0; w < workers; ++w) {
        threads.emplace_back([&, w] {
          while (auto item = queue.get()) {
            if (taken[w]++ == 0 && --without == 0) queue.shut_down();
            if (++total == 1'000'000) queue.shut_down();
            std::this_thread::yield();
            queue.add(item->key());
          }
        });
      }
    }
    EXPECT_EQ(without, 0U) << workers << " workers";
    RecordProperty("runs_" + std::to_string(workers), std::to_string(total));
  }
}

TEST(QueueMisuse, ABatchOfNoneIsEmptyAtOnceAndTakesNothing) {
  FakeClock clock;
  Queue queue(clock);
  EXPECT_TRUE(queue.get_batch(0).empty());
  queue.add("a");
  EXPECT_TRUE(queue.get_batch(0).empty());
  EXPECT_EQ(queue.len(), 1U);
  EXPECT_EQ(queue.add_batch({}), 0U);
}

TEST(QueueMisuse, AQueueForNoKeysRefusesEach) {
  FakeClock clock;
  Queue queue(clock, {.keys_max = 0});
  EXPECT_FALSE(queue.add("a"));
  EXPECT_FALSE(queue.add_after("a", 1s));
  EXPECT_FALSE(queue.add_rate_limited("a"));
  EXPECT_TRUE(queue.empty());
}

TEST(QueueMisuse, ANegativeAgeTurnsAgeingOff) {
  FakeClock clock;
  Queue queue(clock, {.age_after = -1s});
  queue.add("low", {.priority = -1});
  clock.advance(24h);
  for (int i = 0; i < 3; ++i) {
    queue.add("high");
    EXPECT_EQ(queue.try_get()->key(), "high");
  }
}

TEST(QueueMisuse, ADeadlineInThePastOnlyLooks) {
  FakeClock clock;
  Queue queue(clock);
  EXPECT_FALSE(queue.get_until(TimePoint::min()));
  queue.add("a");
  EXPECT_EQ(queue.get_until(TimePoint::min())->key(), "a");
  queue.add("b");
  EXPECT_FALSE(queue.shut_down_and_drain({.deadline = TimePoint::min()}));
}

TEST(QueueMisuse, EmptyAndLongKeysAreKeysLikeAnyOther) {
  FakeClock clock;
  Queue queue(clock);
  const std::string longest(100'000, 'k');
  EXPECT_TRUE(queue.add(""));
  EXPECT_TRUE(queue.add(longest));
  EXPECT_TRUE(queue.try_get()->key().empty());
  EXPECT_EQ(queue.try_get()->key(), longest);
}

// What throws here is no key's, so the queue goes on as if the call had not been.
struct Failing final : RateLimiter<std::string> {
  Duration next_delay(std::string_view) override { throw std::runtime_error("no delay"); }
  bool forget(std::string_view) override { throw std::runtime_error("no memory of it"); }
  int num_requeues(std::string_view) const override { return 0; }
};

TEST(QueueMisuse, ALimiterThatThrowsLeavesTheQueueAsItWas) {
  FakeClock clock;
  Queue queue(clock, {.limiter = std::make_unique<Failing>()});
  queue.add("a");
  auto item = queue.try_get();
  EXPECT_THROW(queue.add_rate_limited("a"), std::runtime_error);
  EXPECT_THROW(queue.forget("a"), std::runtime_error);
  item.reset();
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.add("a"));
}

// Half a copy lies where the queue keeps its list of free places.
TEST(QueueMisuse, AKeyWhoseCopyThrowsLeavesTheQueueAsItWas) {
  FakeClock clock;
  WorkQueue<Fragile> queue(clock);
  queue.add(Fragile(0, 1));
  queue.add(Fragile(0, 2));
  queue.remove(Fragile(0, 2));  // its place is free
  Fragile::copies_fail = true;
  EXPECT_THROW(queue.add(Fragile(0, 3)), std::runtime_error);
  Fragile::copies_fail = false;
  EXPECT_EQ(queue.len(), 1U);
  queue.add(Fragile(0, 4));
  queue.add(Fragile(0, 5));
  std::vector<int> delivered;
  while (auto item = queue.try_get()) delivered.push_back(item->key().id);
  EXPECT_EQ(delivered, (std::vector<int>{1, 4, 5}));
}

TEST(QueueMisuse, AKeyWhoseComparisonThrowsKeepsNoWakeUpBack) {
  using Call = void (*)(WorkQueue<Fragile>&);
  const auto cancel = [](WorkQueue<Fragile>& queue) { queue.cancel_delayed(Fragile(0, 2)); };
  const auto remove = [](WorkQueue<Fragile>& queue) { queue.remove(Fragile(0, 2)); };
  for (const Call call : {Call(cancel), Call(remove)}) {
    FakeClock clock;
    WorkQueue<Fragile> queue(clock);
    int wakes = 0;
    queue.set_on_wake([&] { ++wakes; });
    queue.add_after(Fragile(0, 1), 1s);
    EXPECT_FALSE(queue.try_get().has_value());
    wakes = 0;
    clock.advance(1s);
    Fragile::looks_fail = true;
    EXPECT_THROW(call(queue), std::runtime_error);
    Fragile::looks_fail = false;
    EXPECT_EQ(wakes, 1);
    queue.set_on_wake(nullptr);
  }
}

TEST(QueueMisuse, ARetryThatThrowsIsNotCounted) {
  struct Forgetful final : RateLimiter<std::string> {
    Duration next_delay(std::string_view) override { return ++failures * 1s; }
    bool forget(std::string_view) override { return false; }
    int num_requeues(std::string_view) const override { throw std::runtime_error("unknown"); }
    void undo(std::string_view) override { --failures; }
    int failures = 0;
  };
  FakeClock clock;
  auto limiter = std::make_unique<Forgetful>();
  const Forgetful& seen = *limiter;
  Queue queue(clock, {.limiter = std::move(limiter)});
  EXPECT_THROW(queue.add_rate_limited("a"), std::runtime_error);
  EXPECT_EQ(seen.failures, 0);
  EXPECT_TRUE(queue.empty());
}

TEST(QueueMisuseDeathTest, ALimiterWithBadOptionsIsABug) {
  FakeClock clock;
  using Backoff = ExponentialBackoff<std::string>;
  const auto backoff = [] { return std::make_unique<Backoff>(ExponentialBackoffOptions{}); };
  EXPECT_DEATH(Backoff({.base = -1ns}), "");
  EXPECT_DEATH(Backoff({.max = -1ns}), "");
  EXPECT_DEATH(FastThenSlow<std::string>({.fast = -1ns, .slow = 1s, .fast_tries = 1}), "");
  EXPECT_DEATH(TokenBucket<std::string>(clock, {.per_second = 0}), "");
  EXPECT_DEATH(TokenBucket<std::string>(clock, {.burst = 0}), "");
  EXPECT_DEATH(WithMaxWait<std::string>(backoff(), -1ns), "");
  EXPECT_DEATH(WithMaxWait<std::string>(nullptr, 1s), "");
  EXPECT_DEATH(Jittered<std::string>(backoff(), 1.5, Random(1)), "");
  EXPECT_DEATH(MaxOf<std::string>(std::vector<std::unique_ptr<RateLimiter<std::string>>>(1)), "");
}

TEST(QueueMisuseDeathTest, TheKeyOfAnEndedRunIsABug) {
  FakeClock clock;
  Queue queue(clock);
  queue.add("a");
  auto item = queue.try_get();
  item->done();
  EXPECT_DEATH(static_cast<void>(item->key()), "");
}

// Does `call` with ever more memory until it succeeds. Returns how often it failed.
template <class Call, class Check>
int until_it_succeeds(Call call, Check check) {
  for (int enough = 0;; ++enough) {
    allocations_left = enough;
    try {
      call();
      allocations_left = -1;
      return enough;
    } catch (const std::bad_alloc&) {
      allocations_left = -1;
      check();
    }
  }
}

// A key too long to lie in its entry takes memory of its own.
std::string key(int number) {
  return "a key of more than twenty-three bytes, " + std::to_string(number);
}

struct Seen {
  std::size_t ready, delayed, running, held;
  std::uint64_t adds, retries;
  TimePoint due;
  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen look(const Queue& queue) {
  const QueueStats stats = queue.stats();
  return {stats.ready, stats.delayed, stats.running,   queue.snapshot(10'000).size(),
          stats.adds,  stats.retries, queue.next_due()};
}

enum class Way { kAdd, kAddAfter, kAddRateLimited, kAddBatch };

void add(Queue& queue, Way way, int number) {
  const std::string name = key(number);
  switch (way) {
    case Way::kAdd: queue.add(name, {.priority = number % 40}); break;
    case Way::kAddAfter: queue.add_after(name, 1h + 1s * number, {.priority = number % 40}); break;
    case Way::kAddRateLimited: queue.add_rate_limited(name); break;
    case Way::kAddBatch: queue.add_batch(std::span(&name, 1)); break;
  }
}

class OutOfMemory : public testing::TestWithParam<Way> {};

TEST_P(OutOfMemory, AnAddThatFailsChangesNothing) {
  FakeClock clock;
  Queue queue(clock);
  int failed = 0;
  for (int i = 0; i < 700; ++i) {
    const std::string name = key(i);
    const Seen before = look(queue);
    // The key's own text is made outside: only what the queue takes is to fail.
    failed += until_it_succeeds([&] { add(queue, GetParam(), i); },
                                [&] {
                                  EXPECT_EQ(look(queue), before);
                                  EXPECT_EQ(queue.num_requeues(name), 0);
                                });
    if (testing::Test::HasFailure()) FAIL() << "key " << i;
  }
  EXPECT_GT(failed, 700);
  clock.advance(24h);
  EXPECT_EQ(queue.len(), 700U);
  EXPECT_EQ(queue.get_batch(1000).size(), 700U);
  EXPECT_TRUE(queue.empty());
}

INSTANTIATE_TEST_SUITE_P(Ways, OutOfMemory,
                         testing::Values(Way::kAdd, Way::kAddAfter, Way::kAddRateLimited,
                                         Way::kAddBatch));

// A worker that ends its run, or finds that a delay is over, has nobody to tell that it failed.
TEST(OutOfMemory, NothingElseTakesMemoryThatItCannotDoWithout) {
  FakeClock clock;
  Queue queue(clock);
  for (int i = 0; i < 3000; ++i) {
    queue.add_after(key(i), 1s + 1ms * i, {.priority = i});
    if (i % 3 == 0) queue.add(key(i), {.priority = -i});
  }
  auto items = queue.get_batch(100);
  for (const auto& item : items) queue.add(item.key());
  const std::string dropped[] = {key(1), key(4), key(7)};
  std::size_t runs = 0;
  allocations_left = 0;
  for (auto& item : items) item.done();
  queue.cancel_delayed(dropped[0]);
  queue.remove(dropped[1]);
  queue.remove(dropped[2]);
  clock.advance(1h);
  for (auto item = queue.try_get(); item; item = queue.try_get()) ++runs;
  allocations_left = -1;
  EXPECT_EQ(runs, 3000U - 3);
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace windlass::workqueue
