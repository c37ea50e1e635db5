#include "resolver_metrics.h"

#include <gtest/gtest.h>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/resolver/background_resolver.h"
#include "windlass/resolver/testing/scripted_image_resolver.h"
#include "windlass/telemetry/testing/metric_values.h"

namespace windlass::resolver {
namespace {

using Names = std::vector<std::string>;
using telemetry::Labels;
using telemetry::metric_value;

class ResolverMetricsTest : public testing::Test {
 protected:
  std::optional<double> value(std::string_view name, const Labels& labels = {}) const {
    return metric_value(metrics_, "windlass_resolver_" + std::string(name), labels);
  }
  std::optional<double> tries(const std::string& outcome) const {
    return value("tries_total", {{"registry", "r.test"}, {"outcome", outcome}});
  }
  double images(const std::string& from) const {
    return value("images_total", {{"from", from}}).value_or(-1);
  }

  FakeClock clock_;
  ScriptedImageResolver images_{ScriptedImageResolver::OnStop::kCancels};
  telemetry::Metrics metrics_;
  BackgroundResolver resolver_{clock_,
                               images_,
                               {.retry_jitter = 0, .seed = 1},
                               [](const std::string&) {},
                               telemetry::null_logger(),
                               telemetry::null_tracer(),
                               metrics_};
};

TEST_F(ResolverMetricsTest, TellWhereAnswersCameFrom) {
  resolver_.resolve("a", Names{"r.test/app", "r.test/app", "kind.local/x", "no image"});
  resolver_.resolve("b", Names{"r.test/app", "r.test/app@sha256:" + std::string(64, 'a')});
  images_.await_started(1);
  images_.answer("r.test/app");
  resolver_.resolve("c", Names{"r.test/app"});
  EXPECT_EQ(images("lookup"), 1);
  EXPECT_EQ(images("shared"), 2);
  EXPECT_EQ(images("cache"), 1);
  EXPECT_EQ(images("digest"), 1);
  EXPECT_EQ(images("skipped"), 1);
  EXPECT_EQ(images("malformed"), 1);
  EXPECT_EQ(images("refused"), 0);
}

TEST_F(ResolverMetricsTest, TellHowTriesEndedAndHowLongTheyTook) {
  resolver_.resolve("a", Names{"r.test/app"});
  images_.await_started(1);
  clock_.advance(std::chrono::milliseconds(300));
  images_.answer("r.test/app", fail(ErrorCode::kUnavailable, "down"));
  clock_.advance(std::chrono::seconds(1));
  images_.await_started(2);
  EXPECT_EQ(value("lookups", {{"state", "running"}}), 1);
  EXPECT_EQ(value("lookups", {{"state", "waiting"}}), 0);
  EXPECT_EQ(value("oldest_lookup_seconds"), 1.3);
  EXPECT_EQ(value("owners", {{"state", "pending"}}), 1);
  registry::Resolution found = resolution_for(*image::ImageReference::parse("r.test/app"));
  found.rate_limit = registry::RateLimit{.limit = 100, .remaining = 76, .window = {}};
  images_.answer("r.test/app", found);
  EXPECT_EQ(tries("unavailable"), 1);
  EXPECT_EQ(tries("found"), 1);
  EXPECT_EQ(tries("not-found"), std::nullopt);
  const Labels registry = {{"registry", "r.test"}};
  EXPECT_EQ(value("retries_total", registry), 1);
  EXPECT_EQ(telemetry::observations(metrics_, "windlass_resolver_try_seconds", registry), 2U);
  EXPECT_DOUBLE_EQ(
      telemetry::histogram_value(metrics_, "windlass_resolver_try_seconds", registry)->sum, 0.3);
  EXPECT_EQ(value("rate_limit_remaining", registry), 76);
  EXPECT_EQ(value("owners", {{"state", "resolved"}}), 1);
}

TEST_F(ResolverMetricsTest, TellOfARegistryThatAskedForAPause) {
  resolver_.resolve("a", Names{"r.test/app"});
  images_.await_started(1);
  images_.answer("r.test/app", fail(Error{.code = ErrorCode::kThrottled,
                                          .message = "slow down",
                                          .retry_after = std::chrono::seconds(20)}));
  const Labels registry = {{"registry", "r.test"}};
  EXPECT_EQ(value("registry_shut_seconds", registry), 20);
  EXPECT_EQ(value("registry_tripped", registry), 0);
  resolver_.resolve("b", Names{"r.test/other"});
  EXPECT_EQ(value("registry_waiting", registry), 1);
  resolver_.forget("a");
  resolver_.forget("b");
  EXPECT_EQ(value("lookups", {{"state", "waiting"}}), 0);
}

TEST(Tallies, HoldABoundedNumberOfRegistries) {
  Tallies tallies;
  for (std::size_t i = 0; i < 2 * Tallies::kRegistriesMax; ++i)
    ++tallies.of("r" + std::to_string(i)).found;
  EXPECT_EQ(tallies.registries().size(), Tallies::kRegistriesMax + 1);
  EXPECT_EQ(tallies.of("another").found, Tallies::kRegistriesMax);
}

}  // namespace
}  // namespace windlass::resolver
