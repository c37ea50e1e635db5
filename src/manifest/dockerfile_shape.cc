#include "dockerfile_shape.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "dockerfile_scanner.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

// Of the first line that is neither blank nor a comment, in lower case. Spares large files of other
// formats the scan.
std::string first_word(std::string_view text) {
  while (!text.empty()) {
    const std::size_t feed = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, feed));
    if (!line.empty() && !line.starts_with('#'))
      return to_lower(line.substr(0, line.find_first_of(" \t")));
    text.remove_prefix(std::min(feed + 1, text.size()));
  }
  return {};
}

// "FROM [--flag] IMAGE" or "FROM [--flag] IMAGE AS NAME".
bool is_complete_from(const DockerInstruction& words) {
  std::size_t first = 1;
  while (first < words.size() && words[first].text.starts_with("--")) ++first;
  const std::size_t count = words.size() - first;
  return count == 1 || (count == 3 && equals_ignoring_case(words[first + 1].text, "as"));
}

}  // namespace

bool has_instructions(const SourceText& source) {
  return !first_word(source.bytes().substr(source.text_begin())).empty();
}

bool has_shape_of_dockerfile(const SourceText& source) {
  const std::string first = first_word(source.bytes().substr(source.text_begin()));
  if (first != "from" && first != "arg") return false;
  bool has_from = false;
  for (const DockerInstruction& words : scan_dockerfile(source.bytes(), source.text_begin())) {
    if (to_lower(words.front().text) != "from") continue;
    has_from = true;
    if (!is_complete_from(words)) return false;
  }
  return has_from;
}

}  // namespace windlass::manifest
