// Documents: the trees of a file's documents, one after the other, whatever syntax it is in.
//
// YAML is read by QuickYaml for as long as that does not give up, and by libyaml from there on, so
// that what is unusual or wrong has one judge.
//
// Not thread-safe. The SourceText must outlive it.
#pragma once

#include <memory>
#include <optional>

#include "event.h"
#include "quick_yaml.h"
#include "source_text.h"
#include "tree_builder.h"
#include "tree_writer.h"
#include "windlass/manifest/format.h"

namespace windlass::manifest {

enum class Syntax { kYaml, kJson, kDockerfile };

// JSON by name, or because the file is JSON from end to end, as the output of many programs is.
Syntax syntax_of(const SourceText& source, std::optional<Format> format);

// The events from `begin` on, where a document begins.
std::unique_ptr<EventSource> open_events(const SourceText& source, Syntax syntax,
                                         std::size_t begin);

class Documents {
 public:
  struct Options {
    bool allow_duplicate_keys = false;
    bool quick = true;  // false: by the full parser alone, as tests compare
  };

  Documents(const SourceText& source, Syntax syntax, Options options);

  // Replaces `tree` with the next document; false at the end of the file.
  Result<bool> read_document(Tree& tree);

 private:
  void open_full(std::size_t begin);

  const SourceText& source_;
  const Syntax syntax_;
  const Options options_;
  TreeWriter writer_;
  std::optional<QuickYaml> quick_;
  std::unique_ptr<EventSource> events_;
  std::optional<TreeBuilder> builder_;
};

}  // namespace windlass::manifest
