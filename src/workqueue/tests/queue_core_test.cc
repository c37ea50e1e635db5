// QueueCore against QueueModel: every reachable state of a small queue.
#include "windlass/workqueue/detail/queue_core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "queue_model.h"

namespace windlass::workqueue::detail {
namespace {

using Core = QueueCore<std::string>;

constexpr int kKeys = 3;
constexpr int kWorkers = 2;
constexpr int kSteps = 8;
constexpr CoreOptions kOptions{
    .keys_max = 100, .age_after = Duration::zero(), .record_times = true, .seed = 1};

struct Run {
  std::string key;
  int priority;

  auto operator<=>(const Run&) const = default;
};

// Where a queue may stand: what its model is, who runs, the time.
struct Place {
  QueueModel model;
  std::vector<Run> runs;
  TimePoint now{};

  auto operator<=>(const Place&) const = default;
};

// A queue driven by numbered steps: first to a known place, then beside its model.
class Pair {
 public:
  static constexpr int kKeyChoices = 8;
  static constexpr int kRunChoices = 2 * kWorkers;
  static constexpr int kChoices = kKeys * kKeyChoices + kRunChoices + 3;

  // `steps` lead to `place`.
  Pair(const std::vector<int>& steps, const Place& place) {
    for (const int step : steps) apply(step);
    known_ = place;
    place_ = &known_;
  }

  // Keys are first used in the order of their names: in any other order they would only be called
  // differently.
  bool possible(int choice) const {
    if (choice < kKeys * kKeyChoices) return choice % kKeys <= keys_used_;
    choice -= kKeys * kKeyChoices;
    if (choice < kRunChoices) return worker_of(choice) < handles_.size();
    switch (choice - kRunChoices) {
      case 0: return handles_.size() < kWorkers && core_.ready() > 0;
      case 1: return core_.delayed() > 0;
      default: return !core_.shutting_down();
    }
  }

  void apply(int choice) {
    if (choice < kKeys * kKeyChoices) return change_key(choice / kKeys, choice % kKeys);
    choice -= kKeys * kKeyChoices;
    if (choice < kRunChoices) return end_run(worker_of(choice), choice >= kWorkers);
    switch (choice - kRunChoices) {
      case 0: return take();
      case 1: return advance();
      default: return shut_down();
    }
  }

  const Place& place() const { return known_; }

  void compare() const {
    const QueueModel& model = known_.model;
    ASSERT_EQ(core_.ready(), model.ready.size());
    ASSERT_EQ(core_.delayed(), model.delays.size());
    ASSERT_EQ(core_.running(), model.running());
    ASSERT_EQ(core_.shutting_down(), model.closed);
    const auto snapshot = core_.snapshot(100);
    ASSERT_EQ(snapshot.size(), model.keys.size());
    for (const auto& key : snapshot) {
      const auto& entry = model.keys.at(key.key);
      ASSERT_EQ(key.ready, entry.ready);
      ASSERT_EQ(key.running, entry.running);
      ASSERT_EQ(key.rerun, entry.rerun);
      ASSERT_EQ(key.due, entry.due);
      ASSERT_EQ(key.priority, entry.priority);
      if (key.ready || key.rerun) {
        ASSERT_EQ(key.added, entry.told.added);
      }
    }
  }

 private:
  // What the model makes of the step; nothing while the place is not reached.
  template <class Step>
  void expect(bool result, Step step) {
    if (place_ == nullptr) return;
    EXPECT_EQ(result, step(place_->model));
  }

  void change_key(int what, int number) {
    keys_used_ = std::max(keys_used_, number + 1);
    const std::string key(1, "abc"[number]);
    const std::uint32_t hash = Core::hash_of(key, 1);
    switch (what) {
      case 0: return add(key, hash, std::nullopt);
      case 1: return add(key, hash, 1);
      case 2: return add_at(key, hash, 1, DelayMode::kEarliest, {});
      case 3: return add_at(key, hash, 2, DelayMode::kReplace, {});
      case 4: return add_at(key, hash, 1, DelayMode::kLatest, {});
      case 5: return add_at(key, hash, 2, DelayMode::kEarliest, {.retry = true});
      case 6:
        return expect(core_.cancel_delayed(key, hash),
                      [&](auto& model) { return model.cancel(key); });
      default:
        return expect(core_.remove(key, hash), [&](auto& model) { return model.remove(key); });
    }
  }

