// Console: everything that goes to standard error: notes, errors, log lines and the progress line,
// never mixed up.
//
// Thread safety: all members may be called from any thread. Its lock is a leaf, held while writing.
#pragma once

#include <string_view>

#include "progress.h"
#include "windlass/app/streams.h"
#include "windlass/base/clock.h"
#include "windlass/telemetry/logger.h"

namespace windlass::app {

enum class Loudness { kQuiet, kNormal, kVerbose };

class Console final : public telemetry::Logger {
 public:
  // kJson writes each line as {"time":...,"level":...,"message":...}, with the fields of log lines.
  enum class Format { kText, kJson };

  Console(const Streams& streams, Clock& clock, Loudness loudness, Progress::Style progress,
          Format format = Format::kText);
  ~Console() override;

  // "windlass: error: TEXT", always shown. One line: `text` has no newline.
  void error(std::string_view text);
  // Shown unless quiet.
  void warning(std::string_view text);
  void note(std::string_view text);
  // Shown when verbose.
  void detail(std::string_view text);

  void show_progress(const Progress::State& state);
  void finish_progress();

  // Log lines: warnings and errors are shown unless quiet, everything when verbose.
  void write(telemetry::Level level, std::string_view message,
             std::span<const telemetry::Field> fields) override;

 private:
  void line(telemetry::Level level, std::string_view text,
            std::span<const telemetry::Field> fields = {});

  std::ostream& err_;
  Clock& clock_;
  const Loudness loudness_;
  const Format format_;

  Mutex mutex_;
  Progress progress_ GUARDED_BY(mutex_);
};

}  // namespace windlass::app
