#include "odd_json.h"

#include <cstddef>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

enum class Oddity { kNone, kLastComma, kComment };

struct Found {
  Oddity what = Oddity::kNone;
  std::size_t at = 0;
};

// A comment, or else the first comma before a closing bracket; neither of them in a text.
Found find_oddity(std::string_view bytes) {
  Found found;
  bool in_text = false;
  std::size_t last = 0;  // that is no blank
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    const std::string_view two = bytes.substr(i, 2);
    if (c == '"') {
      in_text = !in_text;
    } else if (in_text) {
      if (c == '\\') ++i;
    } else if (two == "//" || two == "/*") {
      return {.what = Oddity::kComment, .at = i};
    } else if ((c == '}' || c == ']') && bytes[last] == ',' && found.what == Oddity::kNone) {
      found = {.what = Oddity::kLastComma, .at = last};
    }
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') last = i;
  }
  return found;
}

}  // namespace

std::string reason_to_leave_json(std::string_view file_name, std::string_view bytes) {
  if (!file_name.ends_with(".json")) return {};
  const Found found = find_oddity(bytes);
  const auto reason = [&](std::string_view what) {
    return format("JSON with {} (line {}), as no manifest has it", what,
                  position_in(bytes, found.at).line);
  };
  if (found.what == Oddity::kComment) return reason("comments");
  const bool may_have_images = bytes.contains("image");
  return found.what == Oddity::kLastComma && !may_have_images ? reason("a last comma") : "";
}

}  // namespace windlass::manifest
