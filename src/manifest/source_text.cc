#include "source_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "byte_words.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMilestone = 64;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

bool is_ascii(std::string_view text) {
  std::uint64_t seen = 0;
  for_each_word(text, [&](std::uint64_t word) { seen |= word; });
  return (seen & kHighBits) == 0;
}

bool has_controls(std::string_view text) {
  std::uint64_t bad = 0;
  for_each_word(text, [&](std::uint64_t word) {
    const std::uint64_t allowed =
        equal_bytes(word, '\n') | equal_bytes(word, '\r') | equal_bytes(word, '\t');
    bad |= (control_bytes(word) & ~allowed) | equal_bytes(word, 0x7F);
  });
  return bad != 0;
}

// `text` is valid UTF-8. Beyond ASCII: NEL and other controls, line and paragraph separators, byte
// order marks and what is no character.
bool has_only_simple_characters(std::string_view text, bool ascii) {
  if (has_controls(text)) return false;
  for (std::size_t i = 0; !ascii && i + 1 < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto second = static_cast<unsigned char>(text[i + 1]);
    if (c == 0xC2 && second < 0xA0) return false;
    if (c == 0xE2 && second == 0x80 &&
        (text.substr(i + 2).starts_with('\xA8') || text.substr(i + 2).starts_with('\xA9')))
      return false;
    if (c == 0xEF && (second == 0xBB || second == 0xBF)) return false;
  }
  return true;
}

// A text file hardly starts with a NUL next to a character in any other encoding.
bool looks_like_utf16(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv)) return true;
  return bytes.size() >= 2 && (bytes[0] == '\0') != (bytes[1] == '\0');
}

}  // namespace

SourceText::SourceText(std::string_view file_name, std::string_view bytes, bool ascii)
    : file_name_(file_name),
      bytes_(bytes),
      text_begin_(bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0),
      lines_(bytes, text_begin_) {
  const std::string_view text = bytes.substr(text_begin_);
  is_simple_ = !lines_.has_lone_returns() && has_only_simple_characters(text, ascii);
  if (ascii) return;
  std::size_t character = 0;
  for (std::size_t i = text_begin_; i < bytes.size(); ++i) {
    if (starts_character(bytes[i]) && character++ % kMilestone == 0) milestones_.push_back(i);
  }
}

Result<SourceText> SourceText::create(std::string_view file_name, std::string_view bytes) {
  if (looks_like_utf16(bytes)) {
    return fail(ErrorCode::kInvalid,
                format("{}:1:1: the file is UTF-16 or binary: save it as UTF-8", file_name));
  }
  const bool ascii = is_ascii(bytes);
  const std::size_t invalid = ascii ? std::string_view::npos : first_invalid_utf8(bytes);
  if (invalid != std::string_view::npos) {
    const SourceText valid_part(file_name, bytes.substr(0, invalid), false);
    return fail(
        valid_part.error_at(invalid, format("byte 0x{:02x} is not UTF-8: save the file as UTF-8",
                                            static_cast<unsigned char>(bytes[invalid]))));
  }
  return SourceText(file_name, bytes, ascii);
}

std::size_t SourceText::byte_of(std::size_t character) const {
  if (milestones_.empty()) return std::min(text_begin_ + character, bytes_.size());
  if (character / kMilestone >= milestones_.size()) return bytes_.size();
  std::size_t byte = milestones_[character / kMilestone];
  for (std::size_t left = character % kMilestone; byte < bytes_.size(); ++byte) {
    if (starts_character(bytes_[byte]) && left-- == 0) break;
  }
  return byte;
}

std::size_t SourceText::character_at(std::size_t byte) const {
  if (milestones_.empty()) return byte - std::min(byte, text_begin_);
  const auto after = std::upper_bound(milestones_.begin(), milestones_.end(), byte);
  if (after == milestones_.begin()) return 0;
  const std::size_t milestone = *std::prev(after);
  const std::string_view rest = bytes_.substr(milestone, byte - milestone);
  const auto characters = std::count_if(rest.begin(), rest.end(), starts_character);
  return static_cast<std::size_t>(std::prev(after) - milestones_.begin()) * kMilestone +
         static_cast<std::size_t>(characters);
}

Location SourceText::location(std::size_t byte) const {
  const std::size_t begin = std::min(line_at(byte).begin, byte);
  return {.line = lines_.line_number(byte) + 1,
          .column = character_at(byte) - character_at(begin) + 1};
}

Span SourceText::line_before(std::size_t byte) const {
  const std::size_t begin = line_at(byte).begin;
  if (begin <= text_begin_) return {.begin = text_begin_, .end = text_begin_};
  return line_at(begin - 1);
}

Error SourceText::error_at(std::size_t byte, std::string_view message) const {
  const Location place = location(byte);
  return {.code = ErrorCode::kInvalid,
          .message = format("{}:{}:{}: {}", file_name_, place.line, place.column, message)};
}

}  // namespace windlass::manifest
