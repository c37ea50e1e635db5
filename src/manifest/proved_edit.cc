#include "proved_edit.h"

#include <algorithm>
#include <utility>

#include "documents.h"
#include "source_text.h"
#include "splice.h"
#include "windlass/base/check.h"

namespace windlass::manifest {

Result<std::string> proved_edit(const std::string& file_name, std::string_view bytes,
                                std::optional<Format> format,
                                std::span<const Replacement> replacements,
                                std::vector<ScalarChange> changes) {
  std::ranges::sort(changes, {}, &ScalarChange::ordinal);
  std::string text = splice(bytes, replacements);
  const auto source_before = SourceText::create(file_name, bytes);
  const auto source_after = SourceText::create(file_name, text);
  WINDLASS_CHECK(source_before && source_after);
  const Syntax syntax = syntax_of(*source_before, format);
  const auto before = open_events(*source_before, syntax, source_before->text_begin());
  const auto after = open_events(*source_after, syntax, source_after->text_begin());
  if (auto proved = prove_only_changed(*before, *after, changes); !proved)
    return fail(std::move(proved.error()));
  return text;
}

}  // namespace windlass::manifest
