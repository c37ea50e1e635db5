// The parts of an image reference, each checked against the grammar of distribution/reference.
//
// A check answers with the first fault of its part, or nothing. Offsets count bytes from the start
// of the whole text, so a check is given the text and the range that is its part.
//
// Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace windlass::image {

struct Fault {
  std::size_t offset;
  std::string what;  // what stands there and what was expected
};

// Bytes [begin, end) of the text being checked.
struct Range {
  std::size_t begin;
  std::size_t end;

  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

// The fault of an upper-case letter at `offset` of a repository name, with the text that was most
// likely meant.
Fault must_be_lower(std::string_view text, Range repository, std::size_t offset);

// Host name, IPv4 address or bracketed IPv6 address, with an optional port.
std::optional<Fault> check_registry(std::string_view text, Range part);

// Path components joined by slashes.
std::optional<Fault> check_repository(std::string_view text, Range part);

std::optional<Fault> check_tag(std::string_view text, Range part);

// algorithm:hex
std::optional<Fault> check_digest(std::string_view text, Range part);

}  // namespace windlass::image
