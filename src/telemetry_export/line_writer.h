// LineWriter: writes whole lines to a descriptor and waits only so long for its reader.
//
// Thread safety: one thread, which blocks SIGPIPE; the counters may be read from any.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "windlass/base/time.h"

namespace windlass::telemetry_export {

class LineWriter {
 public:
  LineWriter(int file, Duration patience) : file_(file), patience_(patience) {}
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  // `line` ends in a newline. A line that can be written in part only is made up for by a newline
  // in front of the next one.
  void write(std::string_view line);

  std::uint64_t written() const { return written_.load(std::memory_order_relaxed); }
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  bool write_all(std::string_view bytes);
  bool await_room() const;

  const int file_;
  const Duration patience_;

  std::atomic<std::uint64_t> written_ = 0;
  std::atomic<std::uint64_t> dropped_ = 0;

  bool stuck_ = false;    // the last line found no room: the next one does not wait
  bool in_line_ = false;  // a part of a line has been written
};

}  // namespace windlass::telemetry_export
