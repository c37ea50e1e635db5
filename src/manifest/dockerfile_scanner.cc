#include "dockerfile_scanner.h"

#include <algorithm>
#include <utility>

#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The name that ends the heredoc a word begins ("<<EOF", "<<-'EOF'", "3<<EOF"), or "".
struct Heredoc {
  std::string delimiter;
  bool strips_tabs = false;
};

Heredoc parse_heredoc(std::string_view word) {
  Heredoc heredoc;
  while (!word.empty() && word[0] >= '0' && word[0] <= '9') word.remove_prefix(1);
  if (!word.starts_with("<<")) return heredoc;
  word.remove_prefix(2);
  heredoc.strips_tabs = word.starts_with('-');
  if (heredoc.strips_tabs) word.remove_prefix(1);
  if (word.contains('<')) return heredoc;
  for (const char c : word) {
    if (c != '"' && c != '\'') heredoc.delimiter += c;
  }
  return heredoc;
}

class Scanner {
 public:
  Scanner(std::string_view bytes, std::size_t begin) : bytes_(bytes), at_(begin) {}

  std::vector<DockerInstruction> scan() {
    after_shebang_ = bytes_.substr(at_).starts_with("#!");
    if (after_shebang_) next_line();
    while (at_ < bytes_.size() && take_directive()) {
    }
    while (at_ < bytes_.size()) {
      if (is_skipped(line())) {
        next_line();
      } else {
        take_instruction();
      }
    }
    return std::move(instructions_);
  }

 private:
  Span line() const {
    const std::size_t feed = bytes_.find('\n', at_);
    return {.begin = at_, .end = feed == std::string_view::npos ? bytes_.size() : feed};
  }
  void next_line() { at_ = std::min(line().end + 1, bytes_.size()); }

  // Blank lines and comments, which may also stand between the lines of an instruction.
  bool is_skipped(Span span) const {
    const std::string_view text = trim(span.of(bytes_));
    return text.empty() || text.starts_with('#');
  }

  // "# key=value". The first line that is no known directive ends them.
  bool take_directive() {
    const Span span = line();
    const std::string_view text = trim(span.of(bytes_));
    const std::size_t equals = text.find('=');
    if (!text.starts_with('#') || equals == std::string_view::npos) return false;
    const std::string key = to_lower(trim(text.substr(1, equals - 1)));
    const std::string_view value = trim(text.substr(equals + 1));
    if (key != "syntax" && key != "escape" && key != "check") return false;
    // Builders look for the syntax alone behind a shebang.
    if (after_shebang_ && key != "syntax") return false;
    if (key == "escape" && value.size() == 1) escape_ = value[0];
    if (key == "syntax" && !value.empty()) {
      const auto begin = static_cast<std::size_t>(value.data() - bytes_.data());
      instructions_.push_back(
          {{.span = span, .text = std::string(kSyntaxDirective)},
           {.span = {begin, begin + value.size()}, .text = std::string(value)}});
    }
    next_line();
    return true;
  }

  void take_instruction() {
    instructions_.emplace_back();
    quote_ = '\0';
    in_word_ = false;
    bool continues = take_line();
    while (continues && at_ < bytes_.size()) {
      if (is_skipped(line())) {
        next_line();
      } else {
        continues = take_line();
      }
    }
    if (instructions_.back().empty()) {
      instructions_.pop_back();
    } else {
      take_heredocs();
    }
  }

  // Takes the words of one line. True when the line ends with the escape character and so goes on.
  bool take_line() {
    Span span = line();
    next_line();
    while (span.size() > 0 && is_blank(bytes_[span.end - 1])) --span.end;
    const bool continues = span.size() > 0 && bytes_[span.end - 1] == escape_ &&
                           (span.size() == 1 || bytes_[span.end - 2] != escape_);
    const std::size_t end = continues ? span.end - 1 : span.end;
    for (std::size_t i = span.begin; i < end; ++i) take_character(i);
    if (!continues) in_word_ = false;
    return continues;
  }

  void take_character(std::size_t i) {
    const char c = bytes_[i];
    if (quote_ == '\0' && is_blank(c)) {
      in_word_ = false;
      return;
    }
    DockerInstruction& words = instructions_.back();
    if (!in_word_) words.push_back({.span = {i, i}, .text = {}});
    in_word_ = true;
    words.back().span.end = i + 1;
    words.back().text += c;
    const bool escaped = i > 0 && bytes_[i - 1] == escape_ && quote_ != '\'';
    if (escaped) return;
    if (quote_ == '\0' && (c == '"' || c == '\'')) {
      quote_ = c;
    } else if (quote_ == c) {
      quote_ = '\0';
    }
  }

  void take_heredocs() {
    std::string keyword = to_lower(instructions_.back().front().text);
    if (keyword == "onbuild" && instructions_.back().size() > 1)
      keyword = to_lower(instructions_.back()[1].text);
    if (keyword != "run" && keyword != "copy" && keyword != "add") return;
    const std::size_t words = instructions_.back().size();
    for (std::size_t i = 1; i < words; ++i) {
      const Heredoc heredoc = parse_heredoc(instructions_.back()[i].text);
      if (!heredoc.delimiter.empty()) take_heredoc(heredoc);
    }
  }

  // Without its end it was none: then nothing is taken.
  void take_heredoc(const Heredoc& heredoc) {
    const std::size_t begin = at_;
    while (at_ < bytes_.size()) {
      const Span span = line();
      std::string_view text = span.of(bytes_);
      if (text.ends_with('\r')) text.remove_suffix(1);
      while (heredoc.strips_tabs && text.starts_with('\t')) text.remove_prefix(1);
      next_line();
      if (text != heredoc.delimiter) continue;
      const Span body{.begin = begin, .end = span.begin};
      instructions_.back().push_back({.span = body, .text = std::string(body.of(bytes_))});
      return;
    }
    at_ = begin;
  }

  const std::string_view bytes_;
  std::size_t at_;  // the beginning of the next line
  char escape_ = '\\';
  bool after_shebang_ = false;
  char quote_ = '\0';     // the quote that is open
  bool in_word_ = false;  // the next character belongs to the last word
  std::vector<DockerInstruction> instructions_;
};

}  // namespace

std::vector<DockerInstruction> scan_dockerfile(std::string_view bytes, std::size_t begin) {
  return Scanner(bytes, begin).scan();
}

}  // namespace windlass::manifest
