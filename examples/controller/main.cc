// sync_files LIST DIRECTORY [METRICS-ADDRESS]: keeps the files in DIRECTORY in step with LIST,
// whose lines are "NAME TEXT", until SIGINT or SIGTERM. docs/guides/controller.md explains it.
#include <poll.h>
#include <sys/signalfd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "folder.h"
#include "windlass/reconcile/controller.h"
#include "windlass/telemetry_export/log_output.h"
#include "windlass/telemetry_export/metrics_server.h"
#include "windlass/telemetry_export/own_metrics.h"
#include "windlass/telemetry_export/trace_output.h"

namespace {

using namespace windlass;
using reconcile::Outcome;
namespace tx = windlass::telemetry_export;

// [handler]
// Looks at list and directory anew: it does not matter why it was called.
Result<Outcome> sync_file(const Folder& folder, reconcile::Context& context,
                          const std::string& name) {
  if (Folder::is_odd(name))
    return Outcome::terminal({ErrorCode::kInvalid, "this is no name for a file here"});
  const auto files = folder.wanted();
  if (!files) return fail(ErrorCode::kUnavailable, "cannot read the list");
  std::error_code error;
  if (const auto file = files->find(name); file == files->end()) {
    if (remove(folder.directory / name, error)) context.logger().info("removed");
  } else if (!folder.holds(name, file->second)) {
    context.span().set({"bytes", file->second.size()});
    error = folder.write(name, file->second);
    if (!error) context.logger().info("written");
  }
  if (error) return fail(ErrorCode::kUnavailable, error.message());  // to be retried
  return Outcome::done();
}
// [handler]

Result<void> run(const Folder& folder, const std::string& metrics_address, int signals) {
  // [instruments]
  const auto environment = [](const std::string& name) {
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nobody sets
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  Clock& clock = system_clock();
  tx::LogOutput log(clock, STDERR_FILENO, {});
  tx::TraceOutput traces(clock, tx::trace_settings(environment, "sync_files"),
                         {.stop_patience = std::chrono::seconds(1)}, log);
  telemetry::Metrics metrics;
  const auto own = metrics.on_collect([&](telemetry::MetricWriter& writer) {
    tx::write_metrics(writer, log.stats());
    tx::write_metrics(writer, traces.stats());
  });
  const auto server = tx::MetricsServer::start(clock, metrics_address, metrics, {});
  if (!server) return fail(server.error());
  std::printf("http://%s/metrics\n", (*server)->address().c_str());
  std::fflush(stdout);
  // [instruments]

  // [controller]
  reconcile::Controller controller(
      clock, "files", {},
      reconcile::Handler([&folder](reconcile::Context& context, const std::string& name) {
        return sync_file(folder, context, name);
      }),
      {.logger = log, .tracer = traces.tracer(), .metrics = metrics});
  // [controller]

  // [start]
  const auto enqueue = [&controller](const std::string& name) { controller.enqueue_now(name); };
  Watch watch(folder);
  if (const Result<void> watching = watch.begin(); !watching) return fail(watching.error());
  folder.for_each_name(enqueue);  // after the watch began: no change is missed in between
  Result<reconcile::StopReport> left;
  {
    const std::jthread workers(
        [&](const std::stop_token& stop) { left = controller.run(stop, 2); });
    std::array<pollfd, 2> ready = {{{watch.descriptor(), POLLIN, 0}, {signals, POLLIN, 0}}};
    while (::poll(ready.data(), ready.size(), -1) < 0 || ready[1].revents == 0) watch.read(enqueue);
  }
  return left ? Result<void>() : fail(left.error());
  // [start]
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::fprintf(stderr, "usage: %s LIST DIRECTORY [METRICS-ADDRESS]\n", argv[0]);
    return 2;
  }
  // Blocked before there are threads, which inherit it: signals are read like everything else.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  const Folder folder{std::filesystem::absolute(argv[1]), std::filesystem::absolute(argv[2])};
  const Result<void> ended =
      run(folder, argc > 3 ? argv[3] : "127.0.0.1:0", signalfd(-1, &ends, SFD_CLOEXEC));
  if (ended) return 0;
  std::fprintf(stderr, "sync_files: %s\n", ended.error().message.c_str());
  return 1;
}
