// Showing text that came from outside to a person, safely.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace windlass {

// `text` with control characters, quotes, backslashes and invalid UTF-8 escaped (\n, \x1b, \u200b
// for invisible ones), cut with "..." after `bytes_max` bytes of input. Never splits a UTF-8
// sequence. No quotes are added.
std::string printable(std::string_view text, std::size_t bytes_max = 200);

// printable() between double quotes.
std::string quoted(std::string_view text, std::size_t bytes_max = 200);

// The same for a text that was made for people, such as an error's message: quotes and backslashes
// stay, since what was escaped in it must not be escaped again.
std::string printable_message(std::string_view text, std::size_t bytes_max = 2000);

// ASCII only, whatever the locale.
std::string to_lower(std::string_view text);
bool equals_ignoring_case(std::string_view a, std::string_view b);
std::string_view trim(std::string_view text);  // blanks, tabs, CR and LF at both ends

// Offset of the first byte that is not valid UTF-8 (overlong forms, surrogates and cut sequences
// are not valid), or npos.
std::size_t first_invalid_utf8(std::string_view text);

// Where a byte of a text stands, for people: from 1, columns in bytes.
struct TextPosition {
  std::size_t line;
  std::size_t column;
};
TextPosition position_in(std::string_view text, std::size_t offset);

}  // namespace windlass
