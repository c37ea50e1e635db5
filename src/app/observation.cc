#include "observation.h"

#include <utility>

#include "windlass/base/format.h"
#include "windlass/telemetry_export/prometheus_text.h"

namespace windlass::app {
namespace {

constexpr std::string_view kTracesVariable = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

telemetry_export::TraceSettings settings_of(const CommonOptions& options,
                                            const Environment& environment) {
  const auto with_option = [&](const std::string& name) -> std::optional<std::string> {
    if (name == kTracesVariable && !options.trace_endpoint.empty()) return options.trace_endpoint;
    return environment(name);
  };
  return telemetry_export::trace_settings(with_option, "windlass");
}

// What called us may have a trace already.
telemetry::SpanContext parent_of(const Environment& environment, telemetry::Logger& logger) {
  const std::string parent = environment("TRACEPARENT").value_or("");
  if (parent.empty()) return {};
  auto context = telemetry::parse_traceparent(parent, environment("TRACESTATE").value_or(""));
  if (context) return std::move(*context);
  logger.warn(format("TRACEPARENT is not used, and this run has a trace of its own: {}",
                     context.error().message));
  return {};
}

class CountedLookups final : public registry::ImageResolver {
 public:
  CountedLookups(registry::ImageResolver& next, Clock& clock, telemetry::Metrics& metrics)
      : next_(next), clock_(clock), metrics_(metrics) {}

  void resolve(const image::ImageReference& reference, const registry::LookupOptions& options,
               std::stop_token stop, registry::LookupCallback done) override {
    next_.resolve(reference, options, std::move(stop),
                  [this, registry = reference.registry(), started = clock_.now(),
                   done = std::move(done)](Result<registry::Resolution> result) mutable {
                    if (!result || result->asked)
                      count(registry, result.has_value(), clock_.now() - started);
                    done(std::move(result));
                  });
  }

 private:
  void count(const std::string& registry, bool resolved, Duration took) {
    metrics_
        .counter("windlass_lookups_total", "Digests that were asked for.",
                 {{"registry", registry}, {"result", resolved ? "resolved" : "failed"}})
        .add();
    metrics_
        .histogram("windlass_lookup_seconds", "Time that lookups took, with all their tries.",
                   telemetry::default_seconds_buckets(), {{"registry", registry}})
        .observe(took);
  }

  registry::ImageResolver& next_;
  Clock& clock_;
  telemetry::Metrics& metrics_;
};

}  // namespace

Observation::Observation(std::string_view command, const CommonOptions& options,
                         const Environment& environment, Clock& clock, telemetry::Logger& logger)
    : clock_(clock),
      metrics_file_(options.metrics_file),
      started_(clock.now()),
      metrics_(metrics_file_.empty() ? telemetry::null_metrics() : own_metrics_),
      retries_(
          metrics_.counter("windlass_retries_total", "Attempts that failed and were made again.")) {
  const auto settings = settings_of(options, environment);
  traces_.emplace(clock, settings, telemetry_export::TraceOutput::Options{}, logger);
  if (traces_->tracer().enabled()) {
    run_ = traces_->tracer().start(format("windlass {}", command), parent_of(environment, logger));
  }
}

std::unique_ptr<registry::ImageResolver> Observation::lookups(registry::ImageResolver& next) {
  return std::make_unique<CountedLookups>(next, clock_, metrics_);
}

Result<void> Observation::finish(ExitCode code) {
  const Result<void> written = write_metrics(code);
  kept_.reset();
  run_.set({"exit_code", static_cast<int>(code)});
  run_.end();
  return written;
}

Result<void> Observation::write_metrics(ExitCode code) {
  if (metrics_file_.empty()) return {};
  metrics_.gauge("windlass_run_exit_code", "Exit code of the run that wrote this.")
      .set(static_cast<int>(code));
  metrics_.gauge("windlass_run_seconds", "Time that the run took.")
      .set(std::chrono::duration<double>(clock_.now() - started_).count());
  metrics_.gauge("windlass_run_end_time_seconds", "When the run ended, in seconds of Unix time.")
      .set(std::chrono::duration<double>(clock_.wall_now().time_since_epoch()).count());
  return telemetry_export::write_prometheus_file(metrics_file_, metrics_);
}

}  // namespace windlass::app