  void add(const std::string& key, std::uint32_t hash, std::optional<int> priority) {
    const Added added = core_.add(key, hash, {.priority = priority}, [this] { return now_; });
    expect(added != Added::kRefused, [&](auto& model) { return model.add(key, priority, now_); });
  }

  void add_at(const std::string& key, std::uint32_t hash, int delay, DelayMode mode,
              const Arrival& arrival) {
    const TimePoint due = now_ + Duration(delay);
    const Added added = core_.add_at(key, hash, due, mode, arrival);
    expect(added != Added::kRefused,
           [&](auto& model) { return model.add_at(key, due, mode, {}, arrival.retry); });
  }

  void take() {
    const Handle handle = core_.take(now_);
    handles_.push_back(handle);
    priorities_.push_back(core_.entry(handle).state.priority);
    if (place_ == nullptr) return;
    const auto expected = place_->model.take();
    ASSERT_TRUE(handle != kNoHandle && expected);
    EXPECT_EQ(core_.entry(handle).key.view(), *expected);
    EXPECT_EQ(core_.entry(handle).state.priority, place_->model.keys.at(*expected).priority);
    place_->runs.push_back({*expected, core_.entry(handle).state.priority});
  }

  static std::size_t worker_of(int choice) { return static_cast<std::size_t>(choice % kWorkers); }

  void end_run(std::size_t worker, bool put_back) {
    if (put_back) core_.undo_take(handles_[worker], priorities_[worker]);
    core_.finish(handles_[worker], now_);
    const auto at = static_cast<std::ptrdiff_t>(worker);
    handles_.erase(handles_.begin() + at);
    priorities_.erase(priorities_.begin() + at);
    if (place_ == nullptr) return;
    const Run run = place_->runs[worker];
    if (put_back) {
      place_->model.put_back(run.key, run.priority);
    } else {
      place_->model.finish(run.key);
    }
    place_->runs.erase(place_->runs.begin() + at);
  }

  void advance() {
    now_ += Duration(1);
    core_.advance(now_);
    if (place_ == nullptr) return;
    place_->now = now_;
    place_->model.advance(now_);
  }

  void shut_down() {
    core_.shut_down();
    if (place_ != nullptr) place_->model.shut_down();
  }

  int keys_used_ = 0;
  TimePoint now_{};
  Core core_{kOptions};
  std::vector<Handle> handles_;
  std::vector<std::int32_t> priorities_;  // of the runs
  Place known_;
  Place* place_ = nullptr;  // once it is reached
};

// Goal: no sequence of calls leads a queue of three keys and two workers astray. Method: from each
// place not seen before, take every possible step; a core cannot be copied, so it is led there
// again by the steps that led to it first.
TEST(QueueCore, FollowsTheModelThroughEveryStateOfEightSteps) {
  using Steps = std::vector<int>;
  std::set<Place> seen;
  std::deque<std::pair<Steps, const Place*>> open;
  open.emplace_back(Steps{}, &*seen.insert(Place{}).first);
  std::size_t edges = 0;
  while (!open.empty()) {
    const auto [steps, place] = std::move(open.front());
    open.pop_front();
    const Pair here(steps, *place);
    for (int choice = 0; choice < Pair::kChoices; ++choice) {
      if (!here.possible(choice)) continue;
      Pair pair(steps, *place);
      pair.apply(choice);
      ++edges;
      pair.compare();
      if (testing::Test::HasFailure()) {
        std::string trace;
        for (const int step : steps) trace += std::to_string(step) + ' ';
        FAIL() << "after steps " << trace << choice;
      }
      const auto [reached, is_new] = seen.insert(pair.place());
      if (!is_new || steps.size() + 1 == kSteps) continue;
      open.emplace_back(steps, &*reached);
      open.back().first.push_back(choice);
    }
  }
  RecordProperty("states", static_cast<int>(seen.size()));
  RecordProperty("edges", static_cast<int>(edges));
  EXPECT_GT(seen.size(), 10'000U);
}

}  // namespace
}  // namespace windlass::workqueue::detail
