// Where something stands in a file: as bytes, for a program, and as line and column, for a person.
//
// Values.
#pragma once

#include <cstddef>
#include <string_view>

namespace windlass::manifest {

// Bytes [begin, end) of a file.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
  std::string_view of(std::string_view bytes) const { return bytes.substr(begin, end - begin); }

  friend bool operator==(const Span&, const Span&) = default;
};

// As an editor shows it: from 1, lines end at a line feed, columns count characters.
struct Location {
  std::size_t line = 1;
  std::size_t column = 1;

  friend bool operator==(const Location&, const Location&) = default;
};

}  // namespace windlass::manifest
