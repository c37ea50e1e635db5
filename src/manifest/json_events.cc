#include "json_events.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kDigits = "0123456789";

std::size_t count_digits(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of(kDigits, at);
  return (end == std::string_view::npos ? text.size() : end) - at;
}

bool is_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = count_digits(text, at);
  if (whole == 0 || (whole > 1 && text[at] == '0')) return false;
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = count_digits(text, ++at);
    if (fraction == 0) return false;
    at += fraction;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t power = count_digits(text, at);
    if (power == 0) return false;
    at += power;
  }
  return at == text.size();
}

// The four hex digits behind "\u" at the start of `text`.
std::optional<std::uint32_t> parse_unit(std::string_view text) {
  if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
  std::uint32_t unit = 0;
  for (const char c : text.substr(2, 4)) {
    const auto lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      unit = unit * 16 + static_cast<std::uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = unit * 16 + static_cast<std::uint32_t>(lower - 'a') + 10;
    } else {
      return std::nullopt;
    }
  }
  return unit;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto continuation = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
    continuation(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | (code >> 12U));
    continuation(6);
    continuation(0);
  } else {
    out += static_cast<char>(0xF0U | (code >> 18U));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

}  // namespace

JsonEvents::JsonEvents(const SourceText& source)
    : source_(source), bytes_(source.bytes()), at_(source.text_begin()) {}

void JsonEvents::skip_blanks() {
  at_ = std::min(bytes_.find_first_not_of(" \t\r\n", at_), bytes_.size());
}

std::unexpected<Error> JsonEvents::expected(std::string_view what) const {
  const std::string found =
      at_ >= bytes_.size() ? "the end of the file" : windlass::quoted(bytes_.substr(at_, 1));
  return fail(source_.error_at(at_, format("expected {}, found {}", what, found)));
}

Event JsonEvents::open(EventKind kind, char closing) {
  closings_.push_back(closing);
  expected_ = Expected::kFirst;
  Event event{.kind = kind, .flow = true, .span = {.begin = at_, .end = at_ + 1}};
  ++at_;
  return event;
}

Event JsonEvents::close() {
  const bool is_object = closings_.back() == '}';
  closings_.pop_back();
  expected_ = Expected::kAfterValue;
  ++at_;
  return {.kind = is_object ? EventKind::kMappingEnd : EventKind::kSequenceEnd,
          .span = {.begin = at_ - 1, .end = at_}};
}

Result<Event> JsonEvents::next() {
  skip_blanks();
  const Span here{.begin = at_, .end = at_};
  if (expected_ == Expected::kDocument) {
    if (at_ == bytes_.size()) return Event{.kind = EventKind::kStreamEnd, .span = here};
    expected_ = Expected::kValue;
    return Event{.kind = EventKind::kDocumentStart, .span = here};
  }
  if (expected_ == Expected::kAfterValue) {
    if (closings_.empty()) {
      expected_ = Expected::kDocument;
      return Event{.kind = EventKind::kDocumentEnd, .span = here};
    }
    if (current() == closings_.back()) return close();
    if (current() != ',') return expected(format("',' or '{}'", closings_.back()));
    ++at_;
    skip_blanks();
    expected_ = closings_.back() == '}' ? Expected::kKey : Expected::kValue;
  }
  if (expected_ == Expected::kFirst) {
    if (current() == closings_.back()) return close();
    expected_ = closings_.back() == '}' ? Expected::kKey : Expected::kValue;
  }
  if (expected_ == Expected::kKey) {
    if (current() != '"') return expected("a key in double quotes");
    auto key = string();
    expected_ = Expected::kColon;
    return key;
  }
  if (expected_ == Expected::kColon) {
    if (current() != ':') return expected("':' behind a key");
    ++at_;
    skip_blanks();
  }
  return value();
}

Result<Event> JsonEvents::value() {
  if (current() == '{') return open(EventKind::kMappingStart, '}');
  if (current() == '[') return open(EventKind::kSequenceStart, ']');
  expected_ = Expected::kAfterValue;
  return current() == '"' ? string() : literal();
}

Result<Event> JsonEvents::literal() {
  const std::size_t end = std::min(bytes_.find_first_of(" \t\r\n,:[]{}\"", at_), bytes_.size());
  const std::string_view text = bytes_.substr(at_, end - at_);
  if (text != "true" && text != "false" && text != "null" && !is_number(text))
    return expected("a value: text in double quotes, a number, true, false, null, '{' or '['");
  const Span span{.begin = at_, .end = end};
  at_ = end;
  return Event{.kind = EventKind::kScalar, .value = text, .span = span};
}

Result<Event> JsonEvents::string() {
  const std::size_t begin = at_++;
  decoded_.clear();
  bool has_escapes = false;
  for (std::size_t plain = at_;; plain = at_) {
    at_ = std::min(bytes_.find_first_of("\"\\\n\r\t", at_), bytes_.size());
    if (at_ == bytes_.size()) return expected("the '\"' that ends this text");
    if (bytes_[at_] != '"' && bytes_[at_] != '\\')
      return expected("an escape such as \\n in a text");
    if (bytes_[at_] == '"' && !has_escapes) {
      decoded_.clear();
      break;
    }
    decoded_ += bytes_.substr(plain, at_ - plain);
    if (bytes_[at_] == '"') break;
    has_escapes = true;
    if (!unescape()) return expected("an escape that JSON knows");
  }
  ++at_;
  const std::string_view raw = bytes_.substr(begin + 1, at_ - begin - 2);
  return Event{.kind = EventKind::kScalar,
               .style = ScalarStyle::kDoubleQuoted,
               .value = has_escapes ? std::string_view(decoded_) : raw,
               .span = {.begin = begin, .end = at_}};
}

bool JsonEvents::unescape() {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::string_view rest = bytes_.substr(at_);
  const std::size_t letter = rest.size() < 2 ? kLetters.npos : kLetters.find(rest[1]);
  if (letter != kLetters.npos) {
    decoded_ += kMeanings[letter];
    at_ += 2;
    return true;
  }
  const auto unit = parse_unit(rest);
  if (!unit) return false;
  at_ += 6;
  const auto low = is_high_surrogate(*unit) ? parse_unit(bytes_.substr(at_)) : std::nullopt;
  if (low && is_low_surrogate(*low)) {
    at_ += 6;
    append_utf8(decoded_, 0x10000U + ((*unit - 0xD800U) << 10U) + (*low - 0xDC00U));
  } else {
    constexpr std::uint32_t kReplacement = 0xFFFD;
    const bool is_lone = is_high_surrogate(*unit) || is_low_surrogate(*unit);
    append_utf8(decoded_, is_lone ? kReplacement : *unit);
  }
  return true;
}

bool is_json(const SourceText& source) {
  JsonEvents events(source);
  for (;;) {
    const auto event = events.next();
    if (!event) return false;
    if (event->kind == EventKind::kStreamEnd) return true;
  }
}

}  // namespace windlass::manifest
