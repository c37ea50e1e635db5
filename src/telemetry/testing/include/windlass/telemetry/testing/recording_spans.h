// RecordingSpans: keeps every span that ended, for tests to look at.
//
//   RecordingSpans spans;
//   Tracer tracer(clock, spans, {.id_seed = 1});
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/mutex.h"
#include "windlass/telemetry/tracer.h"

namespace windlass::telemetry {

class RecordingSpans final : public SpanSink {
 public:
  void on_end(SpanData span) override;

  // In the order in which they ended.
  std::vector<SpanData> spans() const;
  std::vector<SpanData> named(std::string_view name) const;

  // The only span of this name. The test fails (by an exception) when there is none or another.
  SpanData only(std::string_view name) const;

  // Blocks until so many spans have ended.
  void await(std::size_t count) const;

 private:
  mutable Mutex mutex_;
  mutable CondVar changed_;
  std::vector<SpanData> spans_ GUARDED_BY(mutex_);
};

// A field as text: "20", "true", "pods"; nothing when the span has no such field.
std::optional<std::string> field_text(const SpanData& span, std::string_view name);

}  // namespace windlass::telemetry
