// What a PinReport has to complain of, each with a stable name: for SARIF and for annotations.
//
// Pure function.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pin_report.h"

namespace windlass::app {

struct Complaint {
  std::string_view rule;   // "unpinned", "moved", ...
  std::string_view level;  // "error", "warning" or "note"
  std::string file;        // without ./ in front; empty when it is not known
  std::size_t line = 0;    // 0 when it is not known
  std::size_t column = 0;
  std::string message;
};

struct ComplaintRule {
  std::string_view name;
  std::string_view text;  // one sentence
};

std::span<const ComplaintRule> complaint_rules();

// In the order of the report: files that could not be read first.
std::vector<Complaint> complaints_of(const PinReport& report);

}  // namespace windlass::app
