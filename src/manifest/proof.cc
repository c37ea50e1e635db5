#include "proof.h"

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

bool same_but_for_text(const Event& a, const Event& b) {
  return a.kind == b.kind && a.flow == b.flow && a.is_explicit == b.is_explicit &&
         a.anchor == b.anchor && a.tag == b.tag;
}

std::unexpected<Error> refuse(std::string_view what) {
  return fail(ErrorCode::kInternal,
              format("the edited file would not mean what it should: {}; nothing was changed, "
                     "please report this",
                     what));
}

}  // namespace

Result<void> prove_only_changed(EventSource& before, EventSource& after,
                                std::span<const ScalarChange> changes) {
  std::size_t ordinal = 0;
  for (;;) {
    const auto old_event = before.next();
    const auto new_event = after.next();
    if (!old_event) return refuse(old_event.error().message);
    if (!new_event) return refuse(new_event.error().message);
    const bool is_scalar = old_event->kind == EventKind::kScalar;
    const bool is_changed = is_scalar && !changes.empty() && changes.front().ordinal == ordinal;
    const char quote = is_changed ? changes.front().quote : '\0';
    const ScalarStyle style = quote == '"'    ? ScalarStyle::kDoubleQuoted
                              : quote == '\'' ? ScalarStyle::kSingleQuoted
                                              : old_event->style;
    if (!same_but_for_text(*old_event, *new_event) || new_event->style != style)
      return refuse(format("another structure at byte {}", old_event->span.begin));
    if (old_event->kind == EventKind::kStreamEnd) break;
    if (!is_scalar) continue;
    const std::string_view expected =
        is_changed ? std::string_view(changes.front().value) : old_event->value;
    if (is_changed) changes = changes.subspan(1);
    if (new_event->value != expected) {
      return refuse(format("at byte {} it says {} instead of {}", new_event->span.begin,
                           windlass::quoted(new_event->value), windlass::quoted(expected)));
    }
    ++ordinal;
  }
  if (!changes.empty()) return refuse("an edited value is missing");
  return {};
}

}  // namespace windlass::manifest
