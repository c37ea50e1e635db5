// SpanContext: which span something belongs to: what a task carries to where it goes on, and what
// is sent to another process as W3C Trace Context (headers traceparent and tracestate).
//
// Values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "windlass/base/result.h"

namespace windlass::telemetry {

// All zeros means none.
template <std::size_t Size>
struct HexId {
  std::array<std::uint8_t, Size> bytes{};

  bool valid() const { return bytes != std::array<std::uint8_t, Size>{}; }
  std::string to_hex() const;  // lower case

  friend bool operator==(const HexId&, const HexId&) = default;
};

using TraceId = HexId<16>;
using SpanId = HexId<8>;

struct SpanContext {
  TraceId trace_id;
  SpanId span_id;
  bool sampled = false;
  bool remote = false;      // came from another process
  std::string trace_state;  // as the other process sent it, or empty

  bool valid() const { return trace_id.valid() && span_id.valid(); }

  friend bool operator==(const SpanContext&, const SpanContext&) = default;
};

inline const SpanContext kNoParent{};  // NOLINT(readability-identifier-naming): a constant

// Reads the two headers. A tracestate that is malformed or longer than 512 bytes is left out, as
// the standard asks; of a version that is not known yet, the part that is known counts. kInvalid
// when `traceparent` cannot be used: start a new trace then.
Result<SpanContext> parse_traceparent(std::string_view traceparent,
                                      std::string_view tracestate = {});

// The value of the header traceparent; empty when the context is not valid.
std::string to_traceparent(const SpanContext& context);

}  // namespace windlass::telemetry
