#include "windlass/manifest/unified_diff.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "windlass/base/format.h"

namespace windlass::manifest {
namespace {

constexpr std::size_t kContext = 3;

using Lines = std::vector<std::string_view>;

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

// Lines [old_begin, old_end) of the one text stand where the other has [new_begin, new_end).
struct Change {
  std::size_t old_begin, old_end;
  std::size_t new_begin, new_end;
};

// Edits of this module change lines in place, so lines are compared one to one. Texts with other
// numbers of lines differ from their first to their last different line.
std::vector<Change> find_changes(const Lines& before, const Lines& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  if (before.size() != after.size()) {
    std::size_t tail = 0;
    while (tail < shorter - head &&
           before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
      ++tail;
    return {{head, before.size() - tail, head, after.size() - tail}};
  }
  std::vector<Change> changes;
  for (std::size_t i = head; i < before.size(); ++i) {
    if (before[i] == after[i]) continue;
    if (changes.empty() || changes.back().old_end < i) changes.push_back({i, i, i, i});
    changes.back().old_end = changes.back().new_end = i + 1;
  }
  return changes;
}

void append_line(std::string& out, char sign, std::string_view line) {
  out += sign;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

std::string range(std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin;
  // An empty range names the line in front of it.
  if (count == 1) return format("{}", begin + 1);
  return format("{},{}", count == 0 ? begin : begin + 1, count);
}

// One hunk: changes with no more than twice the context between them.
void append_hunk(std::string& out, const Lines& before, const Lines& after,
                 std::span<const Change> changes) {
  const std::size_t lead = std::min(kContext, changes.front().old_begin);
  const std::size_t trail = std::min(kContext, before.size() - changes.back().old_end);
  out += format("@@ -{} +{} @@\n",
                range(changes.front().old_begin - lead, changes.back().old_end + trail),
                range(changes.front().new_begin - lead, changes.back().new_end + trail));
  std::size_t next = changes.front().old_begin - lead;
  for (const Change& change : changes) {
    for (; next < change.old_begin; ++next) append_line(out, ' ', before[next]);
    for (; next < change.old_end; ++next) append_line(out, '-', before[next]);
    for (std::size_t added = change.new_begin; added < change.new_end; ++added)
      append_line(out, '+', after[added]);
  }
  for (; next < changes.back().old_end + trail; ++next) append_line(out, ' ', before[next]);
}

// "./a//./b" is "a/b": git refuses steps that lead nowhere, and names that begin with a slash.
std::string without_dots(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const std::string_view step = name.substr(0, name.find('/'));
    name.remove_prefix(std::min(step.size() + 1, name.size()));
    if (step.empty() || step == ".") continue;
    if (!out.empty()) out += '/';
    out += step;
  }
  return out;
}

// As git writes it, so that `git apply` and `patch` find the file: one line whatever the name is.
std::string header_line(std::string_view mark, std::string_view side, std::string_view name) {
  const std::string text = format("{}{}", side, without_dots(name));
  const auto is_odd = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '"' || c == '\\';
  };
  if (std::ranges::none_of(text, is_odd))
    return format("{} {}{}\n", mark, text, text.contains(' ') ? "\t" : "");
  std::string quoted;
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += format("\\{}", c);
    } else if (is_odd(c)) {
      quoted += format("\\{:03o}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return format("{} \"{}\"\n", mark, quoted);
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, std::string_view name) {
  if (before == after) return {};
  const Lines old_lines = split_lines(before);
  const Lines new_lines = split_lines(after);
  const std::vector<Change> changes = find_changes(old_lines, new_lines);
  std::string out = header_line("---", "a/", name) + header_line("+++", "b/", name);
  for (std::size_t begin = 0; begin < changes.size();) {
    std::size_t end = begin + 1;
    while (end < changes.size() &&
           changes[end].old_begin - changes[end - 1].old_end <= 2 * kContext)
      ++end;
    append_hunk(out, old_lines, new_lines, std::span(changes).subspan(begin, end - begin));
    begin = end;
  }
  return out;
}

}  // namespace windlass::manifest
