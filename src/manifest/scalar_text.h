// Finds where the decoded text of a scalar stands in the file's bytes.
//
// Image references are plain ASCII without blanks, so only texts of that kind are located; anything
// that would need line folding to be undone is not.
//
// Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "event.h"
#include "windlass/manifest/location.h"

namespace windlass::manifest {

// Maps offsets in the decoded text of one scalar to bytes of the file.
class ScalarText {
 public:
  // nullopt when `text` does not stand in `bytes` at `span` one character after the other.
  static std::optional<ScalarText> locate(std::string_view bytes, Span span, ScalarStyle style,
                                          std::string_view text);

  // The bytes that characters [begin, end) of the decoded text stand in; with begin == end, the
  // empty place between two characters, as near to the one in front as can be.
  Span bytes_of(std::size_t begin, std::size_t end) const;

 private:
  explicit ScalarText(std::vector<Span> characters, std::size_t begin)
      : characters_(std::move(characters)), begin_(begin) {}

  std::vector<Span> characters_;
  std::size_t begin_;  // where the first character stands or would stand
};

// The number that the digits of an escape stand for, at most eight of them; nullopt for others.
std::optional<unsigned> hex_value(std::string_view digits);

}  // namespace windlass::manifest
