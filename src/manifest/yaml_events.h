// YamlEvents: the events of a YAML file, read by libyaml.
//
// libyaml counts characters; the spans here are bytes. Its messages are turned into what was
// expected, with file, line and column as an editor shows them.
//
// Not thread-safe. The SourceText and its bytes must outlive it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "event.h"
#include "source_text.h"

namespace windlass::manifest {

class YamlEvents final : public EventSource {
 public:
  // From `begin` on, where a document begins.
  YamlEvents(const SourceText& source, std::size_t begin);
  explicit YamlEvents(const SourceText& source) : YamlEvents(source, source.text_begin()) {}
  ~YamlEvents() override;

  Result<Event> next() override;

 private:
  struct Parser;  // libyaml's

  Error error() const;
  std::size_t byte_of(std::size_t character) const;

  // libyaml refuses an empty value that touches a bracket, as in {image:}, which YAML allows. Such
  // a place gets a blank in a copy of the text, and reading goes on there. False when the error is
  // another one.
  bool get_over_empty_value();

  const SourceText& source_;
  const std::size_t begin_;
  const std::size_t first_character_;  // its number in the file
  std::size_t events_read_ = 0;
  std::string with_blanks_;          // the copy, once there is one
  std::vector<std::size_t> blanks_;  // the characters of the copy that are not in the file
  std::unique_ptr<Parser> parser_;   // reads the file or the copy
};

}  // namespace windlass::manifest
