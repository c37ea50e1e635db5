// QueueCore against QueueModel: every reachable state of a small queue.
#include "windlass/workqueue/detail/queue_core.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "queue_model.h"

namespace windlass::workqueue::detail {
namespace {

using Core = QueueCore<std::string>;

constexpr int kKeys = 3;
constexpr int kWorkers = 2;
constexpr int kSteps = 8;

// A queue and its model, driven by the same numbered steps.
class Pair {
 public:
  static constexpr int kChoices = kKeys * 7 + kWorkers + 3;

  // Applies step `choice`; false when it is not possible now.
  bool apply(int choice) {
    if (choice < kKeys * 7)
      return change_key(choice / kKeys, std::string(1, "abc"[choice % kKeys]));
    choice -= kKeys * 7;
    if (choice < kWorkers) return finish(static_cast<std::size_t>(choice));
    switch (choice - kWorkers) {
      case 0: return take();
      case 1: return advance();
      default: return shut_down();
    }
  }

  const QueueModel& model() const { return model_; }
  auto state() const { return std::tuple(model_, runs_); }

  void compare() const {
    ASSERT_EQ(core_.ready(), model_.ready.size());
    ASSERT_EQ(core_.delayed(), model_.delays.size());
    ASSERT_EQ(core_.running(), model_.running());
    ASSERT_EQ(core_.shutting_down(), model_.closed);
    const auto snapshot = core_.snapshot(100);
    ASSERT_EQ(snapshot.size(), model_.keys.size());
    for (const auto& key : snapshot) {
      const auto& entry = model_.keys.at(key.key);
      ASSERT_EQ(key.ready, entry.ready);
      ASSERT_EQ(key.running, entry.running);
      ASSERT_EQ(key.rerun, entry.rerun);
      ASSERT_EQ(key.due, entry.due);
      ASSERT_EQ(key.priority, entry.priority);
    }
  }

 private:
  bool change_key(int what, const std::string& key) {
    const std::uint32_t hash = Core::hash_of(key, 1);
    const TimePoint due = now_ + Duration(what == 2 ? 1 : 2);
    const auto now = [this] { return now_; };
    switch (what) {
      case 0:
        EXPECT_EQ(core_.add(key, hash, {}, now) != Added::kRefused, model_.add(key, {}, false));
        return true;
      case 1:
        EXPECT_EQ(core_.add(key, hash, {.priority = 1}, now) != Added::kRefused,
                  model_.add(key, 1, false));
        return true;
      case 2:
      case 3: {
        const auto mode = what == 2 ? DelayMode::kEarliest : DelayMode::kReplace;
        EXPECT_EQ(core_.add_at(key, hash, due, mode, {}) != Added::kRefused,
                  model_.add_at(key, due, mode, {}, false));
        return true;
      }
      case 4:
        EXPECT_EQ(
            core_.add_at(key, hash, due, DelayMode::kEarliest, {.retry = true}) != Added::kRefused,
            model_.add_at(key, due, DelayMode::kEarliest, {}, true));
        return true;
      case 5: EXPECT_EQ(core_.cancel_delayed(key, hash), model_.cancel(key)); return true;
      default: EXPECT_EQ(core_.remove(key, hash), model_.remove(key)); return true;
    }
  }

  bool take() {
    if (runs_.size() == kWorkers) return false;
    const Handle handle = core_.take(now_);
    const auto expected = model_.take();
    EXPECT_EQ(handle != kNoHandle, expected.has_value());
    if (handle == kNoHandle) return false;
    EXPECT_EQ(core_.entry(handle).key.view(), *expected);
    runs_.push_back(*expected);
    handles_.push_back(handle);
    return true;
  }

  bool finish(std::size_t worker) {
    if (worker >= runs_.size()) return false;
    core_.finish(handles_[worker], now_);
    model_.finish(runs_[worker]);
    runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(worker));
    handles_.erase(handles_.begin() + static_cast<std::ptrdiff_t>(worker));
    return true;
  }

  bool advance() {
    if (model_.delays.empty()) return false;
    now_ += Duration(1);
    core_.advance(now_);
    model_.advance(now_);
    return true;
  }

  bool shut_down() {
    if (model_.closed) return false;
    core_.shut_down();
    model_.shut_down();
    return true;
  }

  TimePoint now_{};
  Core core_{{.keys_max = 100, .age_after = Duration::zero(), .record_times = true, .seed = 1}};
  QueueModel model_;
  std::vector<std::string> runs_;
  std::vector<Handle> handles_;
};

// Goal: no sequence of calls leads a queue of three keys and two workers astray. Method: from each
// state not seen before, take every possible step; a state is reached again by replaying the
// steps that led to it, since a core cannot be copied.
TEST(QueueCore, FollowsTheModelThroughEveryStateOfEightSteps) {
  using Steps = std::vector<int>;
  std::set<std::tuple<QueueModel, std::vector<std::string>>> seen;
  std::deque<Steps> open = {{}};
  std::size_t edges = 0;
  while (!open.empty()) {
    const Steps steps = std::move(open.front());
    open.pop_front();
    for (int choice = 0; choice < Pair::kChoices; ++choice) {
      Pair pair;
      for (const int step : steps) pair.apply(step);
      if (!pair.apply(choice)) continue;
      ++edges;
      pair.compare();
      if (testing::Test::HasFailure()) {
        std::string trace;
        for (const int step : steps) trace += std::to_string(step) + ' ';
        FAIL() << "after steps " << trace << choice;
      }
      if (!seen.insert(pair.state()).second || steps.size() + 1 == kSteps) continue;
      open.push_back(steps);
      open.back().push_back(choice);
    }
  }
  RecordProperty("states", static_cast<int>(seen.size()));
  RecordProperty("edges", static_cast<int>(edges));
  EXPECT_GT(seen.size(), 1000U);
}

}  // namespace
}  // namespace windlass::workqueue::detail
