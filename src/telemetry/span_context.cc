#include "windlass/telemetry/span_context.h"

#include <algorithm>
#include <optional>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::telemetry {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kLength = 55;  // 2 + 1 + 32 + 1 + 16 + 1 + 2
constexpr std::size_t kStateBytesMax = 512;
constexpr std::size_t kStateMembersMax = 32;

// Upper case is refused: the standard wants lower case, so that it compares as text.
template <std::size_t Size>
bool read_hex(std::string_view text, std::array<std::uint8_t, Size>& bytes) {
  for (std::size_t i = 0; i < Size; ++i) {
    const std::size_t high = kDigits.find(text[2 * i]);
    const std::size_t low = kDigits.find(text[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return false;
    bytes[i] = static_cast<std::uint8_t>(high << 4U | low);
  }
  return true;
}

bool is_state_key(std::string_view key) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789_-*/@";
  return !key.empty() && key.size() <= 256 &&
         key.find_first_not_of(kAllowed) == std::string_view::npos;
}

bool is_state_value(std::string_view value) {
  return !value.empty() && value.size() <= 256 && value.back() != ' ' &&
         std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~' && c != ','; }) &&
         !value.contains('=');
}

bool is_state(std::string_view state) {
  if (state.size() > kStateBytesMax) return false;
  std::size_t members = 0;
  while (!state.empty()) {
    const std::size_t comma = std::min(state.find(','), state.size());
    const std::string_view member = trim(state.substr(0, comma));
    state.remove_prefix(std::min(comma + 1, state.size()));
    if (member.empty()) continue;
    const std::size_t equals = member.find('=');
    if (++members > kStateMembersMax || equals == std::string_view::npos ||
        !is_state_key(member.substr(0, equals)) || !is_state_value(member.substr(equals + 1)))
      return false;
  }
  return true;
}

}  // namespace

template <std::size_t Size>
std::string HexId<Size>::to_hex() const {
  std::string text;
  text.reserve(2 * Size);
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xFU];
  }
  return text;
}

template struct HexId<8>;
template struct HexId<16>;

Result<SpanContext> parse_traceparent(std::string_view traceparent, std::string_view tracestate) {
  const std::string_view text = trim(traceparent);
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kInvalid,
                format("traceparent {}: {}; expected VERSION-TRACEID-SPANID-FLAGS with 2, 32, 16 "
                       "and 2 lower case hex digits",
                       quoted(text), why));
  };
  if (text.size() < kLength) return refuse("too short");
  if (text[2] != '-' || text[35] != '-' || text[52] != '-')
    return refuse("no dash where one is due");
  std::array<std::uint8_t, 1> version{};
  std::array<std::uint8_t, 1> flags{};
  SpanContext context;
  if (!read_hex(text, version) || !read_hex(text.substr(3), context.trace_id.bytes) ||
      !read_hex(text.substr(36), context.span_id.bytes) || !read_hex(text.substr(53), flags))
    return refuse("not lower case hex");
  if (version[0] == 0xFF) return refuse("version ff does not exist");
  if (text.size() > kLength && (version[0] == 0 || text[kLength] != '-')) return refuse("too long");
  if (!context.valid()) return refuse("an id of zeros only");
  context.sampled = (flags[0] & 1U) != 0;
  context.remote = true;
  if (is_state(tracestate)) context.trace_state = trim(tracestate);
  return context;
}

std::string to_traceparent(const SpanContext& context) {
  if (!context.valid()) return {};
  return format("00-{}-{}-{}", context.trace_id.to_hex(), context.span_id.to_hex(),
                context.sampled ? "01" : "00");
}

}  // namespace windlass::telemetry
