#include "windlass/credentials/ask_once.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <string>

#include "windlass/base/testing/fake_clock.h"

namespace windlass::credentials {
namespace {

using std::chrono::seconds;
using Asker = AskOnce<std::string>;

class AskOnceTest : public testing::Test {
 protected:
  std::string get(const std::string& question, Duration keep = seconds(10)) {
    std::promise<std::string> promise;
    auto answer = promise.get_future();
    asker_.get(
        question,
        [&, keep](const std::stop_token&) {
          return Asker::Kept{.answer = question + std::to_string(++runs_), .keep = keep};
        },
        [&](std::string text) { promise.set_value(std::move(text)); });
    return answer.get();
  }

  FakeClock clock_;
  std::atomic<int> runs_ = 0;
  Asker asker_{clock_, "cancelled", {.threads_max = 2, .answers_max = 3}};
};

TEST_F(AskOnceTest, AnAnswerIsKeptForItsTime) {
  EXPECT_EQ(get("a"), "a1");
  EXPECT_EQ(get("a"), "a1");
  clock_.advance(seconds(10));
  EXPECT_EQ(get("a"), "a2");
  EXPECT_EQ(get("b", Duration::zero()), "b3");
  EXPECT_EQ(get("b"), "b4");
}

TEST_F(AskOnceTest, DroppingWorksOnceTheAnswerIsOldEnough) {
  EXPECT_EQ(get("a"), "a1");
  asker_.drop("a", seconds(5));
  EXPECT_EQ(get("a"), "a1");
  clock_.advance(seconds(5));
  asker_.drop("a", seconds(5));
  EXPECT_EQ(get("a"), "a2");
  asker_.drop("unknown", {});
}

TEST_F(AskOnceTest, KeepsNoMoreThanItsBound) {
  for (const char* question : {"a", "b", "c", "d"}) get(question);
  EXPECT_EQ(runs_, 4);
  for (const char* question : {"b", "c", "d"}) get(question);
  EXPECT_EQ(runs_, 4);
  get("a");
  EXPECT_EQ(runs_, 5);
}

TEST_F(AskOnceTest, OneRunForAllWhoWait) {
  std::latch asked(1);
  std::latch answered(50);
  for (int i = 0; i < 50; ++i) {
    asker_.get(
        "q",
        [&](const std::stop_token&) {
          asked.wait();
          ++runs_;
          return Asker::Kept{.answer = "x", .keep = {}};
        },
        [&](const std::string&) { answered.count_down(); });
  }
  asked.count_down();
  answered.wait();
  EXPECT_EQ(runs_, 1);
}

TEST(AskOnce, DestructionStopsTheWorkAndAnswersAll) {
  FakeClock clock;
  std::vector<std::string> answers;
  std::latch running(1);
  {
    Asker asker(clock, "cancelled", {.threads_max = 1, .answers_max = 10});
    for (int i = 0; i < 3; ++i) {
      asker.get(
          std::to_string(i),
          [&](const std::stop_token& stop) {
            running.count_down();
            clock.sleep_until(TimePoint::max(), stop);
            return Asker::Kept{.answer = "stopped", .keep = seconds(1)};
          },
          [&](std::string answer) { answers.push_back(std::move(answer)); });
    }
    running.wait();
  }
  EXPECT_EQ(answers, (std::vector<std::string>{"stopped", "cancelled", "cancelled"}));
}

}  // namespace
}  // namespace windlass::credentials
