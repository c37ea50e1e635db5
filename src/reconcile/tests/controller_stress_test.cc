// Many threads against one controller that is run, stopped and run again. The clock is the real
// one; nothing depends on how fast anything is.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <stdexcept>

#include "controller_world.h"
#include "windlass/base/random.h"

namespace windlass::reconcile {
namespace {

constexpr std::size_t kKeys = 48;

// Goal: whoever enqueues, forgets and stops when, every key's last change is seen by a run that
// began after it, and no key is handled twice at a time.
class Changes {
 public:
  void change(std::size_t key) { ++changed_[key]; }

  Result<Outcome> handle(const std::string& name, Random& random) {
    const std::size_t key = std::stoul(name);
    EXPECT_FALSE(busy_[key].exchange(true)) << name;
    const std::uint64_t now = changed_[key];
    const std::uint64_t ending = random.next() % 8;
    if (ending > 2) seen_[key] = now;
    busy_[key] = false;
    if (ending == 0) return fail(some_error());
    if (ending == 1) throw std::runtime_error("out of cheese");
    return ending == 2 ? Outcome::requeue_after({}) : Outcome::done();
  }

  void expect_all_seen() const {
    for (std::size_t key = 0; key < kKeys; ++key) EXPECT_EQ(seen_[key], changed_[key]) << key;
  }

 private:
  std::array<std::atomic<std::uint64_t>, kKeys> changed_{};
  std::array<std::atomic<std::uint64_t>, kKeys> seen_{};
  std::array<std::atomic<bool>, kKeys> busy_{};
};

void enqueue_at_random(Controller& controller, Changes& changes, std::uint64_t seed) {
  Random random(seed);
  for (int i = 0; i < 4000; ++i) {
    const std::size_t key = random.next() % kKeys;
    const std::string name = std::to_string(key);
    changes.change(key);
    switch (random.next() % 8) {
      case 0: controller.forget(name); [[fallthrough]];
      case 1: controller.enqueue_now(name); break;
      case 2: controller.enqueue_after(name, std::chrono::microseconds(random.next() % 500)); break;
      default: controller.enqueue(name, {.priority = static_cast<int>(random.next() % 3)}); break;
    }
  }
}

TEST(ControllerStress, RunStopRunLosesNoChange) {
  Changes changes;
  Options options = without_waiting();
  options.max_retries = 1'000'000;  // that a key is given up is not the point here
  options.run_timeout = std::chrono::microseconds(200);
  std::atomic<std::uint64_t> seeds = 100;
  Controller controller(system_clock(), "stress", std::move(options),
                        Handler([&](Context&, const std::string& key) {
                          Random random(++seeds);
                          return changes.handle(key, random);
                        }));
  std::vector<std::jthread> producers;
  producers.reserve(3);
  std::atomic<int> producing = 3;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    producers.emplace_back([&, seed] {
      enqueue_at_random(controller, changes, seed);
      --producing;
    });
  }
  int runs = 0;
  const auto run_until = [&](int workers, const auto& enough) {
    std::jthread runner([&](const std::stop_token& stop) {
      EXPECT_TRUE(controller.run(stop, workers).has_value());
    });
    while (!enough()) std::this_thread::yield();
    ++runs;
  };
  while (producing > 0) {
    const std::uint64_t before = controller.stats().done;
    run_until(1 + runs % 4, [&] { return controller.stats().done > before || producing == 0; });
  }
  // A forget() may have met another thread's enqueue; the last word is here.
  for (std::size_t key = 0; key < kKeys; ++key) {
    changes.change(key);
    controller.enqueue_now(std::to_string(key));
  }
  run_until(4, [&] { return controller.empty(); });

  changes.expect_all_seen();
  EXPECT_TRUE(controller.empty());
  const Stats stats = controller.stats();
  EXPECT_EQ(stats.retrying, 0U);
  EXPECT_EQ(stats.handling_now, 0U);
  EXPECT_EQ(stats.given_up, 0U);
}

// However close forget() comes to the moment at which a worker takes the key or ends its run.
TEST(ControllerStress, AForgottenKeyIsNotPlannedByTheRunThatItMeets) {
  Controller controller(system_clock(), "stress", without_waiting(),
                        Handler([](Context&, const std::string& key) -> Result<Outcome> {
                          return Outcome::requeue_after(std::chrono::hours(key == "busy" ? 0 : 1));
                        }));
  Result<StopReport> left;
  controller.enqueue_now("busy");  // keeps a worker awake
  {
    const std::jthread runner([&](const std::stop_token& stop) { left = controller.run(stop, 2); });
    for (int round = 0; round < 50'000; ++round) {
      const std::string key = std::to_string(round);
      controller.enqueue_now(key);
      for (std::atomic<int> turns = round % 100; turns > 0;) --turns;
      controller.forget(key);
    }
  }
  ASSERT_TRUE(left);
  EXPECT_EQ(left->delayed, 0U);
}

}  // namespace
}  // namespace windlass::reconcile
