// WorkQueue against QueueModel: long random runs with a clock that the test moves.
#include "queue_model.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/fast_then_slow.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;

struct Step {
  std::uint8_t what;
  std::uint8_t key;
  std::uint8_t number;

  friend std::ostream& operator<<(std::ostream& out, const Step& s) {
    return out << '{' << int{s.what} << ',' << int{s.key} << ',' << int{s.number} << '}';
  }
};

const std::vector<std::string> kNames = {"a", "b", "c", "d", "e", "f", "g", "h"};

// One queue, one model, and what has been taken from both.
class Run {
 public:
  void apply(const Step& step) {
    const std::string& key = kNames[step.key % kNames.size()];
    const Duration delay = std::chrono::milliseconds(step.number % 10 - 1);
    const auto mode = static_cast<DelayMode>(step.number % 3);
    std::optional<int> priority;
    if (step.number % 4 == 0) priority = step.number % 16 / 4 - 1;
    model_.advance(clock_.now());
    switch (step.what % 16) {
      case 0:
      case 1:
      case 2:
        RC_ASSERT(queue_.add(key, {.priority = priority}) ==
                  model_.add(key, priority, clock_.now()));
        if (step.what % 64 == 2) add_batch(step, priority);
        break;
      case 3:
      case 4: add_after(key, delay, mode, priority); break;
      case 5: {
        // The limiter says 2 ms, then 7 ms; zero, which would mean now, never comes.
        const int before = queue_.num_requeues(key);
        const TimePoint due = clock_.now() + (before < 1 ? 2ms : 7ms);
        const bool expected = model_.add_at(key, due, DelayMode::kEarliest, priority, true);
        RC_ASSERT(queue_.add_rate_limited(key, {.priority = priority}) == expected);
        RC_ASSERT(queue_.num_requeues(key) == before + expected);
        if (expected) model_.keys.at(key).told.failures = before + 1;
        retries_ += expected;
        break;
      }
      case 6:
        queue_.forget(key);
        RC_ASSERT(queue_.num_requeues(key) == 0);
        if (model_.keys.contains(key)) model_.keys.at(key).told.failures = 0;
        break;
      case 7: RC_ASSERT(queue_.cancel_delayed(key) == model_.cancel(key)); break;
      case 8:
        RC_ASSERT(queue_.remove(key) == model_.remove(key));
        RC_ASSERT(queue_.num_requeues(key) == 0);
        break;
      case 9: take(); break;
      case 10: take_some(step.number); break;
      case 11:
      case 12:
        if (!items_.empty()) finish(step.number % items_.size());
        break;
      case 13:
        if (!items_.empty()) end_run(step.number % items_.size(), step.number % 4 == 0);
        break;
      case 14: clock_.advance(std::chrono::milliseconds(step.number % 5)); break;
      default:
        if (step.number == 7 && step.key % 16 == 3) {
          dropped_ += model_.delays.size();
          queue_.shut_down();
          model_.shut_down();
        }
    }
    if (++steps_ % 4 == 0) compare();
  }

  // However it stands, everything that waits is delivered in the end.
  void end() {
    model_.advance(clock_.now());
    while (!items_.empty()) finish(0);
    clock_.advance(1h);
    model_.advance(clock_.now());
    while (!model_.keys.empty()) {
      take();
      finish(0);
    }
    RC_ASSERT(queue_.empty());
    RC_ASSERT(!queue_.try_get().has_value());
  }

 private:
  void add_batch(const Step& step, std::optional<int> priority) {
    std::vector<std::string> some;
    std::size_t expected = 0;
    for (std::size_t i = 0; i < step.number % 5U; ++i) {
      some.push_back(kNames[(step.key + 3 * i) % kNames.size()]);
      expected += model_.add(some.back(), priority, clock_.now());
    }
    RC_ASSERT(queue_.add_batch(some, {.priority = priority}) == expected);
  }

  void add_after(const std::string& key, Duration delay, DelayMode mode,
                 std::optional<int> priority) {
    const bool expected = delay <= 0s
                              ? model_.add(key, priority, clock_.now())
                              : model_.add_at(key, clock_.now() + delay, mode, priority, false);
    RC_ASSERT(queue_.add_after(key, delay, {.mode = mode, .priority = priority}) == expected);
    retries_ += expected;
  }

  void take() {
    auto item = queue_.try_get();
    const bool expected = !model_.ready.empty();
    RC_ASSERT(item.has_value() == expected);
    if (item) compare_taken(std::move(*item));
  }

  // In the other ways, none of which waits: the deadline is over.
  void take_some(std::size_t number) {
    const std::size_t ready = model_.ready.size();
    if (number % 4 == 0) {
      auto item = queue_.get_until(clock_.now());
      RC_ASSERT(item.has_value() == (ready > 0));
      if (item) compare_taken(std::move(*item));
      return;
    }
    auto items = queue_.get_batch(number % 4, clock_.now());
    RC_ASSERT(items.size() == std::min(ready, number % 4));
    for (auto& item : items) compare_taken(std::move(item));
  }

