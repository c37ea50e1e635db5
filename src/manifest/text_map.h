// TextMap: where each byte of a scalar's text stands in the file, line breaks and escapes included.
//
// Other than ScalarText, which finds references, it takes whole texts. What would need folding to
// be undone has no map.
//
// A value; const members may be called from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "event.h"
#include "windlass/manifest/location.h"

namespace windlass::manifest {

class TextMap {
 public:
  // nullopt when `text` does not stand in `bytes` at `span` one byte after the other.
  static std::optional<TextMap> locate(std::string_view bytes, Span span, ScalarStyle style,
                                       std::string_view text);

  // The bytes of the file that the bytes of the text stand in; an empty span is as near to the byte
  // in front as can be.
  Span in_file(Span in_text) const;

 private:
  bool map_lines(std::string_view bytes, Span span, std::string_view text);
  bool map_characters(std::string_view bytes, Span span, ScalarStyle style, std::string_view text);
  void add(std::size_t begin, std::size_t size);

  // Where each byte begins and ends. Files have less than 4 GiB.
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> ends_;
  std::size_t first_ = 0;  // where the first byte stands or would stand
};

}  // namespace windlass::manifest
