// Goal: no order of threads calls an owner back after it was forgotten, or leaves anything behind.
// Method: owners come and go in sixteen threads while another answers at random and time passes.
// Each thread has an owner of its own, of which it knows when it is forgotten; others are shared.
#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "windlass/base/random.h"
#include "windlass/base/testing/fake_clock.h"
#include "windlass/resolver/background_resolver.h"
#include "windlass/resolver/testing/scripted_image_resolver.h"

namespace windlass::resolver {
namespace {

constexpr std::size_t kOwners = 8;
constexpr std::size_t kThreads = 16;
constexpr int kSteps = 500;

using Names = std::vector<std::string>;
using Answering = std::function<Result<registry::Resolution>(const image::ImageReference&)>;

std::string owner_name(std::uint64_t number) { return "ns/" + std::to_string(number % kOwners); }

std::string own_name(std::size_t thread) { return "own/" + std::to_string(thread); }

Answering random_answer(std::uint64_t draw) {
  return [draw](const image::ImageReference& reference) -> Result<registry::Resolution> {
    if (draw % 4 == 0) return fail(ErrorCode::kUnavailable, "connection refused");
    if (draw % 4 == 1) return fail(ErrorCode::kNotFound, "no such tag");
    return resolution_for(reference);
  };
}

class Stress {
 public:
  explicit Stress(ScriptedImageResolver::OnStop on_stop)
      : images_(on_stop), resolver_(clock_, images_, options(), [this](const std::string& owner) {
          called_back(owner);
        }) {}

  void run() {
    std::jthread answering([this](const std::stop_token& stop) { answer(stop); });
    {
      std::vector<std::jthread> owners;
      for (std::size_t i = 0; i < kThreads; ++i) {
        owners.emplace_back([this, i] { come_and_go(i); });
      }
    }
    resolver_.stop(BackgroundResolver::StopMode::kCancel);
    answering.request_stop();
    answering.join();
    for (std::uint64_t owner = 0; owner < kOwners; ++owner) resolver_.forget(owner_name(owner));
    for (std::size_t i = 0; i < kThreads; ++i) resolver_.forget(own_name(i));
    const Status status = resolver_.status();
    EXPECT_EQ(status.owners.pending + status.owners.resolved + status.owners.failed, 0U);
    EXPECT_EQ(status.images.pending + status.images.resolved + status.images.failed, 0U);
    EXPECT_EQ(status.lookups, 0U);
    EXPECT_GT(callbacks_, 0U);
    EXPECT_EQ(callbacks_after_forget_, 0U);
  }

 private:
  static Options options() {
    Options options;
    options.in_flight_max = 3;
    options.seed = 1;
    return options;
  }

  void called_back(const std::string& owner) {
    ++callbacks_;
    for (std::size_t i = 0; i < kThreads; ++i) {
      if (owner == own_name(i) && forgotten_[i]) ++callbacks_after_forget_;
    }
    if (owner.starts_with("ns/")) resolver_.resolve(owner, Names{"app"});
  }

  void come_and_go(std::size_t thread) {
    Random random(thread);
    for (int step = 0; step < kSteps; ++step) {
      forgotten_[thread] = false;
      resolver_.resolve(own_name(thread), Names{"app", "own:" + std::to_string(thread)});
      if (step % 4 == 0) {
        resolver_.forget(own_name(thread));
        forgotten_[thread] = true;
      }
      const std::string owner = owner_name(random.next());
      switch (random.next() % 8) {
        case 0: resolver_.forget(owner); break;
        case 1: resolver_.clear(owner); break;
        case 2: resolver_.status(); break;
        case 3: resolver_.resolve(owner, Names{"app", "other:v2", "kind.local/x"}); break;
        case 4: resolver_.resolve(owner, Names{}); break;
        default: resolver_.resolve(owner, Names{"app"}); break;
      }
    }
  }

  void answer(const std::stop_token& stop) {
    Random random(99);
    while (!stop.stop_requested()) {
      images_.answer_nth(random.next() % 3, random_answer(random.next()));
      clock_.advance(std::chrono::milliseconds(random.next() % 300));
    }
    while (images_.answer_nth(0, random_answer(2))) {
    }
  }

  FakeClock clock_;
  ScriptedImageResolver images_;
  std::atomic<std::size_t> callbacks_ = 0;
  std::atomic<std::size_t> callbacks_after_forget_ = 0;
  std::array<std::atomic<bool>, kThreads> forgotten_ = {};
  BackgroundResolver resolver_;
};

TEST(BackgroundResolverStress, LeavesNothingBehindWhenCancelledLookupsEndAtOnce) {
  Stress(ScriptedImageResolver::OnStop::kCancels).run();
}

TEST(BackgroundResolverStress, LeavesNothingBehindWhenCancelledLookupsEndLate) {
  Stress(ScriptedImageResolver::OnStop::kIgnored).run();
}

}  // namespace
}  // namespace windlass::resolver
