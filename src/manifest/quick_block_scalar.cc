// The part of QuickYaml for block scalars: | and >.
#include <algorithm>
#include <string>

#include "quick_yaml.h"

namespace windlass::manifest {
namespace {

struct Line {
  std::size_t indent = 0;  // spaces in front
  std::string_view text;   // behind them, without its line end
  std::size_t next = 0;    // where the next line begins
  bool has_end = false;    // rather than the end of the file
};

Line line_at(std::string_view bytes, std::size_t begin, std::size_t indent_max) {
  Line line;
  const std::size_t feed = bytes.find('\n', begin);
  line.has_end = feed != std::string_view::npos;
  line.next = line.has_end ? feed + 1 : bytes.size();
  std::string_view text = bytes.substr(begin, (line.has_end ? feed : bytes.size()) - begin);
  if (line.has_end && text.ends_with('\r')) text.remove_suffix(1);
  while (line.indent < std::min(indent_max, text.size()) && text[line.indent] == ' ') ++line.indent;
  line.text = text.substr(line.indent);
  return line;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The text of a block scalar, put together line by line as YAML folds it.
class BlockText {
 public:
  BlockText(std::string& out, bool literal) : out_(out), literal_(literal) {}

  void add_blank_line() { ++blank_lines_; }
  void add_line(std::string_view text, bool has_end) {
    const bool starts_blank = is_blank(text.front());
    if (!literal_ && has_break_ && !after_blank_ && !starts_blank) {
      if (blank_lines_ == 0) out_ += ' ';
    } else if (has_break_) {
      out_ += '\n';
    }
    out_.append(blank_lines_, '\n');
    out_ += text;
    blank_lines_ = 0;
    after_blank_ = starts_blank;
    has_break_ = has_end;
  }
  void finish(char chomping) {
    if (chomping != '-' && has_break_) out_ += '\n';
    if (chomping == '+') out_.append(blank_lines_, '\n');
  }

 private:
  std::string& out_;
  const bool literal_;
  std::size_t blank_lines_ = 0;  // since the last line with text
  bool has_break_ = false;       // behind that line
  bool after_blank_ = false;     // that line began with one
};

}  // namespace

bool QuickYaml::block_scalar(int column) {
  const std::size_t begin = at_;
  const bool literal = current() == '|';
  char chomping = '\0';
  ++at_;
  if (current() == '+' || current() == '-') {
    chomping = current();
    ++at_;
  }
  skip_spaces();
  if (!at_line_end() || !end_line()) return false;

  // The first line with text sets the indentation; blank lines may not be deeper than it.
  std::size_t deepest_blank = 0;
  std::size_t first = at_;
  Line line = line_at(bytes_, first, bytes_.size());
  while (line.text.empty() && line.has_end) {
    deepest_blank = std::max(deepest_blank, line.indent);
    first = line.next;
    line = line_at(bytes_, first, bytes_.size());
  }
  const std::size_t indent = line.indent;
  if (line.text.empty() || line.text.front() == '\t' || static_cast<int>(indent) <= column ||
      indent == 0 || deepest_blank > indent)
    return false;

  const NodeId id = writer_.add_scalar(literal ? ScalarStyle::kLiteral : ScalarStyle::kFolded,
                                       {.begin = begin, .end = begin}, {});
  BlockText text(writer_.text_storage(), literal);
  while (at_ < bytes_.size()) {
    line = line_at(bytes_, at_, indent);
    if (line.text.empty()) {
      if (!line.has_end) break;
      text.add_blank_line();
    } else if (line.indent < indent) {
      if (line.text.front() == '\t') return false;
      break;
    } else {
      text.add_line(line.text, line.has_end);
    }
    at_ = line.next;
  }
  text.finish(chomping);
  writer_.text_was_appended(id);
  writer_.node(id).span.end = at_;
  return next_line();
}

}  // namespace windlass::manifest
