#include "source_text.h"

#include <algorithm>
#include <string>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMilestone = 64;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<signed char>(c) >= 0; });
}

// A text file hardly starts with a NUL next to a character in any other encoding.
bool looks_like_utf16(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv)) return true;
  return bytes.size() >= 2 && (bytes[0] == '\0') != (bytes[1] == '\0');
}

}  // namespace

SourceText::SourceText(std::string_view file_name, std::string_view bytes)
    : file_name_(file_name),
      bytes_(bytes),
      text_begin_(bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0) {
  line_begins_.push_back(text_begin_);
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos;
       at = bytes.find('\n', at + 1))
    line_begins_.push_back(at + 1);
  if (is_ascii(bytes.substr(text_begin_))) return;
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
  const std::size_t invalid = first_invalid_utf8(bytes);
  if (invalid != std::string_view::npos) {
    const SourceText valid_part(file_name, bytes.substr(0, invalid));
    return fail(
        valid_part.error_at(invalid, format("byte 0x{:02x} is not UTF-8: save the file as UTF-8",
                                            static_cast<unsigned char>(bytes[invalid]))));
  }
  return SourceText(file_name, bytes);
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

std::size_t SourceText::line_number(std::size_t byte) const {
  const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), byte);
  return after == line_begins_.begin() ? 0
                                       : static_cast<std::size_t>(after - line_begins_.begin()) - 1;
}

Location SourceText::location(std::size_t byte) const {
  const std::size_t line = line_number(byte);
  const std::string_view before = bytes_.substr(0, byte).substr(std::min(line_begins_[line], byte));
  const auto characters = std::count_if(before.begin(), before.end(), starts_character);
  return {.line = line + 1, .column = static_cast<std::size_t>(characters) + 1};
}

Span SourceText::line_at(std::size_t byte) const {
  const std::size_t line = line_number(byte);
  const std::size_t end =
      line + 1 < line_begins_.size() ? line_begins_[line + 1] - 1 : bytes_.size();
  return {.begin = line_begins_[line], .end = end};
}

Span SourceText::line_before(std::size_t byte) const {
  const std::size_t line = line_number(byte);
  if (line == 0) return {.begin = text_begin_, .end = text_begin_};
  return {.begin = line_begins_[line - 1], .end = line_begins_[line] - 1};
}

Error SourceText::error_at(std::size_t byte, std::string_view message) const {
  const Location place = location(byte);
  return {.code = ErrorCode::kInvalid,
          .message = format("{}:{}:{}: {}", file_name_, place.line, place.column, message)};
}

}  // namespace windlass::manifest
