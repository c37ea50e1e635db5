#include "ignore_patterns.h"

#include <ranges>

namespace windlass::app {
namespace {

// Blanks at the end of a line count only behind a backslash.
std::string_view without_trailing_blanks(std::string_view line) {
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

// A character class at the front of `glob`. False when it does not fit or is not complete;
// otherwise `glob` starts behind it.
bool class_matches(std::string_view& glob, char c) {
  std::size_t i = 1;
  const bool inverted = i < glob.size() && (glob[i] == '!' || glob[i] == '^');
  if (inverted) ++i;
  bool fits = false;
  for (bool first = true; i < glob.size() && (first || glob[i] != ']'); first = false) {
    if (glob[i] == '\\' && i + 1 < glob.size()) ++i;
    const char low = glob[i];
    char high = low;
    if (i + 2 < glob.size() && glob[i + 1] == '-' && glob[i + 2] != ']') {
      high = glob[i + 2];
      i += 2;
    }
    fits = fits || (low <= c && c <= high);
    ++i;
  }
  if (i >= glob.size()) return false;
  glob.remove_prefix(i + 1);
  return fits != inverted && c != '/';
}

// One character of `glob`, which is no star, against `c`; moves behind it when it fits.
bool one_matches(std::string_view& glob, char c) {
  if (glob.front() == '[') return class_matches(glob, c);
  if (glob.front() == '?') {
    glob.remove_prefix(1);
    return c != '/';
  }
  if (glob.front() == '\\' && glob.size() > 1) glob.remove_prefix(1);
  const bool fits = glob.front() == c;
  glob.remove_prefix(1);
  return fits;
}

// Stars are few, and each tries its ends from the shortest on; `budget` bounds what a hostile
// pattern may cost.
bool matches(std::string_view glob, std::string_view text, int& budget) {
  while (!glob.empty()) {
    if (--budget < 0) return false;
    if (glob.front() != '*') {
      if (text.empty() || !one_matches(glob, text.front())) return false;
      text.remove_prefix(1);
      continue;
    }
    const bool folders = glob.starts_with("**/");
    const bool everything = glob == "**";
    glob.remove_prefix(folders ? 3 : everything ? 2 : 1);
    for (std::size_t i = 0;; ++i) {
      const bool may_start = !folders || i == 0 || text[i - 1] == '/';
      if (may_start && matches(glob, text.substr(i), budget)) return true;
      if (i == text.size() || (text[i] == '/' && !folders && !everything)) return false;
    }
  }
  return text.empty();
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text) {
  int budget = 100'000;
  return matches(glob, text, budget);
}

IgnorePatterns IgnorePatterns::parse(std::string_view text) {
  IgnorePatterns result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_trailing_blanks(line);
    if (line.empty() || line.starts_with('#')) continue;
    Pattern pattern;
    if (line.starts_with('!')) {
      pattern.takes_back = true;
      line.remove_prefix(1);
    }
    if (line.ends_with('/')) {
      pattern.directories_only = true;
      line.remove_suffix(1);
    }
    pattern.whole_path = line.contains('/');
    if (line.starts_with('/')) line.remove_prefix(1);
    if (line.empty()) continue;
    pattern.glob = line;
    result.patterns_.push_back(std::move(pattern));
  }
  return result;
}

std::optional<bool> IgnorePatterns::ignores(std::string_view path, bool is_directory) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const Pattern& pattern : std::views::reverse(patterns_)) {
    if (pattern.directories_only && !is_directory) continue;
    if (glob_matches(pattern.glob, pattern.whole_path ? path : name)) return !pattern.takes_back;
  }
  return std::nullopt;
}

}  // namespace windlass::app
