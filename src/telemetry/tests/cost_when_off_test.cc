// Counts allocations by taking the place of operator new, for the whole test program.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "windlass/telemetry/field_logger.h"
#include "windlass/telemetry/metrics.h"
#include "windlass/telemetry/testing/recording_logger.h"
#include "windlass/telemetry/testing/recording_spans.h"

namespace {

thread_local std::size_t allocations = 0;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace windlass::telemetry {
namespace {

constexpr std::string_view kLong = "a text that is far too long for the small buffer of a string";

template <class Work>
std::size_t allocations_of(const Work& work) {
  const std::size_t before = allocations;
  work();
  return allocations - before;
}

TEST(CostWhenOff, TheCounterSeesAllocations) {
  EXPECT_GT(allocations_of([] { EXPECT_FALSE(std::string(kLong).empty()); }), 0U);
}

TEST(CostWhenOff, ALineBelowTheThresholdAllocatesNothing) {
  RecordingLogger logger(Level::kWarn);
  const Error error{.code = ErrorCode::kInternal, .message = std::string(kLong)};
  EXPECT_EQ(allocations_of([&] {
              FieldLogger of_run(logger, {{"queue", kLong}, {"workerId", 3}});
              of_run.info(kLong, {{"key", kLong}, {"attempt", 20}, error});
            }),
            0U);
  EXPECT_TRUE(logger.lines().empty());
}

TEST(CostWhenOff, ASpanAllocatesNothing) {
  SpanContext parent = *parse_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                          "vendor=0123456789abcdef0123456789abcdef");
  const Error error{.code = ErrorCode::kInternal, .message = std::string(kLong)};
  EXPECT_EQ(allocations_of([&] {
              Span span = null_tracer().start(kLong, parent, {{"queue", kLong}});
              span.set({"key", kLong});
              span.add_event(kLong, {{"attempt", 1}});
              span.set_error(error);
              EXPECT_FALSE(span.recording());
            }),
            0U);
}

TEST(CostWhenOff, ASpanThatIsNotSampledAllocatesNothing) {
  RecordingSpans spans;
  Tracer tracer(system_clock(), spans, {.sampling = {.ratio = 0}});
  EXPECT_EQ(allocations_of([&] {
              const Span first = tracer.start(kLong, kNoParent, {{"queue", kLong}});
              Span second = tracer.start(kLong, first.context());
              second.set({"key", kLong});
            }),
            0U);
  EXPECT_TRUE(spans.spans().empty());
}

TEST(CostWhenOff, CountingAllocatesNothing) {
  const Counter off = null_metrics().counter("runs_total", "Runs.");
  Metrics metrics;
  const Counter counter = metrics.counter("runs_total", "Runs.");
  const Histogram histogram = metrics.histogram("run_seconds", "Runs.", default_seconds_buckets());
  EXPECT_EQ(allocations_of([&] {
              off.add();
              counter.add();
              histogram.observe(std::chrono::seconds(3));
            }),
            0U);
}

}  // namespace
}  // namespace windlass::telemetry
