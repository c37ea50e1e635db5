#include "windlass/workqueue/default_limiters.h"

#include <gtest/gtest.h>

#include <string>

#include "windlass/base/testing/fake_clock.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;

TEST(DefaultControllerLimiter, IsBackoffFrom5MsTo1000SAndABucketOf10ASecondBurst100) {
  FakeClock clock;
  const auto limiter = default_controller_limiter<std::string>(clock);
  Duration delay = 5ms;
  for (int i = 0; i < 18; ++i, delay *= 2) EXPECT_EQ(limiter->next_delay("a"), delay);
  EXPECT_EQ(limiter->next_delay("a"), 1000s);
  for (int i = 19; i < 100; ++i) limiter->next_delay("b" + std::to_string(i));
  EXPECT_EQ(limiter->next_delay("c"), 100ms);
  EXPECT_EQ(limiter->num_requeues("a"), 19);
  EXPECT_TRUE(limiter->forget("a"));
  EXPECT_EQ(limiter->num_requeues("a"), 0);
}

TEST(DefaultControllerLimiter, AFirstTryThatIsFreeTakesNoToken) {
  FakeClock clock;
  const auto limiter = default_controller_limiter<std::string>(clock, {.first_try_is_free = true});
  for (int i = 0; i < 500; ++i) EXPECT_EQ(limiter->next_delay(std::to_string(i)), 5ms);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(limiter->next_delay(std::to_string(i)), 10ms);
  EXPECT_EQ(limiter->next_delay("100"), 100ms);
  limiter->give_back("499");  // had no token to return
  EXPECT_EQ(limiter->next_delay("101"), 200ms);
  limiter->give_back("101");
  EXPECT_EQ(limiter->next_delay("102"), 200ms);
}

TEST(DefaultItemLimiter, IsBackoffFrom1MsTo1000S) {
  const auto limiter = default_item_limiter<std::string>();
  EXPECT_EQ(limiter->next_delay("a"), 1ms);
  EXPECT_EQ(limiter->next_delay("a"), 2ms);
  for (int i = 0; i < 30; ++i) limiter->next_delay("a");
  EXPECT_EQ(limiter->next_delay("a"), 1000s);
}

}  // namespace
}  // namespace windlass::workqueue
