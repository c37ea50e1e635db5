// LineIndex: where the lines of a text begin and end, found quickly at any byte.
//
// A line ends at a line feed, or at a carriage return that no line feed follows. The index holds a
// few numbers for each block of bytes, so that neither many short lines nor one very long line make
// it slow.
//
// A value. Does not own the bytes: they must outlive it. Const members may be called from any
// thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "windlass/manifest/location.h"

namespace windlass::manifest {

class LineIndex {
 public:
  // Of bytes[begin, end of `bytes`).
  LineIndex(std::string_view bytes, std::size_t begin);

  // True when some carriage return has no line feed behind it.
  bool has_lone_returns() const { return has_lone_returns_; }

  std::size_t line_number(std::size_t byte) const;  // from 0
  // The line that holds `byte`, without what ends it.
  Span line_at(std::size_t byte) const;

 private:
  struct Block {
    std::size_t line;        // the number of the line that its first byte is on
    std::size_t line_begin;  // where that line begins
  };

  bool ends_line(std::size_t i) const {
    return bytes_[i] == '\n' ||
           (has_lone_returns_ && bytes_[i] == '\r' && !bytes_.substr(i + 1).starts_with('\n'));
  }
  std::size_t count_lines(std::size_t begin, std::size_t end) const;
  std::size_t line_begin(std::size_t byte) const;
  std::size_t line_end(std::size_t byte) const;
  const Block& block_of(std::size_t byte) const;

  std::string_view bytes_;
  std::size_t begin_;
  bool has_lone_returns_;
  std::vector<Block> blocks_;
};

}  // namespace windlass::manifest
