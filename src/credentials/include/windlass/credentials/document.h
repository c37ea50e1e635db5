// A YAML or JSON text that may hold secrets, as a tree of values.
//
// Every scalar is kept in memory that is overwritten when it goes. What a member means is the
// reader's affair (see section.h); nothing here shows a scalar's text in an error.
//
// Values; const members may be called from any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/credentials/secret.h"

namespace windlass::credentials {

struct Value {
  enum class Kind { kNull, kScalar, kSequence, kMapping };

  // Not in the class: it holds others of its own type.
  Value();
  ~Value();
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;

  // The member `name` of a mapping, or nullptr; also when it is null, or this is no mapping.
  const Value* find(std::string_view name) const;

  std::string_view text() const { return scalar.reveal(); }

  Kind kind = Kind::kNull;
  bool is_string = false;  // a scalar in quotes, or a JSON string
  Secret scalar;
  std::vector<Value> items;                            // of a sequence
  std::vector<std::pair<std::string, Value>> members;  // of a mapping, each name once
  int line = 0;                                        // from 1; 0 where the text had none
  int column = 0;
};

// Both read one document. kInvalid says "PLACE:LINE:COLUMN: why"; duplicate names, nesting beyond
// 64 levels and more than 200,000 values (aliases written out) are refused. Empty text is null.
Result<Value> parse_yaml(std::string_view text, std::string_view place);

// Lines and columns stand in errors only, not in the values.
Result<Value> parse_json(std::string_view text, std::string_view place);

// The same as JSON, without blanks. Plain YAML scalars that JSON knows stay numbers and booleans.
std::string to_json(const Value& value);

// `text` as a JSON string, with its quotes.
std::string json_quoted(std::string_view text);

}  // namespace windlass::credentials
