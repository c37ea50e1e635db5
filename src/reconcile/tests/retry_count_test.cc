// How often a handler is called for a key that fails, whatever the limits and the way it came.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <stdexcept>

#include "controller_world.h"
#include "windlass/workqueue/token_bucket.h"

namespace windlass::reconcile {
namespace {

// What happens to one key: a run for each entry, and successes when there are no more.
enum class Ending { kDone, kFails, kThrows, kRequeues, kRequeuesAfter, kTerminal };

struct Plan {
  bool rate_limited = false;
  int enqueued = 1;  // times, before its first run
  std::vector<Ending> endings;
};

// How the key is handled by the rules as they are written in retry_policy.h, in plain words.
struct Expected {
  std::size_t calls = 0;
  Stats stats;
};

void follow_rule(const Plan& plan, bool counts_requeues, int limit, Expected& expected) {
  int limiter = plan.rate_limited ? 1 : 0;
  int tries = 0;
  int asked = 0;
  const auto end = [&] { limiter = tries = asked = 0; };
  for (std::size_t run = 0;; ++run) {
    ++expected.calls;
    switch (run < plan.endings.size() ? plan.endings[run] : Ending::kDone) {
      case Ending::kDone: ++expected.stats.done; return;
      case Ending::kTerminal: ++expected.stats.terminal; return;
      case Ending::kRequeuesAfter:
        ++expected.stats.requeued_after;
        end();
        break;
      case Ending::kRequeues:
        ++expected.stats.requeued;
        ++limiter;
        ++asked;
        break;
      case Ending::kThrows: ++expected.stats.threw; [[fallthrough]];
      case Ending::kFails:
        ++tries;
        if ((counts_requeues ? limiter - asked : tries) >= limit) {
          ++expected.stats.given_up;
          return;
        }
        ++expected.stats.retried;
        ++limiter;
    }
  }
}

Result<Outcome> end_as(Ending ending) {
  switch (ending) {
    case Ending::kDone: return Outcome::done();
    case Ending::kFails: return fail(some_error());
    case Ending::kThrows: throw std::runtime_error("out of cheese");
    case Ending::kRequeues: return Outcome::requeue();
    case Ending::kRequeuesAfter: return Outcome::requeue_after({});
    case Ending::kTerminal: return Outcome::terminal(some_error());
  }
  return Outcome::done();
}

RC_GTEST_PROP(RetryCount, EachKeyIsTriedExactlyAsOftenAsTheRuleSays, ()) {
  const int limit = *rc::gen::inRange(0, 12);
  const bool counts_requeues = *rc::gen::arbitrary<bool>();
  const auto ending = rc::gen::weightedElement<Ending>({{12, Ending::kFails},
                                                        {4, Ending::kThrows},
                                                        {2, Ending::kRequeues},
                                                        {1, Ending::kRequeuesAfter},
                                                        {1, Ending::kTerminal},
                                                        {1, Ending::kDone}});
  const auto plans = *rc::gen::container<std::vector<Plan>>(
      4,
      rc::gen::build<Plan>(
          rc::gen::set(&Plan::rate_limited), rc::gen::set(&Plan::enqueued, rc::gen::inRange(1, 30)),
          rc::gen::set(&Plan::endings, rc::gen::container<std::vector<Ending>>(ending))));
  Expected expected;
  for (const Plan& plan : plans) follow_rule(plan, counts_requeues, limit, expected);

  Options options = without_waiting();
  options.retry_policy =
      counts_requeues ? retry_while_requeues_below(limit) : retry_while_tries_below(limit);
  std::map<std::string, std::size_t> runs;  // the one worker's
  ControllerWorld world(std::move(options), [&](Context&, const std::string& key) {
    const Plan& plan = plans[std::stoul(key)];
    const std::size_t run = runs[key]++;
    return end_as(run < plan.endings.size() ? plan.endings[run] : Ending::kDone);
  });
  for (std::size_t key = 0; key < plans.size(); ++key) {
    for (int i = 0; i < plans[key].enqueued; ++i) {
      if (plans[key].rate_limited) {
        world.controller().enqueue(std::to_string(key));
      } else {
        world.controller().enqueue_now(std::to_string(key));
      }
    }
  }
  world.start();
  world.await_idle(expected.calls);
  world.stop();

  RC_ASSERT(world.await_handled(0).size() == expected.calls);
  RC_ASSERT(world.controller().empty());
  const Stats stats = world.controller().stats();
  RC_ASSERT(stats.done == expected.stats.done);
  RC_ASSERT(stats.terminal == expected.stats.terminal);
  RC_ASSERT(stats.requeued == expected.stats.requeued);
  RC_ASSERT(stats.requeued_after == expected.stats.requeued_after);
  RC_ASSERT(stats.retried == expected.stats.retried);
  RC_ASSERT(stats.given_up == expected.stats.given_up);
  RC_ASSERT(stats.threw == expected.stats.threw);
  RC_ASSERT(stats.retrying == 0U);
}

TEST(RetryCount, ALimiterThatDoesNotCountBoundsTheRetriesAllTheSame) {
  Options options;
  options.max_retries = 5;
  FakeClock clock;
  options.limiter = std::make_unique<workqueue::TokenBucket<std::string>>(
      clock, workqueue::TokenBucketOptions{.burst = 1000});
  ControllerWorld world(std::move(options), [](Context&, const std::string&) -> Result<Outcome> {
    return fail(some_error());
  });
  world.controller().enqueue_now("a");
  world.start();
  EXPECT_EQ(world.await_idle(6).size(), 6U);
  EXPECT_TRUE(world.controller().empty());
}

TEST(RetryCount, EnqueueingOftenUsesUpNoRetriesAndNoBackoff) {
  Options options = with_seconds();
  options.max_retries = 3;
  ControllerWorld world(std::move(options), [](Context&, const std::string&) -> Result<Outcome> {
    return fail(some_error());
  });
  for (int i = 0; i < 20; ++i) world.controller().enqueue("a");
  world.start();
  world.await_workers(1);
  std::size_t runs = 0;
  for (const int delay : {1, 2, 4}) {
    world.clock().advance(std::chrono::seconds(delay));
    EXPECT_EQ(world.await_idle(++runs).size(), runs);
  }
  EXPECT_EQ(world.controller().stats().given_up, 1U);
  EXPECT_TRUE(world.controller().empty());
}

TEST(RetryCount, RequeuesThatTheHandlerAskedForLeaveAllRetries) {
  Options options = without_waiting();
  options.max_retries = 2;
  int calls = 0;
  ControllerWorld world(std::move(options), [&](Context&, const std::string&) -> Result<Outcome> {
    if (++calls <= 30) return Outcome::requeue();
    return fail(some_error());
  });
  world.controller().enqueue_now("a");
  world.start();
  EXPECT_EQ(world.await_idle(33).size(), 33U);
  EXPECT_EQ(world.controller().stats().given_up, 1U);
}

}  // namespace
}  // namespace windlass::reconcile
