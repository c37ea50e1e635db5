#include "token_cache.h"

#include <gtest/gtest.h>

#include "windlass/base/testing/fake_clock.h"

namespace windlass::registry {
namespace {

using Granted = TokenCache::Granted;
using std::chrono::seconds;

// A cache whose exchanges wait for the test.
class TokenCacheTest : public testing::Test {
 protected:
  ~TokenCacheTest() override {
    answer_all(fail(ErrorCode::kCancelled, "the test ends"));
    timers.fire_due(clock.now());
  }

  void get(const std::string& key, std::stop_token stop = {}) {
    get_detached(key, std::move(stop));
  }

  void answer_all(const Result<Token>& token) {
    std::vector<Completion<Result<Token>>::Callback> all;
    all.swap(exchanges);
    for (auto& exchange : all) exchange(token);
  }

  static Token token(std::string_view value) {
    return {.value = credentials::Secret(value), .lifetime = seconds(100)};
  }

  FakeClock clock;
  Timers timers;
  Running running;
  TokenCache cache{clock, timers, running, 10};
  std::vector<Completion<Result<Token>>::Callback> exchanges;
  std::vector<std::stop_token> exchange_stops;
  std::vector<Result<Granted>> results;

 private:
  Task<Result<Token>> exchange(std::stop_token stop) {
    exchange_stops.push_back(stop);
    Completion<Result<Token>> answered([this](auto done) { exchanges.push_back(std::move(done)); });
    co_return co_await answered;
  }

  Detached get_detached(std::string key, std::stop_token stop) {
    Task<Result<Granted>> getting = cache.get(
        key, [this](std::stop_token s) { return exchange(std::move(s)); }, std::move(stop));
    Result<Granted> result = co_await getting;
    results.push_back(std::move(result));
  }
};

TEST_F(TokenCacheTest, OneExchangeForAllWhoWait) {
  for (int i = 0; i < 5; ++i) get("a");
  get("b");
  EXPECT_EQ(exchanges.size(), 2U);
  answer_all(token("t"));
  ASSERT_EQ(results.size(), 6U);
  for (const auto& result : results) {
    EXPECT_EQ(result->token.reveal(), "t");
    EXPECT_FALSE(result->cached);
  }
  EXPECT_EQ(running.count(), 0U);
}

TEST_F(TokenCacheTest, TokensAreKeptUntilShortlyBeforeTheyExpire) {
  get("a");
  answer_all(token("t"));
  clock.advance(seconds(89));
  get("a");
  EXPECT_TRUE(results.back()->cached);
  clock.advance(seconds(1));
  get("a");
  EXPECT_EQ(exchanges.size(), 1U);
}

TEST_F(TokenCacheTest, DropForgetsTheRefusedTokenAndNoNewerOne) {
  get("a");
  answer_all(token("t"));
  cache.drop("a", credentials::Secret("other"));
  get("a");
  EXPECT_TRUE(results.back()->cached);
  cache.drop("a", credentials::Secret("t"));
  get("a");
  EXPECT_EQ(exchanges.size(), 1U);
}

TEST_F(TokenCacheTest, ErrorsAreSharedAndNotKept) {
  get("a");
  get("a");
  answer_all(fail(ErrorCode::kUnavailable, "503"));
  EXPECT_EQ(results.size(), 2U);
  get("a");
  EXPECT_EQ(exchanges.size(), 1U);
}

TEST_F(TokenCacheTest, LeavingLeavesTheOthersWaiting) {
  std::stop_source stop;
  get("a", stop.get_token());
  get("a");
  stop.request_stop();
  timers.fire_due(clock.now());
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(exchange_stops[0].stop_requested());
  answer_all(token("t"));
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[1]->token.reveal(), "t");
}

TEST_F(TokenCacheTest, TheLastToLeaveStopsTheExchangeAndTheNextStartsAnew) {
  std::stop_source stop;
  get("a", stop.get_token());
  stop.request_stop();
  EXPECT_TRUE(exchange_stops[0].stop_requested());
  get("a");
  EXPECT_EQ(exchanges.size(), 2U);
  answer_all(token("t"));
  timers.fire_due(clock.now());
  ASSERT_EQ(results.size(), 2U);
  EXPECT_TRUE(results[0].has_value());
  EXPECT_FALSE(results[1].has_value());
}

TEST_F(TokenCacheTest, StoppedBeforehandGetsNothingAndStopsItsOwnExchange) {
  std::stop_source stop;
  stop.request_stop();
  get("a", stop.get_token());
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(exchange_stops[0].stop_requested());
}

}  // namespace
}  // namespace windlass::registry
