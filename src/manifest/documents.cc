#include "documents.h"

#include <string_view>

#include "dockerfile_events.h"
#include "json_events.h"
#include "yaml_events.h"

namespace windlass::manifest {

Syntax syntax_of(const SourceText& source, std::optional<Format> format) {
  if (format == Format::kDockerfile) return Syntax::kDockerfile;
  if (source.file_name().ends_with(".json")) return Syntax::kJson;
  const std::string_view text = source.bytes().substr(source.text_begin());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool may_be_json =
      first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  return may_be_json && is_json(source) ? Syntax::kJson : Syntax::kYaml;
}

std::unique_ptr<EventSource> open_events(const SourceText& source, Syntax syntax,
                                         std::size_t begin) {
  if (syntax == Syntax::kDockerfile) return std::make_unique<DockerfileEvents>(source);
  if (syntax == Syntax::kJson) return std::make_unique<JsonEvents>(source);
  return std::make_unique<YamlEvents>(source, begin);
}

Documents::Documents(const SourceText& source, Syntax syntax, Options options)
    : source_(source), syntax_(syntax), options_(options) {
  if (options.quick && syntax == Syntax::kYaml && source.is_simple()) {
    quick_.emplace(source.bytes(), source.text_begin(), writer_,
                   QuickYaml::Options{.allow_duplicate_keys = options.allow_duplicate_keys});
  } else {
    open_full(source.text_begin());
  }
}

void Documents::open_full(std::size_t begin) {
  quick_.reset();
  events_ = open_events(source_, syntax_, begin);
  builder_.emplace(*events_, source_, writer_,
                   TreeBuilder::Options{.allow_duplicate_keys = options_.allow_duplicate_keys});
}

Result<bool> Documents::read_document(Tree& tree) {
  if (quick_) {
    const QuickYaml::Outcome outcome = quick_->read_document(tree);
    if (outcome != QuickYaml::Outcome::kGaveUp) return outcome == QuickYaml::Outcome::kDocument;
    open_full(quick_->position());
  }
  return builder_->read_document(tree);
}

}  // namespace windlass::manifest
