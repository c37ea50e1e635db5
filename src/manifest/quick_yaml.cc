#include "quick_yaml.h"

#include <algorithm>
#include <array>

namespace windlass::manifest {
namespace {

enum CharacterClass : unsigned char {
  kOrdinary = 0,
  kStopsPlain = 1,        // ends a plain scalar, or decides with its neighbours
  kStopsFlow = 2,         // within brackets only
  kCannotStartPlain = 4,  // '-' may, depending on what follows
};

constexpr std::array<unsigned char, 256> kClasses = [] {
  std::array<unsigned char, 256> classes{};
  const auto mark = [&](std::string_view characters, CharacterClass bit) {
    for (const char c : characters) {
      auto& entry = classes[static_cast<unsigned char>(c)];
      entry = static_cast<unsigned char>(entry | bit);
    }
  };
  mark("\n\r\t:#", kStopsPlain);
  mark(",[]{}?", kStopsFlow);
  mark("?:,[]{}#&*!|>'\"%@` \t\n\r", kCannotStartPlain);
  return classes;
}();

bool is(char c, unsigned mask) { return (kClasses[static_cast<unsigned char>(c)] & mask) != 0; }

// libyaml takes a key for one only when ':' follows within 1024 characters.
constexpr std::size_t kKeyBytesMax = 1000;

}  // namespace

QuickYaml::Outcome QuickYaml::read_document(Tree& tree) {
  writer_.start(tree);
  const std::uint32_t scalars = writer_.scalars();
  bool found = false;
  if (document(found)) return found ? Outcome::kDocument : Outcome::kEndOfFile;
  writer_.set_scalars(scalars);
  return Outcome::kGaveUp;
}

bool QuickYaml::document(bool& found) {
  at_ = document_;
  if (!next_line()) return false;
  const bool is_explicit = indent_ == kNoLine && at_ < bytes_.size();
  if (is_explicit) {
    if (current() != '-') return false;
    at_ += 3;
    if (!end_line() || !next_line()) return false;
  }
  found = is_explicit || indent_ != kNoLine;
  if (!found) return true;
  if (indent_ == kNoLine) {
    writer_.add_scalar(ScalarStyle::kPlain, {.begin = at_, .end = at_}, {});
  } else if (indent_ != 0 || !block(kNoLine)) {
    return false;
  }
  // Behind "..." the next document may begin in other ways.
  if (indent_ != kNoLine || (at_ < bytes_.size() && current() != '-')) return false;
  document_ = at_;
  return true;
}

bool QuickYaml::is_marker(std::size_t i) const {
  const std::string_view three = bytes_.substr(i, 3);
  return (three == "---" || three == "...") && (is_blank_at(i + 3) || at(i + 3) == '\t');
}

// From the beginning of a line to the first character of the next one that has any but a comment.
bool QuickYaml::next_line() {
  for (;;) {
    line_ = at_;
    skip_spaces();
    if (at_ >= bytes_.size()) {
      at_ = bytes_.size();
      indent_ = kNoLine;
      return true;
    }
    switch (current()) {
      case '\n': ++at_; continue;
      case '\r': at_ += 2; continue;
      case '\t': return false;
      case '#': at_ = std::min(bytes_.find('\n', at_), bytes_.size() - 1) + 1; continue;
      default: break;
    }
    indent_ = column_here() == 0 && is_marker(at_) ? kNoLine : column_here();
    return true;
  }
}

// Past what may follow a value on its line.
bool QuickYaml::end_line() {
  const std::size_t begin = at_;
  skip_spaces();
  if (current() == '#' && at_ > begin) {
    at_ = std::min(bytes_.find('\n', at_), bytes_.size());
  } else if (!at_line_end()) {
    return false;
  } else if (current() == '\r') {
    ++at_;
  }
  at_ = std::min(at_ + 1, bytes_.size());
  return true;
}

bool QuickYaml::close() {
  if (!options_.allow_duplicate_keys && writer_.find_duplicate_keys()) return false;
  writer_.close();
  return true;
}

bool QuickYaml::block(int parent_column) {
  const int column = indent_;
  if (column <= parent_column) return false;
  if (is_dash(at_)) return sequence(column, false);
  Token key;
  return token(false, key) && mapping(column, key);
}

// `indentless`: the value of a key that stands at the same column.
bool QuickYaml::sequence(int column, bool indentless) {
  if (!may_open()) return false;
  writer_.open(NodeKind::kSequence, false,
               {.begin = at_, .end = at_ + static_cast<std::size_t>(indentless)});
  while (indent_ == column && is_dash(at_)) {
    const std::size_t behind_dash = ++at_;
    skip_spaces();
    if (at_line_end() || current() == '#') {
      at_ = behind_dash;
      if (!end_line() || !next_line()) return false;
      if (indent_ <= column) {
        writer_.add_scalar(ScalarStyle::kPlain, {.begin = behind_dash, .end = behind_dash}, {});
      } else if (!block(column)) {
        return false;
      }
    } else if (!item(column)) {
      return false;
    }
  }
  if (indent_ > column || (indent_ == column && !indentless)) return false;
  return close();
}

// What stands behind a dash on its line: another sequence, a mapping, or a value.
bool QuickYaml::item(int column) {
  const int inner = column_here();
  if (is_dash(at_)) {
    indent_ = inner;
    return sequence(inner, false);
  }
  if (std::string_view("{[|>").contains(current())) return inline_value(column);
  Token first;
  if (!token(false, first)) return false;
  if (current() == ':') {
    indent_ = inner;
    return mapping(inner, first);
  }
  return add_token(first) && end_line() && next_line();
}

// at_ is behind the first key.
bool QuickYaml::mapping(int column, Token key) {
  if (!may_open()) return false;
  writer_.open(NodeKind::kMapping, false, {.begin = key.span.begin, .end = key.span.begin});
  for (;;) {
    if (!value_of(key, column)) return false;
    if (indent_ != column) break;
    key = {};
    if (!token(false, key)) return false;
  }
  return indent_ < column && close();
}

bool QuickYaml::value_of(const Token& key, int column) {
  if (current() != ':' || !is_blank_at(at_ + 1) || key.span.size() > kKeyBytesMax) return false;
  if (!add_token(key)) return false;
  const std::size_t behind_colon = ++at_;
  skip_spaces();
  if (!at_line_end() && current() != '#') return inline_value(column);
  at_ = behind_colon;
  if (!end_line() || !next_line()) return false;
  if (indent_ > column) return block(column);
  if (indent_ == column && is_dash(at_)) return sequence(column, true);
  writer_.add_scalar(ScalarStyle::kPlain, {.begin = behind_colon, .end = behind_colon}, {});
  return true;
}

// A value that begins on the line of its key or dash, which is at `column`.
bool QuickYaml::inline_value(int column) {
  if (current() == '|' || current() == '>') return block_scalar(column);
  if (current() == '{' || current() == '[') return flow_value() && end_line() && next_line();
  Token value;
  return token(false, value) && current() != ':' && add_token(value) && end_line() && next_line();
}

bool QuickYaml::flow_value() {
  if (current() == '{') return flow_mapping();
  if (current() == '[') return flow_sequence();
  Token value;
  return token(true, value) && add_token(value);
}

// A comma, after which `closing` may not follow, or `closing`.
bool QuickYaml::flow_end(char closing, bool& done) {
  skip_spaces();
  done = current() == closing;
  if (!done && current() != ',') return false;
  ++at_;
  if (!done) skip_spaces();
  return true;
}

bool QuickYaml::flow_mapping() {
  if (!may_open()) return false;
  writer_.open(NodeKind::kMapping, true, {.begin = at_, .end = at_ + 1});
  ++at_;
  skip_spaces();
  bool done = current() == '}';
  if (done) ++at_;
  while (!done) {
    Token key;
    if (!token(true, key) || current() != ':' || at(at_ + 1) != ' ' || !add_token(key))
      return false;
    ++at_;
    skip_spaces();
    if (!flow_value() || !flow_end('}', done)) return false;
  }
  return close();
}

bool QuickYaml::flow_sequence() {
  if (!may_open()) return false;
  writer_.open(NodeKind::kSequence, true, {.begin = at_, .end = at_ + 1});
  ++at_;
  skip_spaces();
  bool done = current() == ']';
  if (done) ++at_;
  while (!done) {
    if (!flow_value() || !flow_end(']', done)) return false;
  }
  return close();
}

bool QuickYaml::token(bool flow, Token& out) {
  if (current() == '"' || current() == '\'') return quoted(current(), out);
  return plain(flow, out);
}

// Ends in front of a ": ", a comment, the end of the line or, within brackets, what ends a value.
bool QuickYaml::plain(bool flow, Token& out) {
  const std::size_t begin = at_;
  if (at_ >= bytes_.size() || is(current(), kCannotStartPlain)) return false;
  if (current() == '-' && (is_blank_at(at_ + 1) || (flow && is(at(at_ + 1), kStopsFlow))))
    return false;
  const unsigned stops = flow ? kStopsPlain | kStopsFlow : kStopsPlain;
  for (;; ++at_) {
    while (at_ < bytes_.size() && !is(bytes_[at_], stops)) ++at_;
    const char c = current();
    if (c == '\n' || c == '\r') break;
    if (c == ':') {
      if (is_blank_at(at_ + 1)) {
        if (bytes_[at_ - 1] == ' ') return false;
        break;
      }
      if (at(at_ + 1) == '\t' || (flow && is(at(at_ + 1), kStopsFlow))) return false;
    } else if (c == '#') {
      if (bytes_[at_ - 1] != ' ') continue;
      if (flow) return false;
      break;
    } else if (c == ',' || c == ']' || c == '}') {
      break;
    } else {
      return false;
    }
  }
  std::size_t end = at_;
  while (bytes_[end - 1] == ' ') --end;
  // A comment needs the blank in front of it.
  if (current() != ':') at_ = end;
  out.span = {.begin = begin, .end = end};
  return true;
}

bool QuickYaml::quoted(char quote, Token& out) {
  const std::size_t begin = at_;
  for (++at_;; ++at_) {
    const char c = current();
    if (c == '\n' || c == '\r') return false;
    if (quote == '"' && c == '\\') {
      out.has_escapes = true;
      ++at_;
      if (!std::string_view("\"\\/nt").contains(current())) return false;
    } else if (c == quote) {
      if (quote == '"' || at(at_ + 1) != quote) break;
      out.has_escapes = true;
      ++at_;
    }
  }
  ++at_;
  out.style = quote == '"' ? ScalarStyle::kDoubleQuoted : ScalarStyle::kSingleQuoted;
  out.span = {.begin = begin, .end = at_};
  return true;
}

bool QuickYaml::add_token(const Token& token) {
  const std::size_t quotes = token.style == ScalarStyle::kPlain ? 0 : 1;
  const std::string_view text =
      bytes_.substr(token.span.begin + quotes, token.span.size() - 2 * quotes);
  if (!token.has_escapes) {
    writer_.add_scalar(token.style, token.span, text);
    return true;
  }
  const NodeId id = writer_.add_scalar(token.style, token.span, {});
  std::string& storage = writer_.text_storage();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escapes = text[i] == (token.style == ScalarStyle::kDoubleQuoted ? '\\' : '\'');
    if (escapes) ++i;
    const bool is_letter = escapes && token.style == ScalarStyle::kDoubleQuoted;
    storage += is_letter && text[i] == 'n' ? '\n' : is_letter && text[i] == 't' ? '\t' : text[i];
  }
  writer_.text_was_appended(id);
  return true;
}

}  // namespace windlass::manifest
