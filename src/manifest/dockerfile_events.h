// DockerfileEvents: a Dockerfile as one document: a sequence of instructions, each a sequence of
// words with the keyword first.
//
// A syntax directive is an instruction with the keyword "# syntax". The lines of a heredoc are one
// word, so that no edit changes them unseen.
//
// Not thread-safe. The SourceText must outlive it.
#pragma once

#include <cstddef>
#include <vector>

#include "dockerfile_scanner.h"
#include "event.h"
#include "source_text.h"

namespace windlass::manifest {

class DockerfileEvents final : public EventSource {
 public:
  explicit DockerfileEvents(const SourceText& source);

  Result<Event> next() override;

 private:
  std::vector<DockerInstruction> instructions_;  // hold the texts of the events
  std::vector<Event> events_;
  std::size_t next_ = 0;
};

}  // namespace windlass::manifest
