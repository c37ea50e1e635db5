// sync_files LIST DIRECTORY [METRICS-ADDRESS]: keeps the files in DIRECTORY in step with LIST,
// whose lines are "NAME TEXT", until SIGINT or SIGTERM. docs/guides/controller.md explains it.
#include <poll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "windlass/base/format.h"
#include "windlass/reconcile/controller.h"
#include "windlass/telemetry_export/log_output.h"
#include "windlass/telemetry_export/metrics_server.h"
#include "windlass/telemetry_export/own_metrics.h"
#include "windlass/telemetry_export/trace_output.h"

namespace {

using namespace windlass;
using reconcile::Outcome;
namespace fs = std::filesystem;
namespace tx = windlass::telemetry_export;

struct FileSync {
  fs::path list;
  fs::path directory;

  // Text by name.
  Result<std::map<std::string, std::string>> wanted() const {
    std::ifstream in(list);
    if (!in) return fail(ErrorCode::kUnavailable, format("cannot read {}", list.string()));
    std::map<std::string, std::string> files;
    for (std::string line; std::getline(in, line);) {
      const std::size_t blank = line.find(' ');
      if (blank == 0 || blank == std::string::npos) continue;  // no name, or no text
      files[line.substr(0, blank)] = line.substr(blank + 1) + "\n";
    }
    return files;
  }

  bool holds(const std::string& name, const std::string& text) const {
    std::ifstream in(directory / name, std::ios::binary);
    return in && std::string(std::istreambuf_iterator<char>(in), {}) == text;
  }

  // In one step: nobody sees half a file.
  std::error_code write(const std::string& name, const std::string& text) const {
    const fs::path fresh = directory / ("." + name);
    std::ofstream out(fresh, std::ios::binary);
    out << text << std::flush;
    if (!out) return {errno, std::generic_category()};
    std::error_code error;
    fs::rename(fresh, directory / name, error);
    return error;
  }

  // [handler]
  // Looks at list and directory anew: it does not matter why it was called.
  Result<Outcome> reconcile(reconcile::Context& context, const std::string& name) const {
    if (name.starts_with('.') || name.contains('/'))
      return Outcome::terminal({ErrorCode::kInvalid, "this is no name for a file here"});
    const auto files = wanted();
    if (!files) return fail(files.error());
    std::error_code error;
    if (const auto file = files->find(name); file == files->end()) {
      if (fs::remove(directory / name, error)) context.logger().info("removed");
    } else if (!holds(name, file->second)) {
      context.span().set({"bytes", file->second.size()});
      error = write(name, file->second);
      if (!error) context.logger().info("written");
    }
    if (error) return fail(ErrorCode::kUnavailable, error.message());  // to be retried
    return Outcome::done();
  }
  // [handler]

  // [changes]
  // What is wanted, and what is there.
  void enqueue_all(reconcile::Controller& controller) const {
    if (const auto files = wanted())
      for (const auto& [name, text] : *files) controller.enqueue_now(name);
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, error))
      enqueue(controller, entry.path().filename().string());
  }

  static void enqueue(reconcile::Controller& controller, const std::string& name) {
    if (!name.starts_with('.')) controller.enqueue_now(name);  // those are half-written files
  }

  // Reads what inotify tells. Several changes of a file become one run of its key.
  void enqueue_changes(reconcile::Controller& controller, int changes, int list_folder) const {
    alignas(inotify_event) std::array<char, 4096> buffer;
    const ssize_t bytes = ::read(changes, buffer.data(), buffer.size());
    for (ssize_t at = 0; at < bytes;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      if (event->len == 0 || (event->wd == list_folder && event->name == list.filename())) {
        enqueue_all(controller);  // no name: some events were lost
      } else if (event->wd != list_folder) {
        enqueue(controller, event->name);
      }
    }
  }
  // [changes]
};

Result<void> watch(const FileSync& sync, reconcile::Controller& controller, int signals) {
  constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_MOVE | IN_DELETE | IN_CREATE | IN_ONLYDIR;
  const int changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  const int list_folder = inotify_add_watch(changes, sync.list.parent_path().c_str(), kEvents);
  const int directory = inotify_add_watch(changes, sync.directory.c_str(), kEvents);
  if (list_folder < 0 || directory < 0) {
    return fail(ErrorCode::kNotFound, format("watch the folders of LIST and DIRECTORY: {}",
                                             std::generic_category().message(errno)));
  }
  if (list_folder == directory)
    return fail(ErrorCode::kInvalid, "LIST is in DIRECTORY; expected it elsewhere");
  // [start]
  sync.enqueue_all(controller);  // after the watch began: no change is missed in between
  Result<reconcile::StopReport> left;
  {
    const std::jthread workers(
        [&](const std::stop_token& stop) { left = controller.run(stop, 2); });
    std::array<pollfd, 2> ready = {pollfd{changes, POLLIN, 0}, pollfd{signals, POLLIN, 0}};
    while (::poll(ready.data(), ready.size(), -1) < 0 || ready[1].revents == 0)
      sync.enqueue_changes(controller, changes, list_folder);
  }
  // [start]
  return left ? Result<void>() : fail(left.error());
}

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<void> run(const FileSync& sync, const std::string& metrics_address, int signals) {
  // [instruments]
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
      reconcile::Handler([&sync](reconcile::Context& context, const std::string& name) {
        return sync.reconcile(context, name);
      }),
      {.logger = log, .tracer = traces.tracer(), .metrics = metrics});
  // [controller]
  return watch(sync, controller, signals);
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
  const Result<void> ended =
      run({fs::absolute(argv[1]), fs::absolute(argv[2])}, argc > 3 ? argv[3] : "127.0.0.1:0",
          signalfd(-1, &ends, SFD_CLOEXEC));
  if (ended) return 0;
  std::fprintf(stderr, "sync_files: %s\n", ended.error().message.c_str());
  return 1;
}