  void compare_taken(Item<std::string> item) {
    const auto expected = model_.take();
    RC_ASSERT(item.key() == expected);
    const auto& entry = model_.keys.at(*expected);
    RC_ASSERT(item.priority() == entry.priority);
    RC_ASSERT(item.attempt() == 1 + entry.told.failures);
    RC_ASSERT(item.time_added() == entry.told.added);
    RC_ASSERT(item.time_started() == clock_.now());
    waited_ += clock_.now() - entry.told.added;
    items_.push_back(std::move(item));
  }

  void finish(std::size_t which) { end_run(which, false); }

  void end_run(std::size_t which, bool put_back) {
    const std::string key(items_[which].key());
    if (put_back) {
      model_.put_back(key, items_[which].priority());
      items_[which].put_back();
    } else {
      model_.finish(key);
    }
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void compare() {
    model_.advance(clock_.now());
    const QueueStats stats = queue_.stats();
    RC_ASSERT(stats.ready == model_.ready.size());
    RC_ASSERT(stats.delayed == model_.delays.size());
    RC_ASSERT(stats.running == model_.running());
    RC_ASSERT(stats.running == items_.size());
    RC_ASSERT(stats.rerun == model_.reruns());
    RC_ASSERT(stats.retries == retries_);
    RC_ASSERT(stats.dropped == dropped_);
    RC_ASSERT(stats.queue_duration.sum == waited_);
    compare_running(stats);
    if (steps_ % 32 == 0) compare_keys();
    RC_ASSERT(stats.queue_duration.count() == stats.work_duration.count() + items_.size());
    RC_ASSERT(stats.adds == stats.queue_duration.count() + stats.depth() + removed_adds(stats));
  }

  void compare_running(const QueueStats& stats) const {
    Duration unfinished{};
    Duration longest{};
    for (const auto& item : items_) {
      const Duration so_far = clock_.now() - item.time_started();
      unfinished += so_far;
      longest = std::max(longest, so_far);
    }
    RC_ASSERT(stats.unfinished_work == unfinished);
    RC_ASSERT(stats.longest_running == longest);
  }

  void compare_keys() const {
    TimePoint next_due = TimePoint::max();
    for (const auto& delay : model_.delays) next_due = std::min(next_due, delay.due);
    RC_ASSERT(queue_.next_due() == next_due);
    const auto keys = queue_.snapshot(100);
    RC_ASSERT(keys.size() == model_.keys.size());
    for (const auto& key : keys) {
      const auto& entry = model_.keys.at(key.key);
      RC_ASSERT(key.ready == entry.ready);
      RC_ASSERT(key.running == entry.running);
      RC_ASSERT(key.rerun == entry.rerun);
      RC_ASSERT(key.due == entry.due);
      RC_ASSERT(key.priority == entry.priority);
      const auto found = queue_.find(key.key);
      RC_ASSERT(found.has_value());
      RC_ASSERT(found->running == entry.running);
      RC_ASSERT(found->due == entry.due);
    }
    RC_ASSERT(!queue_.find("nobody has added this"));
  }

  // Adds that remove() dropped, which only the difference shows; never fewer than before.
  std::uint64_t removed_adds(const QueueStats& stats) {
    const std::uint64_t removed = stats.adds - stats.queue_duration.count() - stats.depth();
    RC_ASSERT(removed >= removed_);
    return removed_ = removed;
  }

  FakeClock clock_;
  WorkQueue<std::string> queue_{
      clock_,
      {.limiter = std::make_unique<FastThenSlow<std::string>>(
           FastThenSlowOptions{.fast = 2ms, .slow = 7ms, .fast_tries = 1}),
       .age_after = 0s}};
  QueueModel model_;
  std::vector<Item<std::string>> items_;
  std::size_t steps_ = 0;
  std::uint64_t removed_ = 0, retries_ = 0, dropped_ = 0;
  Duration waited_{};
};

void random_run(std::size_t& all_steps) {
  const auto bytes = rc::gen::arbitrary<std::uint8_t>();
  const auto step = rc::gen::apply([](std::uint8_t what, std::uint8_t key,
                                      std::uint8_t number) { return Step{what, key, number}; },
                                   rc::gen::resize(100, bytes), rc::gen::resize(100, bytes),
                                   rc::gen::resize(100, bytes));
  const auto steps = *rc::gen::resize(25'000, rc::gen::container<std::vector<Step>>(step));
  Run run;
  for (const Step& s : steps) run.apply(s);
  run.end();
  all_steps += steps.size();
}

// A hundred runs of up to 25,000 steps; a failing one is made shorter before it is shown.
TEST(WorkQueueModel, AgreesWithTheQueueThroughAMillionRandomSteps) {
  std::size_t steps = 0;
  EXPECT_TRUE(rc::check([&steps] { random_run(steps); }));
  EXPECT_GT(steps, 1'000'000U);
}

}  // namespace
}  // namespace windlass::workqueue
