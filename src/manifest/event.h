// Events: what a YAML or JSON file consists of, one piece after the other, with its bytes.
//
// Finding images builds a tree from them, one document at a time; proving an edit compares two
// streams of them. Both work on any format that can be told as events.
#pragma once

#include <string_view>

#include "windlass/base/result.h"
#include "windlass/manifest/location.h"

namespace windlass::manifest {

enum class EventKind {
  kStreamEnd,
  kDocumentStart,
  kDocumentEnd,
  kScalar,
  kAlias,
  kSequenceStart,
  kSequenceEnd,
  kMappingStart,
  kMappingEnd,
};

enum class ScalarStyle { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral, kFolded };

struct Event {
  EventKind kind = EventKind::kStreamEnd;
  ScalarStyle style = ScalarStyle::kPlain;
  bool flow = false;         // a collection in brackets
  bool is_explicit = false;  // a document that starts with "---"
  std::string_view anchor;   // of a node, or the one an alias names
  std::string_view tag;      // resolved; empty when none was written
  std::string_view value;    // of a scalar, decoded
  Span span;                 // of a node without its anchor and tag; quotes included
};

class EventSource {
 public:
  virtual ~EventSource() = default;

  // The texts of an event stay valid until the next call. After kStreamEnd or an error, do not call
  // again.
  virtual Result<Event> next() = 0;
};

}  // namespace windlass::manifest
