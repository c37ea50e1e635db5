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

// One lookup that is under way.
struct Observed {
  TimePoint started;
  telemetry::Span span;
  telemetry::Metrics& metrics;
  std::string registry;
};

void tell(Observed& observed, const Result<registry::Resolution>& result, TimePoint now) {
  if (result && !result->asked) return;
  observed.metrics
      .counter("windlass_lookups_total", "Digests that were asked for.",
               {{"registry", observed.registry}, {"result", result ? "resolved" : "failed"}})
      .add();
  observed.metrics
      .histogram("windlass_lookup_seconds", "Time that lookups took, with all their tries.",
                 telemetry::default_seconds_buckets(), {{"registry", observed.registry}})
      .observe(now - observed.started);
  if (result) {
    observed.span.set({"digest", result->digest.to_string()});
    observed.span.set({"credentials", result->credential_source});
    observed.span.set_ok();
  } else {
    observed.span.set_error(result.error());
  }
}

class ObservedLookups final : public registry::ImageResolver {
 public:
  ObservedLookups(registry::ImageResolver& next, Clock& clock, telemetry::Tracer& tracer,
                  telemetry::SpanContext run, telemetry::Metrics& metrics)
      : next_(next), clock_(clock), tracer_(tracer), run_(std::move(run)), metrics_(metrics) {}

  void resolve(const image::ImageReference& reference, const registry::LookupOptions& options,
               std::stop_token stop, registry::LookupCallback done) override {
    Observed observed{
        .started = clock_.now(),
        .span = tracer_.start(telemetry::SpanKind::kClient, "lookup", run_,
                              {{"image", reference.written()}, {"registry", reference.registry()}}),
        .metrics = metrics_,
        .registry = reference.registry()};
    next_.resolve(reference, options, std::move(stop),
                  [this, observed = std::move(observed),
                   done = std::move(done)](Result<registry::Resolution> result) mutable {
                    tell(observed, result, clock_.now());
                    observed.span.end();
                    done(std::move(result));
                  });
  }

 private:
  registry::ImageResolver& next_;
  Clock& clock_;
  telemetry::Tracer& tracer_;
  const telemetry::SpanContext run_;
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
  return std::make_unique<ObservedLookups>(next, clock_, traces_->tracer(), run_.context(),
                                           metrics_);
}

Result<void> Observation::finish(ExitCode code) {
  run_.set({"exit_code", static_cast<int>(code)});
  run_.end();
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
