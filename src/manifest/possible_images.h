// Lists texts that look like images where no rule says that one stands, each with the reason why
// it is left alone: it is an argument, a variable, a part of a script, a comment, a schema ...
//
// Nothing of a Secret is ever listed.
#pragma once

#include "collector.h"
#include "source_text.h"
#include "tree.h"

namespace windlass::manifest {

class PossibleImages {
 public:
  // `dockerfile`: documents are lists of instructions, each a list of words.
  PossibleImages(const SourceText& source, bool dockerfile, Collector& collector)
      : source_(source),
        dockerfile_(dockerfile),
        collector_(collector),
        behind_last_(source.text_begin()) {}

  // To be called for each document when the rules are through with it.
  void add_document(const Tree& tree);

  // To be called at the end: comments behind the last document.
  void add_rest();

  // Of a file that is left alone as a whole, for `reason`.
  void add_file(std::string_view reason);

 private:
  void add_comments(Span span);

  const SourceText& source_;
  const bool dockerfile_;
  Collector& collector_;
  std::size_t behind_last_;  // of the scalars so far
};

}  // namespace windlass::manifest
