#include "windlass/telemetry_export/log_output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/telemetry/field_logger.h"

namespace windlass::telemetry_export {
namespace {

using telemetry::Level;

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe2(ends_, O_CLOEXEC), 0); }
  ~Pipe() {
    close_reader();
    ::close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writer() const { return ends_[1]; }
  void close_reader() {
    if (ends_[0] >= 0) ::close(ends_[0]);
    ends_[0] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

std::string temporary(const std::string& name) {
  return testing::TempDir() + "windlass_log_" + std::to_string(::getpid()) + name;
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What a log that lasts as long as `work` leaves in a file.
template <class Work>
std::string written_by(LogOutput::Options options, const Work& work) {
  FakeClock clock;
  const std::string path = temporary("lines");
  {
    auto log = LogOutput::open(clock, path, options);
    EXPECT_TRUE(log) << log.error().message;
    work(**log);
  }
  std::string text = contents(path);
  std::filesystem::remove(path);
  return text;
}

TEST(LogOutput, WritesTextForPeople) {
  const std::string text = written_by({}, [](LogOutput& log) {
    telemetry::FieldLogger of_queue(log, {{"queue", "pods"}});
    of_queue.warn("forgetting key", {{"requeues", 20}});
    log.debug("below the threshold");
    log.set_threshold(Level::kDebug);
    log.debug("above it");
  });
  EXPECT_EQ(text,
            "2026-01-02T03:04:05.000000Z warning forgetting key queue=pods requeues=20\n"
            "2026-01-02T03:04:05.000000Z debug above it\n");
}

TEST(LogOutput, WritesJsonLinesForAnyBytes) {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  const std::string text = written_by({.format = LogFormat::kJson}, [&](LogOutput& log) {
    log.error(every_byte, {{every_byte, every_byte}, {"attempt", 3}});
    log.info("second");
  });
  std::istringstream lines(text);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const boost::json::object first = boost::json::parse(line).as_object();
  EXPECT_EQ(first.at("time").as_string(), "2026-01-02T03:04:05.000000Z");
  EXPECT_EQ(first.at("level").as_string(), "error");
  EXPECT_EQ(first.at("attempt").as_int64(), 3);
  EXPECT_EQ(first.size(), 5U);
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(boost::json::parse(line).at("message").as_string(), "second");
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(LogOutput, KeepsWhatTheFileHeld) {
  FakeClock clock;
  const std::string path = temporary("appended");
  for (int i = 0; i < 2; ++i) {
    const auto log = LogOutput::open(clock, path, {});
    ASSERT_TRUE(log);
    (*log)->info("started");
  }
  const std::string text = contents(path);
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
  std::filesystem::remove(path);
}

// The statistics of a log that writes a hundred long lines to `file`, after it has ended.
LogOutput::Stats stats_after_long_lines(int file, std::size_t lines_max = 4096) {
  FakeClock clock;
  const std::string long_text(3000, 'x');
  LogOutput log(clock, file, {.lines_max = lines_max, .patience = Duration::zero()});
  for (int i = 0; i < 100; ++i) log.info(long_text);
  LogOutput::Stats stats = log.stats();
  while (stats.written + stats.dropped < 100) stats = log.stats();
  return stats;
}

TEST(LogOutput, CountsWhatAFullDiskDoesNotTake) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  const LogOutput::Stats stats = stats_after_long_lines(full);
  ::close(full);
  EXPECT_EQ(stats.written, 0U);
  EXPECT_EQ(stats.dropped, 100U);
}

TEST(LogOutput, OutlivesAClosedPipe) {
  Pipe pipe;
  pipe.close_reader();
  EXPECT_EQ(stats_after_long_lines(pipe.writer()).dropped, 100U);
}

TEST(LogOutput, DoesNotWaitForAReaderThatIsStuck) {
  const Pipe pipe;
  const LogOutput::Stats stats = stats_after_long_lines(pipe.writer());
  EXPECT_GT(stats.written, 0U);
  EXPECT_GT(stats.dropped, 0U);
}

TEST(LogOutput, ABadDescriptorIsCountedToo) { EXPECT_EQ(stats_after_long_lines(-1).dropped, 100U); }

TEST(LogOutput, TheOldestLineGoesWhenTooManyWait) {
  const Pipe pipe;
  const LogOutput::Stats stats = stats_after_long_lines(pipe.writer(), 2);
  EXPECT_EQ(stats.written + stats.dropped, 100U);
  EXPECT_GT(stats.dropped, 0U);
}

TEST(LogOutput, RoomForNoLineIsRoomForOne) {
  const Pipe pipe;
  const LogOutput::Stats stats = stats_after_long_lines(pipe.writer(), 0);
  EXPECT_EQ(stats.written + stats.dropped, 100U);
}

TEST(LogOutput, ANamedPipeNeedsAReader) {
  const std::string path = temporary("fifo");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const auto unread = LogOutput::open(system_clock(), path, {});
  ASSERT_FALSE(unread);
  EXPECT_EQ(unread.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(unread.error().message, path + ": cannot be opened for the log: nobody reads it");

  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  {
    const auto log = LogOutput::open(system_clock(), path, {});
    ASSERT_TRUE(log) << log.error().message;
    (*log)->info("heard");
  }
  char text[64] = {};
  EXPECT_GT(::read(reader, text, sizeof text), 0);
  EXPECT_NE(std::string_view(text).find("heard"), std::string_view::npos);
  ::close(reader);
  std::filesystem::remove(path);
}

TEST(LogOutput, SaysWhichFileItCannotOpen) {
  const auto log = LogOutput::open(system_clock(), "/nowhere/at/all.log", {});
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(log.error().message,
            "/nowhere/at/all.log: cannot be opened for the log: No such file or directory");
}

}  // namespace
}  // namespace windlass::telemetry_export
