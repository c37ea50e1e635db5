#include "grammar.h"

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/image/image_reference.h"

namespace windlass::image {
namespace {

constexpr std::size_t kTagSizeMax = 128;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alphanumeric(char c) { return is_lower(c) || is_upper(c) || is_digit(c); }
bool is_lower_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
bool is_separator(char c) { return c == '.' || c == '_' || c == '-'; }

// What stands at `offset`, in words a reader can act on.
std::string found(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end";
  const char c = text[offset];
  const auto byte = static_cast<unsigned char>(c);
  if (c == ' ' || c == '\t') return c == ' ' ? "a blank" : "a tab";
  if (c == '\n' || c == '\r') return "a line break";
  if (byte < 0x20 || byte == 0x7F) return "a control character";
  if (byte >= 0x80) return "a character that is not ASCII";
  if (c == '$') return "a variable ('$')";
  if (text.substr(offset).starts_with("{{")) return "a template ('{{')";
  return format("'{}'", c);
}

Fault unexpected(std::string_view text, std::size_t offset, std::string_view expected) {
  return {offset, format("expected {}, found {}", expected, found(text, offset))};
}

std::optional<Fault> check_port(std::string_view text, Range part) {
  constexpr std::string_view kExpected = "a port number";
  std::size_t i = part.begin;
  while (i < part.end && is_digit(text[i])) ++i;
  if (i < part.end && part.of(text).contains(':'))
    return Fault{i, "expected a port number; an IPv6 address is written in brackets: [::1]:5000"};
  if (i < part.end || i == part.begin) return unexpected(text, i, kExpected);
  return std::nullopt;
}

std::optional<Fault> check_ipv6(std::string_view text, Range part) {
  std::size_t i = part.begin + 1;
  while (i < part.end &&
         (text[i] == ':' || is_digit(text[i]) || is_lower_hex(static_cast<char>(text[i] | 0x20))))
    ++i;
  if (i < part.end && text[i] == '%')
    return Fault{i, "an IPv6 zone has no place in an image reference"};
  if (i == part.end || text[i] != ']' || i == part.begin + 1)
    return unexpected(text, i, "an IPv6 address and ']'");
  if (++i == part.end) return std::nullopt;
  if (text[i] != ':') return unexpected(text, i, "':' and a port, or '/'");
  return check_port(text, {i + 1, part.end});
}

std::optional<Fault> check_host_label(std::string_view text, Range part) {
  constexpr std::string_view kExpected = "a letter or digit of a host name";
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const bool inside = i > part.begin && i + 1 < part.end;
    if (!is_alphanumeric(text[i]) && !(inside && text[i] == '-'))
      return unexpected(text, i, kExpected);
  }
  if (part.begin == part.end) return unexpected(text, part.begin, kExpected);
  return std::nullopt;
}

std::optional<Fault> check_component(std::string_view text, Range part, Range repository) {
  constexpr std::string_view kExpected = "a lower-case letter or digit of a repository name";
  std::size_t i = part.begin;
  for (;;) {
    const std::size_t start = i;
    while (i < part.end && (is_lower(text[i]) || is_digit(text[i]))) ++i;
    if (i < part.end && is_upper(text[i])) return must_be_lower(text, repository, i);
    if (i == start) return unexpected(text, i, kExpected);
    if (i == part.end) return std::nullopt;
    if (!is_separator(text[i])) return unexpected(text, i, kExpected);
    // One dot, one or two underscores, or any number of dashes may join two runs.
    const char separator = text[i++];
    if (separator == '_' && i < part.end && text[i] == '_') ++i;
    while (separator == '-' && i < part.end && text[i] == '-') ++i;
  }
}

}  // namespace

Fault must_be_lower(std::string_view text, Range part, std::size_t offset) {
  const std::string lower = to_lower(part.of(text));
  std::string what = "repository names are lower case";
  std::string meant(text);
  meant.replace(part.begin, part.end - part.begin, lower);
  // Something else is wrong as well: lower case alone would not be what was meant.
  if (!ImageReference::parse(meant)) return {offset, what};
  return {offset, what + ": did you mean " + quoted(meant) + "?"};
}

std::optional<Fault> check_registry(std::string_view text, Range part) {
  if (text[part.begin] == '[') return check_ipv6(text, part);
  const std::size_t colon = part.of(text).find(':');
  if (colon == 0 && part.of(text).starts_with("::"))
    return Fault{part.begin, "an IPv6 address is written in brackets: [::1]:5000"};
  const std::size_t host_end = colon == std::string_view::npos ? part.end : part.begin + colon;
  for (std::size_t begin = part.begin; begin <= host_end;) {
    std::size_t end = text.find('.', begin);
    if (end > host_end) end = host_end;
    if (auto fault = check_host_label(text, {begin, end})) return fault;
    begin = end + 1;
  }
  if (host_end == part.end) return std::nullopt;
  return check_port(text, {host_end + 1, part.end});
}

std::optional<Fault> check_repository(std::string_view text, Range part) {
  for (std::size_t begin = part.begin; begin <= part.end;) {
    std::size_t end = text.find('/', begin);
    if (end > part.end) end = part.end;
    if (auto fault = check_component(text, {begin, end}, part)) return fault;
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<Fault> check_tag(std::string_view text, Range part) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const char c = text[i];
    const bool first = i == part.begin;
    if (!is_alphanumeric(c) && c != '_' && (first || (c != '.' && c != '-')))
      return unexpected(text, i, first ? "a letter, digit or '_' of a tag" : "a tag or its end");
    if (i - part.begin == kTagSizeMax)
      return Fault{i, format("a tag has at most {} characters", kTagSizeMax)};
  }
  if (part.begin == part.end) return unexpected(text, part.begin, "a tag after ':'");
  return std::nullopt;
}

std::optional<Fault> check_digest(std::string_view text, Range part) {
  const std::string_view digest = part.of(text);
  const std::string_view algorithm = digest.substr(0, digest.find(':'));
  if (algorithm.size() == digest.size())
    return Fault{part.begin, "expected a digest: sha256: or sha512: and hex digits"};
  if (algorithm != "sha256" && algorithm != "sha512") {
    const std::string lower = to_lower(algorithm);
    if (lower == "sha256" || lower == "sha512")
      return Fault{part.begin, format("digest algorithms are lower case: write {}", lower)};
    return Fault{part.begin, format("digest algorithm {} is not known: expected sha256 or sha512",
                                    quoted(algorithm, 32))};
  }
  const std::size_t size = algorithm == "sha256" ? 64 : 128;
  const std::size_t hex_begin = part.begin + algorithm.size() + 1;
  std::size_t i = hex_begin;
  while (i < part.end && i - hex_begin < size && is_lower_hex(text[i])) ++i;
  if (i == part.end) {
    if (i - hex_begin == size) return std::nullopt;
    return Fault{i, format("{} takes {} hex digits, found {}", algorithm, size, i - hex_begin)};
  }
  if (i - hex_begin < size) {
    if (text[i] >= 'A' && text[i] <= 'F')
      return Fault{i, "the hex digits of a digest are lower case"};
    return unexpected(text, i, "a hex digit");
  }
  if (text[i] == ':') return Fault{i, "a tag goes before the digest: name:tag@digest"};
  if (text[i] == '@') return Fault{i, "a reference has one digest"};
  return unexpected(text, i, format("the end after {} hex digits", size));
}

}  // namespace windlass::image
