// SpanExporter: sends ended spans somewhere, a batch at a time.
//
// Thread safety: called by one thread at a time.
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>

#include "windlass/base/result.h"
#include "windlass/base/time.h"
#include "windlass/telemetry/span.h"

namespace windlass::telemetry_export {

class SpanExporter {
 public:
  virtual ~SpanExporter() = default;

  // Tries once and may block, for `at_most`; a request to `stop` ends it soon. The number of spans
  // that the other side took the batch without. Whether to try again says is_retryable().
  virtual Result<std::size_t> export_spans(std::span<const telemetry::SpanData> spans,
                                           Duration at_most, const std::stop_token& stop) = 0;
};

}  // namespace windlass::telemetry_export
