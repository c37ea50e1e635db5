// SourceText: a file's bytes with what is needed to name places in them.
//
// Does not own the bytes: they must outlive it. Const members may be called from any thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "line_index.h"
#include "windlass/base/error.h"
#include "windlass/base/result.h"
#include "windlass/manifest/location.h"

namespace windlass::manifest {

class SourceText {
 public:
  // kInvalid when the bytes are not UTF-8; UTF-16 is named as such. `file_name` starts the message
  // of every error.
  static Result<SourceText> create(std::string_view file_name, std::string_view bytes);

  std::string_view file_name() const { return file_name_; }
  std::string_view bytes() const { return bytes_; }

  // Where the text begins: behind a byte order mark, if there is one.
  std::size_t text_begin() const { return text_begin_; }

  // The byte at which the character number `character` of the text begins (from 0, behind the byte
  // order mark); the file's size when there are fewer.
  std::size_t byte_of(std::size_t character) const;

  // The reverse: the number of the character that `byte` belongs to.
  std::size_t character_at(std::size_t byte) const;

  // False when the text has control characters, or line breaks and marks beyond ASCII, that
  // readers of YAML treat in ways of their own. A carriage return counts unless it ends a line
  // together with a line feed.
  bool is_simple() const { return is_simple_; }

  Location location(std::size_t byte) const;

  // The whole line that holds `byte`, without its line feed. `line_before` is the line above it, or
  // an empty span. A carriage return that no line feed follows ends a line, too.
  Span line_at(std::size_t byte) const { return lines_.line_at(byte); }
  Span line_before(std::size_t byte) const;

  // kInvalid, with "file:line:column: " in front of `message`.
  Error error_at(std::size_t byte, std::string_view message) const;

 private:
  SourceText(std::string_view file_name, std::string_view bytes, bool ascii);

  std::string_view file_name_;
  std::string_view bytes_;
  std::size_t text_begin_ = 0;
  bool is_simple_ = false;
  LineIndex lines_;
  // The byte of every 64th character; empty when the text is ASCII and bytes are characters.
  std::vector<std::size_t> milestones_;
};

}  // namespace windlass::manifest
