// The program of docs/guides/observability.md: logs, traces and metrics for the outside.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "windlass/base/clock.h"
#include "windlass/telemetry_export/log_output.h"
#include "windlass/telemetry_export/metrics_server.h"
#include "windlass/telemetry_export/own_metrics.h"
#include "windlass/telemetry_export/prometheus_text.h"
#include "windlass/telemetry_export/trace_output.h"

using namespace windlass;
namespace tx = windlass::telemetry_export;

namespace {

std::optional<std::string> environment(const std::string& name) {
  const char* value =
      std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): before any thread
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

int main() {
  // [on]
  Clock& clock = system_clock();
  tx::LogOutput log(clock, STDERR_FILENO, {.format = tx::LogFormat::kJson});

  // The tracer records nothing unless the variables ask for it.
  tx::TraceOutput traces(clock, tx::trace_settings(environment, "my-controller"), {}, log);
  telemetry::Tracer& tracer = traces.tracer();

  telemetry::Metrics metrics;
  const auto own = metrics.on_collect([&](telemetry::MetricWriter& writer) {
    tx::write_metrics(writer, log.stats());
    tx::write_metrics(writer, traces.stats());
  });
  const auto server = tx::MetricsServer::start(clock, "127.0.0.1:0", metrics, {});
  if (!server) log.error("no metrics", {server.error()});
  // [on]

  // [use]
  const telemetry::Counter pages = metrics.counter("pages_total", "Pages printed.");
  {
    telemetry::Span job = tracer.start("print", {}, {{"pages", 3}});
    for (int page = 1; page <= 3; ++page) {
      const telemetry::Span part = tracer.start("page", job.context(), {{"page", page}});
      pages.add();
    }
    log.info("printed", {{"pages", 3}});
  }  // spans end with their scope, unless end() was called before
  // [use]

  std::fputs(tx::prometheus_text(metrics.collect()).c_str(), stdout);
  return server ? 0 : 1;
}
