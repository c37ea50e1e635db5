// JsonEvents: the events of a JSON file, or of several JSON texts one after the other.
//
// JSON is nearly YAML, but libyaml takes neither surrogate pairs nor keys of more than a thousand
// characters, and JSON is quicker to read as what it is.
//
// Not thread-safe. The SourceText must outlive it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "event.h"
#include "source_text.h"

namespace windlass::manifest {

class JsonEvents final : public EventSource {
 public:
  explicit JsonEvents(const SourceText& source);

  Result<Event> next() override;

 private:
  enum class Expected { kDocument, kFirst, kKey, kColon, kValue, kAfterValue };

  Result<Event> value();
  Result<Event> string();
  Result<Event> literal();
  Event open(EventKind kind, char closing);
  Event close();
  // Appends what the escape at `at_` stands for, and moves behind it. False when there is no such
  // escape.
  bool unescape();
  void skip_blanks();
  char current() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }
  std::unexpected<Error> expected(std::string_view what) const;

  const SourceText& source_;
  std::string_view bytes_;
  std::size_t at_;
  Expected expected_ = Expected::kDocument;
  std::vector<char> closings_;  // of the collections that are open
  std::string decoded_;         // the text of a string with escapes
};

// True when the file is JSON from its first to its last byte.
bool is_json(const SourceText& source);

}  // namespace windlass::manifest
