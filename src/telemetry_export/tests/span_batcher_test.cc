#include "windlass/telemetry_export/span_batcher.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::telemetry_export {
namespace {

using namespace std::chrono_literals;
using telemetry::SpanData;

// Answers as the test's function says and keeps the names of the spans it was given.
class FakeExporter final : public SpanExporter {
 public:
  using Answer = std::function<Result<std::size_t>(int call, const std::stop_token& stop)>;

  explicit FakeExporter(Answer answer) : answer_(std::move(answer)) {}

  Result<std::size_t> export_spans(std::span<const SpanData> spans, Duration at_most,
                                   const std::stop_token& stop) override {
    int call = 0;
    {
      MutexLock lock(mutex_);
      at_most_.push_back(at_most);
      std::string names;
      for (const SpanData& span : spans) names += span.name;
      calls_.push_back(names);
      call = static_cast<int>(calls_.size());
      changed_.notify_all();
    }
    return answer_(call, stop);
  }

  void await_calls(std::size_t count) {
    MutexLock lock(mutex_);
    system_clock().wait(mutex_, changed_, {}, [&] {
      mutex_.assert_held();
      return calls_.size() >= count;
    });
  }

  // How long each call might take.
  std::vector<Duration> at_most() {
    MutexLock lock(mutex_);
    return at_most_;
  }

  std::vector<std::string> calls() {
    MutexLock lock(mutex_);
    return calls_;
  }

 private:
  const Answer answer_;

  Mutex mutex_;
  CondVar changed_;
  std::vector<std::string> calls_ GUARDED_BY(mutex_);
  std::vector<Duration> at_most_ GUARDED_BY(mutex_);
};

Result<std::size_t> take_all(int, const std::stop_token&) { return 0; }

Result<std::size_t> refuse(int, const std::stop_token&) {
  return fail(ErrorCode::kUnavailable, "connection refused");
}

// Blocks until it is told to stop.
Result<std::size_t> hang(int, const std::stop_token& stop) {
  Mutex mutex;
  CondVar nobody;
  MutexLock lock(mutex);
  system_clock().wait(mutex, nobody, stop, [] { return false; });
  return fail(ErrorCode::kCancelled, "cancelled");
}

struct World {
  explicit World(FakeExporter::Answer answer, SpanBatcher::Options options = {})
      : exporter(std::move(answer)), batcher(clock, exporter, options, logger) {}

  void end_spans(std::string_view names) {
    for (const char name : names) {
      SpanData span;
      span.name = std::string(1, name);
      batcher.on_end(std::move(span));
    }
  }

