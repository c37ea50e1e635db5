#include "windlass/telemetry_export/log_output.h"

#include <fcntl.h>
#include <pthread.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "line_writer.h"
#include "log_line.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::telemetry_export {
namespace {

constexpr const char* kTextPattern = "%Y-%m-%dT%H:%M:%S.%fZ %l %v";
constexpr const char* kJsonPattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%fZ","level":"%l",%v})";

spdlog::level::level_enum to_spdlog(telemetry::Level level) {
  switch (level) {
    case telemetry::Level::kDebug: return spdlog::level::debug;
    case telemetry::Level::kInfo: return spdlog::level::info;
    case telemetry::Level::kWarn: return spdlog::level::warn;
    case telemetry::Level::kError: return spdlog::level::err;
    case telemetry::Level::kOff: return spdlog::level::off;
  }
  return spdlog::level::err;
}

// A write to a closed pipe must fail, not end the program.
void block_sigpipe() {
  sigset_t pipe_signal;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr);
}

class WriterSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  WriterSink(int file, Duration patience) : writer_(file, patience) {}
  const LineWriter& writer() const { return writer_; }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    writer_.write({line.data(), line.size()});
  }
  void flush_() override {}

  LineWriter writer_;
};

class OwnedFile {
 public:
  OwnedFile(int file, bool owns) : file_(owns ? file : -1) {}
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;
  ~OwnedFile() {
    if (file_ >= 0) ::close(file_);
  }

 private:
  const int file_;
};

}  // namespace

// Ends the pool first, which writes what waits, then the logger that its thread has used, then the
// file.
class LogOutput::Impl {
 public:
  Impl(int file, bool owns_file, const Options& options)
      : file_(file, owns_file),
        sink_(std::make_shared<WriterSink>(file, options.patience)),
        pool_(std::make_shared<spdlog::details::thread_pool>(
            std::max<std::size_t>(options.lines_max, 1), 1, block_sigpipe)),
        logger_(std::make_shared<spdlog::async_logger>(
            "windlass", sink_, pool_, spdlog::async_overflow_policy::overrun_oldest)) {
    const char* pattern = options.format == LogFormat::kJson ? kJsonPattern : kTextPattern;
    sink_->set_formatter(
        std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc, "\n"));
    logger_->set_level(spdlog::level::trace);
    logger_->set_error_handler([](const std::string&) {});
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { pool_.reset(); }

  void log(WallTime time, telemetry::Level level, const std::string& line) {
    logger_->log(std::chrono::time_point_cast<spdlog::log_clock::duration>(time),
                 spdlog::source_loc{}, to_spdlog(level), line);
  }

  Stats stats() const {
    return {sink_->writer().written(), sink_->writer().dropped() + pool_->overrun_counter()};
  }

 private:
  const OwnedFile file_;
  const std::shared_ptr<WriterSink> sink_;
  std::shared_ptr<spdlog::details::thread_pool> pool_;
  const std::shared_ptr<spdlog::async_logger> logger_;
};

LogOutput::LogOutput(Clock& clock, int file, bool owns_file, Options options)
    : Logger(options.threshold),
      clock_(clock),
      options_(options),
      impl_(std::make_unique<Impl>(file, owns_file, options_)) {}

LogOutput::LogOutput(Clock& clock, int file, Options options)
    : LogOutput(clock, file, false, options) {}

LogOutput::~LogOutput() = default;

Result<std::unique_ptr<LogOutput>> LogOutput::open(Clock& clock, const std::string& path,
                                                   Options options) {
  // Opening a pipe blocks until somebody reads it, unless it is not to.
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  const int file = ::open(path.c_str(), kFlags, 0640);
  if (file < 0) {
    const int number = errno;
    if (number == ENXIO)
      return fail(ErrorCode::kUnavailable,
                  format("{}: cannot be opened for the log: nobody reads it", printable(path)));
    const ErrorCode code = number == EACCES || number == EPERM || number == EROFS
                               ? ErrorCode::kForbidden
                           : number == ENOENT || number == ENOTDIR ? ErrorCode::kNotFound
                                                                   : ErrorCode::kUnavailable;
    return fail(code, format("{}: cannot be opened for the log: {}", printable(path),
                             std::generic_category().message(number)));
  }
  return std::unique_ptr<LogOutput>(new LogOutput(clock, file, true, options));
}

void LogOutput::write(telemetry::Level level, std::string_view message,
                      std::span<const telemetry::Field> fields) {
  const std::string line = options_.format == LogFormat::kJson
                               ? json_members(message, fields, options_.text_bytes_max)
                               : text_line(message, fields, options_.text_bytes_max);
  impl_->log(clock_.wall_now(), level, line);
}

LogOutput::Stats LogOutput::stats() const { return impl_->stats(); }

}  // namespace windlass::telemetry_export
