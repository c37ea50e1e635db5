// WorkQueue against QueueModel: long random runs with a clock that the test moves.
#include "queue_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
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

// One queue, one model, and what has been taken from both.
class Run {
 public:
  void apply(const Step& step) {
    const std::string key = "key-" + std::to_string(step.key % 8);
    const Duration delay = std::chrono::milliseconds(step.number % 10 - 1);
    const auto mode = static_cast<DelayMode>(step.number % 3);
    std::optional<int> priority;
    if (step.number % 4 == 0) priority = step.number % 16 / 4 - 1;
    model_.advance(clock_.now());
    switch (step.what % 16) {
      case 0:
      case 1:
      case 2:
        RC_ASSERT(queue_.add(key, {.priority = priority}) == model_.add(key, priority, false));
        break;
      case 3:
      case 4: add_after(key, delay, mode, priority); break;
      case 5: {
        // The limiter says 2 ms, then 7 ms; zero, which would mean now, never comes.
        const int before = queue_.num_requeues(key);
        const TimePoint due = clock_.now() + (before < 1 ? 2ms : 7ms);
        const bool taken_in = !model_.closed;
        const bool expected = model_.add_at(key, due, DelayMode::kEarliest, priority, true);
        RC_ASSERT(queue_.add_rate_limited(key, {.priority = priority}) == expected);
        RC_ASSERT(queue_.num_requeues(key) == before + taken_in);
        break;
      }
      case 6: queue_.forget(key); break;
      case 7: RC_ASSERT(queue_.cancel_delayed(key) == model_.cancel(key)); break;
      case 8: RC_ASSERT(queue_.remove(key) == model_.remove(key)); break;
      case 9:
      case 10: take(); break;
      case 11:
      case 12:
      case 13:
        if (!items_.empty()) finish(step.number % items_.size());
        break;
      case 14: clock_.advance(std::chrono::milliseconds(step.number % 5)); break;
      default:
        if (step.number == 7 && step.key % 16 == 3) {
          queue_.shut_down();
          model_.shut_down();
        }
    }
    compare();
  }

  // However it stands, everything that waits is delivered in the end.
  void end() {
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
  void add_after(const std::string& key, Duration delay, DelayMode mode,
                 std::optional<int> priority) {
    const bool expected = delay <= 0s
                              ? model_.add(key, priority, false)
                              : model_.add_at(key, clock_.now() + delay, mode, priority, false);
    RC_ASSERT(queue_.add_after(key, delay, {.mode = mode, .priority = priority}) == expected);
  }

  void take() {
    const auto expected = model_.take();
    auto item = queue_.try_get();
    RC_ASSERT(item.has_value() == expected.has_value());
    if (!item) return;
    RC_ASSERT(item->key() == *expected);
    RC_ASSERT(item->priority() == model_.keys.at(*expected).priority);
    items_.push_back(std::move(*item));
  }

  void finish(std::size_t which) {
    model_.finish(std::string(items_[which].key()));
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void compare() {
    model_.advance(clock_.now());
    const QueueStats stats = queue_.stats();
    RC_ASSERT(stats.ready == model_.ready.size());
    RC_ASSERT(stats.delayed == model_.delays.size());
    RC_ASSERT(stats.running == model_.running());
    RC_ASSERT(stats.running == items_.size());
    RC_ASSERT(stats.queue_duration.count() == stats.work_duration.count() + items_.size());
    RC_ASSERT(stats.adds == stats.queue_duration.count() + stats.depth() + removed_adds(stats));
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
  std::uint64_t removed_ = 0;
};

// More than a million steps: a hundred runs of 0 to 25,000.
RC_GTEST_PROP(WorkQueueModel, AgreesWithTheQueueInLongRandomRuns, ()) {
  const auto bytes = rc::gen::arbitrary<std::uint8_t>();
  const auto step = rc::gen::apply([](std::uint8_t what, std::uint8_t key,
                                      std::uint8_t number) { return Step{what, key, number}; },
                                   rc::gen::resize(100, bytes), rc::gen::resize(100, bytes),
                                   rc::gen::resize(100, bytes));
  const auto steps = *rc::gen::resize(25'000, rc::gen::container<std::vector<Step>>(step));
  Run run;
  for (const Step& s : steps) run.apply(s);
  run.end();
}

}  // namespace
}  // namespace windlass::workqueue
