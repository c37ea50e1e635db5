#include "challenge.h"

#include "windlass/base/text.h"

namespace windlass::registry {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// RFC 9110's tchar.
bool is_token_character(char c) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kOthers.find(c) != std::string_view::npos;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  void parse(std::vector<Challenge>& out) {
    bool open = false;  // a scheme of this header has been read
    while (at_ < text_.size()) {
      skip([](char c) { return is_blank(c) || c == ','; });
      const std::string_view name = take(is_token_character);
      if (name.empty()) {
        ++at_;  // junk
        continue;
      }
      skip(is_blank);
      if (!open || peek() != '=') {
        out.push_back({.scheme = to_lower(name), .parameters = {}});
        open = true;
        continue;
      }
      ++at_;
      skip(is_blank);
      if (peek() == '=') {  // the end of a token68, which no scheme of ours has
        skip([](char c) { return c == '='; });
        continue;
      }
      out.back().parameters.emplace_back(to_lower(name), take_value());
    }
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  template <class Predicate>
  std::string_view take(Predicate belongs) {
    const std::size_t start = at_;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  template <class Predicate>
  void skip(Predicate belongs) {
    take(belongs);
  }

  std::string take_value() {
    if (peek() != '"') return std::string(take([](char c) { return c != ',' && !is_blank(c); }));
    ++at_;
    std::string value;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_++];
    }
    ++at_;
    return value;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const std::string* Challenge::find(std::string_view name) const {
  for (const auto& [parameter, value] : parameters) {
    if (parameter == name) return &value;
  }
  return nullptr;
}

std::vector<Challenge> parse_challenges(const std::vector<std::string_view>& headers) {
  std::vector<Challenge> challenges;
  for (const std::string_view header : headers) Parser(header).parse(challenges);
  return challenges;
}

std::optional<Challenge> choose(const std::vector<Challenge>& challenges) {
  for (const Challenge& challenge : challenges) {
    const std::string* realm = challenge.find("realm");
    if (challenge.scheme == "bearer" && realm != nullptr && !realm->empty()) return challenge;
  }
  for (const Challenge& challenge : challenges) {
    if (challenge.scheme == "basic") return challenge;
  }
  return std::nullopt;
}

std::string schemes(const std::vector<Challenge>& challenges) {
  std::string out;
  for (const Challenge& challenge : challenges) {
    if (!out.empty()) out += ", ";
    out += printable(challenge.scheme, 30);
    if (challenge.scheme == "bearer" && choose({challenge}) == std::nullopt)
      out += " without realm";
  }
  return out.empty() ? "none" : printable(out, 200);
}

}  // namespace windlass::registry
