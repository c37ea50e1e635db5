// LogOutput: the Logger of a program: lines of text for people, or JSON lines for machines.
//
// Lines are written by a thread of its own. A full disk, a reader that is stuck and a closed pipe
// neither block nor end the program: what cannot be written is dropped and counted.
//
// Thread safety: all members may be called from any thread. Lifetime: the clock and the file
// outlive it; its destructor writes what waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "windlass/base/clock.h"
#include "windlass/base/result.h"
#include "windlass/telemetry/logger.h"

namespace windlass::telemetry_export {

enum class LogFormat {
  kText,  // 2026-12-02T14:25:08.000250Z warning forgetting key queue=pods requeues=20
  kJson,  // {"time":"...","level":"warning","message":"forgetting key","queue":"pods",...}
};

class LogOutput final : public telemetry::Logger {
 public:
  struct Options {
    telemetry::Level threshold = telemetry::Level::kInfo;
    LogFormat format = LogFormat::kText;
    std::size_t lines_max = 4096;       // waiting; beyond it the oldest is dropped; 0 counts as 1
    std::size_t text_bytes_max = 8192;  // of a message and of a value; the rest is cut off
    Duration patience = std::chrono::seconds(1);  // for a reader that is stuck, once; then none
  };
  struct Stats {
    std::uint64_t written = 0;
    std::uint64_t dropped = 0;
  };

  // Writes to the descriptor `file`, which stays open.
  LogOutput(Clock& clock, int file, Options options);

  // Appends to the file at `path`, made if there is none. kForbidden, kNotFound or kUnavailable,
  // naming it, when it cannot be opened. A named pipe needs a reader before.
  static Result<std::unique_ptr<LogOutput>> open(Clock& clock, const std::string& path,
                                                 Options options);

  ~LogOutput() override;

  void write(telemetry::Level level, std::string_view message,
             std::span<const telemetry::Field> fields) override;

  using Logger::set_threshold;

  Stats stats() const;

 private:
  class Impl;
  LogOutput(Clock& clock, int file, bool owns_file, Options options);

  Clock& clock_;
  const Options options_;

  const std::unique_ptr<Impl> impl_;
};

}  // namespace windlass::telemetry_export
