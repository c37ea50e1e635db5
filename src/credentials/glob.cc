#include "glob.h"

#include <cstddef>

namespace windlass::credentials {
namespace {

// Takes one character, perhaps escaped, off the front of `pattern`; false where there is none.
bool take_character(std::string_view& pattern, char& c) {
  if (pattern.starts_with('\\')) pattern.remove_prefix(1);
  if (pattern.empty()) return false;
  c = pattern.front();
  pattern.remove_prefix(1);
  return true;
}

enum class Match { kYes, kNo, kMalformed };

// Takes "[...]" off the front of `pattern`, behind its '['.
Match take_class(std::string_view& pattern, char c) {
  const bool negated = pattern.starts_with('^');
  if (negated) pattern.remove_prefix(1);
  bool found = false;
  for (bool first = true;; first = false) {
    if (!first && pattern.starts_with(']')) {
      pattern.remove_prefix(1);
      return found != negated ? Match::kYes : Match::kNo;
    }
    // Go wants these two escaped within brackets.
    if (pattern.empty() || pattern.front() == '-' || pattern.front() == ']')
      return Match::kMalformed;
    char low = 0;
    if (!take_character(pattern, low)) return Match::kMalformed;
    char high = low;
    if (pattern.starts_with('-')) {
      pattern.remove_prefix(1);
      if (pattern.empty() || pattern.front() == '-' || pattern.front() == ']' ||
          !take_character(pattern, high))
        return Match::kMalformed;
    }
    found = found || (low <= c && c <= high);
  }
}

// Takes one element that is no star off the front of `pattern`.
Match take_one(std::string_view& pattern, char c) {
  const char first = pattern.front();
  if (first == '?' || first == '[') pattern.remove_prefix(1);
  if (first == '?') return Match::kYes;
  if (first == '[') return take_class(pattern, c);
  char literal = 0;
  if (!take_character(pattern, literal)) return Match::kMalformed;
  return literal == c ? Match::kYes : Match::kNo;
}

}  // namespace

bool is_glob(std::string_view pattern) {
  while (!pattern.empty()) {
    if (pattern.front() == '*') {
      pattern.remove_prefix(1);
    } else if (take_one(pattern, '\0') == Match::kMalformed) {
      return false;
    }
  }
  return true;
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  if (!is_glob(pattern)) return false;
  // What follows the last star is tried at each place behind it in turn.
  bool starred = false;
  std::string_view pattern_after_star;
  std::string_view text_at_star;
  for (;;) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      starred = true;
      pattern_after_star = pattern;
      text_at_star = text;
      continue;
    }
    if (pattern.empty() && text.empty()) return true;
    if (!pattern.empty() && !text.empty() && take_one(pattern, text.front()) == Match::kYes) {
      text.remove_prefix(1);
      continue;
    }
    if (!starred || text_at_star.empty()) return false;
    text_at_star.remove_prefix(1);
    pattern = pattern_after_star;
    text = text_at_star;
  }
}

}  // namespace windlass::credentials
