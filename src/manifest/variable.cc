#include "variable.h"

#include "windlass/base/format.h"

namespace windlass::manifest {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The brace that closes the one opened in front of `begin`, or npos.
std::size_t closing_brace(std::string_view text, std::size_t begin) {
  int depth = 1;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text.substr(i).starts_with("${")) ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::optional<Variable> parse_variable(std::string_view text) {
  if (!text.starts_with('$')) return std::nullopt;
  const bool braced = text.starts_with("${");
  const std::size_t begin = braced ? 2 : 1;
  std::size_t end = begin;
  while (end < text.size() && is_name_character(text[end])) ++end;
  if (end == begin) return std::nullopt;
  Variable variable{.name = text.substr(begin, end - begin), .fallback = std::nullopt};
  if (!braced) return end == text.size() ? std::optional(variable) : std::nullopt;
  if (closing_brace(text, begin) != text.size() - 1) return std::nullopt;
  const std::string_view rest = text.substr(end, text.size() - 1 - end);
  if (rest.empty()) return variable;
  const std::size_t operator_size = rest.starts_with(":-") ? 2 : rest.starts_with('-') ? 1 : 0;
  if (operator_size == 0) return std::nullopt;
  variable.fallback = Span{.begin = end + operator_size, .end = text.size() - 1};
  return variable;
}

std::optional<Span> text_without_variables(std::string_view text) {
  Span span{.begin = 0, .end = text.size()};
  // Each round goes one fallback deeper, so this ends.
  while (span.of(text).contains('$')) {
    const auto variable = parse_variable(span.of(text));
    if (!variable || !variable->fallback || variable->fallback->size() == 0) return std::nullopt;
    span = {.begin = span.begin + variable->fallback->begin,
            .end = span.begin + variable->fallback->end};
  }
  return span;
}

std::string reason_by_variable(std::string_view text) {
  const auto reason = [](std::string_view what) {
    return format("{}: its value is not known here", what);
  };
  if (text.contains("${{")) return reason("an expression (${{ }})");
  if (text.contains("{{")) return reason("a template ({{ }})");
  // No reference has a dollar sign.
  if (text.contains('$')) return reason("has a variable");
  return {};
}

}  // namespace windlass::manifest
