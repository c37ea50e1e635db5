#include "windlass/telemetry/testing/recording_spans.h"

#include <stdexcept>

#include "windlass/base/format.h"

namespace windlass::telemetry {

void RecordingSpans::on_end(SpanData span) {
  MutexLock lock(mutex_);
  spans_.push_back(std::move(span));
  changed_.notify_all();
}

std::vector<SpanData> RecordingSpans::spans() const {
  MutexLock lock(mutex_);
  return spans_;
}

std::vector<SpanData> RecordingSpans::named(std::string_view name) const {
  std::vector<SpanData> found = spans();
  std::erase_if(found, [&](const SpanData& span) { return span.name != name; });
  return found;
}

SpanData RecordingSpans::only(std::string_view name) const {
  std::vector<SpanData> found = named(name);
  if (found.size() != 1)
    throw std::runtime_error(format("{} spans are named {}, expected one", found.size(), name));
  return std::move(found.front());
}

void RecordingSpans::await(std::size_t count) const {
  MutexLock lock(mutex_);
  system_clock().wait(mutex_, changed_, {}, [&] {
    mutex_.assert_held();
    return spans_.size() >= count;
  });
}

std::optional<std::string> field_text(const SpanData& span, std::string_view name) {
  const OwnedField::Value* value = span.find(name);
  if (value == nullptr) return std::nullopt;
  return std::visit([](const auto& content) { return format("{}", content); }, *value);
}

}  // namespace windlass::telemetry
