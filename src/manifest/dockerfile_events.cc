#include "dockerfile_events.h"

#include "windlass/base/check.h"

namespace windlass::manifest {

DockerfileEvents::DockerfileEvents(const SourceText& source)
    : instructions_(scan_dockerfile(source.bytes(), source.text_begin())) {
  const auto emit = [&](EventKind kind, Span span) {
    Event event;
    event.kind = kind;
    event.span = span;
    events_.push_back(event);
  };
  const Span whole{.begin = source.text_begin(), .end = source.bytes().size()};
  if (!instructions_.empty()) {
    emit(EventKind::kDocumentStart, whole);
    emit(EventKind::kSequenceStart, whole);
    for (const DockerInstruction& instruction : instructions_) {
      const Span span{.begin = instruction.front().span.begin, .end = instruction.back().span.end};
      emit(EventKind::kSequenceStart, span);
      for (const DockerWord& word : instruction) {
        emit(EventKind::kScalar, word.span);
        events_.back().value = word.text;
        events_.back().tag = "!";  // text, even when it looks like a number
      }
      emit(EventKind::kSequenceEnd, span);
    }
    emit(EventKind::kSequenceEnd, whole);
    emit(EventKind::kDocumentEnd, whole);
  }
  emit(EventKind::kStreamEnd, {whole.end, whole.end});
}

Result<Event> DockerfileEvents::next() {
  WINDLASS_CHECK(next_ < events_.size());
  return events_[next_++];
}

}  // namespace windlass::manifest
