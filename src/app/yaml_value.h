// YamlValue: a small YAML document as a tree with places, for settings and function inputs.
//
// A value. Not for manifests: it keeps no bytes, and an alias is as good as nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"

namespace windlass::app {

struct YamlValue {
  enum class Kind { kNull, kScalar, kSequence, kMapping };

  struct Entry;  // key and value

  Kind kind = Kind::kNull;
  std::string scalar;
  std::vector<YamlValue> items;
  std::vector<Entry> entries;
  std::size_t line = 1;
  std::size_t column = 1;

  // The value of a mapping's key; nullptr when there is none.
  const YamlValue* find(std::string_view key) const;

  // The scalar at a path of keys, or "".
  std::string_view text_at(std::initializer_list<std::string_view> path) const;
};

struct YamlValue::Entry {
  std::string key;
  std::size_t line = 1;
  std::size_t column = 1;
  YamlValue value;
};

// The one document of `bytes`; kNull when there is none. kInvalid with file:line:column for what is
// not YAML, has a key twice, is nested more than a hundred deep, or is followed by another document
// that says something.
Result<YamlValue> parse_yaml(std::string_view file_name, std::string_view bytes);

// The first document, whatever follows it.
Result<YamlValue> parse_first_yaml(std::string_view file_name, std::string_view bytes);

}  // namespace windlass::app
