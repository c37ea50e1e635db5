// What a line, a span and a count cost: switched off (what everybody pays) and on.
#include <benchmark/benchmark.h>

#include "windlass/base/clock.h"
#include "windlass/telemetry/field_logger.h"
#include "windlass/telemetry/metrics.h"
#include "windlass/telemetry/tracer.h"

namespace windlass::telemetry {
namespace {

class Discard final : public SpanSink {
 public:
  void on_end(SpanData span) override { benchmark::DoNotOptimize(span.name.data()); }
};

void BM_Logger_DisabledLine(benchmark::State& state) {
  Logger* logger = &null_logger();
  std::int64_t count = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(logger);
    logger->debug("took a key", {{"queue", "pods"}, {"attempt", ++count}});
  }
}
BENCHMARK(BM_Logger_DisabledLine);

void BM_FieldLogger_MadeAndDisabledLine(benchmark::State& state) {
  Logger* logger = &null_logger();
  for (auto _ : state) {
    benchmark::DoNotOptimize(logger);
    FieldLogger of_run(*logger, {{"queue", "pods"}, {"workerId", 3}, {"key", "shop/web"}});
    of_run.debug("took a key");
  }
}
BENCHMARK(BM_FieldLogger_MadeAndDisabledLine);

void run_span(benchmark::State& state, Tracer* tracer, const SpanContext& parent) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(tracer);
    Span span = tracer->start("reconcile", parent, {{"queue", "pods"}});
    span.set({"requeues", 3});
    benchmark::DoNotOptimize(span);
  }
}

void BM_Tracer_DisabledSpan(benchmark::State& state) { run_span(state, &null_tracer(), kNoParent); }
BENCHMARK(BM_Tracer_DisabledSpan);

void BM_Tracer_UnsampledSpan(benchmark::State& state) {
  Discard discard;
  Tracer tracer(system_clock(), discard, {.sampling = {.ratio = 0}});
  run_span(state, &tracer, kNoParent);
}
BENCHMARK(BM_Tracer_UnsampledSpan);

void BM_Tracer_RecordedSpan(benchmark::State& state) {
  Discard discard;
  Tracer tracer(system_clock(), discard, {});
  run_span(state, &tracer, kNoParent);
}
BENCHMARK(BM_Tracer_RecordedSpan);

void run_counts(benchmark::State& state, Metrics& metrics) {
  Counter counter = metrics.counter("runs_total", "Runs.");
  Histogram histogram = metrics.histogram("run_seconds", "Runs.", default_seconds_buckets());
  for (auto _ : state) {
    benchmark::DoNotOptimize(counter);
    benchmark::DoNotOptimize(histogram);
    counter.add();
    histogram.observe(std::chrono::milliseconds(3));
  }
}

void BM_Metrics_DisabledCounterAndHistogram(benchmark::State& state) {
  run_counts(state, null_metrics());
}
BENCHMARK(BM_Metrics_DisabledCounterAndHistogram);

void BM_Metrics_CounterAndHistogram(benchmark::State& state) {
  Metrics metrics;
  run_counts(state, metrics);
}
BENCHMARK(BM_Metrics_CounterAndHistogram);

}  // namespace
}  // namespace windlass::telemetry

BENCHMARK_MAIN();