  FakeClock clock;
  telemetry::RecordingLogger logger;
  FakeExporter exporter;
  SpanBatcher batcher;
};

using Calls = std::vector<std::string>;

TEST(SpanBatcher, SendsAFullBatchAtOnceAndAPartAfterTheDelay) {
  World world(take_all, {.batch_spans_max = 3, .batch_delay = 5s});
  world.end_spans("abc");
  world.exporter.await_calls(1);
  world.end_spans("d");
  // The thread has seen the span and waits for its batch to fill.
  while (world.clock.next_deadline() == TimePoint::max()) world.clock.await_sleepers(1);
  world.clock.advance(5s);
  world.exporter.await_calls(2);
  EXPECT_EQ(world.exporter.calls(), (Calls{"abc", "d"}));
}

TEST(SpanBatcher, ShutDownSendsWhatWaits) {
  World world(take_all, {.batch_spans_max = 2});
  world.end_spans("abc");
  world.batcher.shut_down(TimePoint::max());
  EXPECT_EQ(world.exporter.calls(), (Calls{"ab", "c"}));
  world.end_spans("d");
  const SpanBatcher::Stats stats = world.batcher.stats();
  EXPECT_EQ(stats.exported, 3U);
  EXPECT_EQ(stats.dropped_full, 1U);
  EXPECT_EQ(stats.waiting, 0U);
  world.batcher.shut_down(TimePoint::max());
}

TEST(SpanBatcher, DropsWhatFindsNoRoomWithoutWaiting) {
  World world(hang, {.queue_spans_max = 3, .batch_spans_max = 1});
  world.end_spans("a");
  world.exporter.await_calls(1);
  world.end_spans("bcdef");
  SpanBatcher::Stats stats = world.batcher.stats();
  EXPECT_EQ(stats.waiting, 3U);
  EXPECT_EQ(stats.dropped_full, 3U);
  world.batcher.shut_down(world.clock.now());
  stats = world.batcher.stats();
  EXPECT_EQ(stats.dropped_failed, 3U);
  EXPECT_EQ(stats.exported + stats.waiting, 0U);
}

TEST(SpanBatcher, TriesAgainWhatMaySucceedLater) {
  World world(
      [](int call, const std::stop_token&) -> Result<std::size_t> {
        if (call == 1)
          return fail(Error{ErrorCode::kThrottled, "too many requests", Duration(30s)});
        if (call == 2) return refuse(call, {});
        return 0;
      },
      {.batch_spans_max = 1, .export_timeout = 60s});
  world.end_spans("a");
  world.exporter.await_calls(1);
  world.clock.await_sleepers(1);
  EXPECT_GE(world.clock.next_deadline(), world.clock.now() + 30s);
  world.clock.advance(31s);
  world.exporter.await_calls(2);
  world.clock.await_sleepers(1);
  world.clock.advance(2s);
  world.exporter.await_calls(3);
  world.batcher.shut_down(TimePoint::max());
  EXPECT_EQ(world.batcher.stats().exported, 1U);
  EXPECT_TRUE(world.logger.lines().empty());
}

TEST(SpanBatcher, GivesABatchUpAndSaysSoOnce) {
  World world(
      [](int call, const std::stop_token& stop) -> Result<std::size_t> {
        return call <= 4 ? refuse(call, stop) : Result<std::size_t>(0);
      },
      {.batch_spans_max = 1, .attempts_max = 2});
  for (const std::size_t tries : {2U, 4U}) {
    world.end_spans("a");
    world.exporter.await_calls(tries - 1);
    world.clock.await_sleepers(1);
    world.clock.advance(10s);
    world.exporter.await_calls(tries);
  }
  world.end_spans("b");
  world.batcher.shut_down(TimePoint::max());
  EXPECT_EQ(world.batcher.stats().dropped_failed, 2U);
  EXPECT_EQ(world.batcher.stats().exported, 1U);
  EXPECT_EQ(world.logger.lines(), (Calls{"warning spans are dropped: they cannot be sent spans=1 "
                                         "error=connection refused",
                                         "info spans can be sent again"}));
}

TEST(SpanBatcher, ABatchTakesNoLongerThanItMay) {
  World world(refuse, {.batch_spans_max = 1, .export_timeout = 10s, .retry_delay = 6s});
  world.end_spans("a");
  world.exporter.await_calls(1);
  world.clock.await_sleepers(1);
  world.clock.advance(6s);
  world.exporter.await_calls(2);  // another pause would end after ten seconds
  while (world.batcher.stats().waiting > 0) std::this_thread::yield();
  EXPECT_EQ(world.batcher.stats().dropped_failed, 1U);
  EXPECT_EQ(world.exporter.at_most(), (std::vector<Duration>{10s, 4s}));
}

TEST(SpanBatcher, DoesNotRepeatWhatIsRefusedForGood) {
  World world([](int, const std::stop_token&) -> Result<std::size_t> {
    return fail(ErrorCode::kUnauthenticated, "status 401");
  });
  world.end_spans("ab");
  world.batcher.shut_down(TimePoint::max());
  EXPECT_EQ(world.exporter.calls().size(), 1U);
  EXPECT_EQ(world.batcher.stats().dropped_failed, 2U);
}

TEST(SpanBatcher, CountsWhatTheReceiverTookTheBatchWithout) {
  World world([](int, const std::stop_token&) -> Result<std::size_t> { return 2; });
  world.end_spans("abc");
  world.batcher.shut_down(TimePoint::max());
  EXPECT_EQ(world.batcher.stats().exported, 1U);
  EXPECT_EQ(world.batcher.stats().dropped_failed, 2U);
}

TEST(SpanBatcher, EndsWithoutAReceiver) {
  World world(refuse);
  world.end_spans("abc");
}

TEST(SpanBatcher, LosesCountOfNoSpanUnderManyThreads) {
  World world(take_all, {.queue_spans_max = 50, .batch_spans_max = 10});
  {
    const auto end_many = [&] { world.end_spans(std::string(500, 'x')); };
    const std::array<std::jthread, 4> threads = {std::jthread(end_many), std::jthread(end_many),
                                                 std::jthread(end_many), std::jthread(end_many)};
  }
  world.batcher.shut_down(TimePoint::max());
  const SpanBatcher::Stats stats = world.batcher.stats();
  EXPECT_EQ(stats.exported + stats.dropped_full, 2000U);
  EXPECT_EQ(stats.waiting + stats.dropped_failed, 0U);
}

}  // namespace
}  // namespace windlass::telemetry_export
