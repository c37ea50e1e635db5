#include "annotations.h"

#include "pin_findings.h"
#include "windlass/base/format.h"

namespace windlass::app {
namespace {

// What would end a line, or a property of it.
std::string escaped(std::string_view text, bool in_property) {
  std::string out;
  for (const char c : text) {
    const bool ends = c == '%' || c == '\r' || c == '\n';
    const bool ends_property = in_property && (c == ':' || c == ',');
    if (ends || ends_property) {
      out += format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string github_annotations(const PinReport& report) {
  std::string lines;
  for (const Complaint& complaint : complaints_of(report)) {
    lines += format("::{} ", complaint.level);
    if (!complaint.file.empty()) lines += format("file={},", escaped(complaint.file, true));
    if (complaint.line > 0) lines += format("line={},", complaint.line);
    if (complaint.column > 0) lines += format("col={},", complaint.column);
    lines += format("title={}::{}\n", escaped(format("windlass: {}", complaint.rule), true),
                    escaped(complaint.message, false));
  }
  return lines;
}

}  // namespace windlass::app
