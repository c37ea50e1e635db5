#include "yaml_events.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace windlass::manifest {
namespace {

// The bytes of every scalar of a text, or the error.
Result<std::vector<std::string>> scalar_bytes(const std::string& text) {
  const auto source = SourceText::create("f.yaml", text);
  if (!source) return fail(source.error());
  YamlEvents events(*source);
  std::vector<std::string> out;
  for (;;) {
    const auto event = events.next();
    if (!event) return fail(event.error());
    if (event->kind == EventKind::kStreamEnd) return out;
    if (event->kind == EventKind::kScalar) out.emplace_back(event->span.of(text));
  }
}

TEST(YamlEvents, SpansAreBytesWhateverStandsInFront) {
  using Texts = std::vector<std::string>;
  const std::pair<std::string, Texts> table[] = {
      {"a: b", {"a", "b"}},
      {"h\xC3\xA9llo\xE2\x82\xAC: x", {"h\xC3\xA9llo\xE2\x82\xAC", "x"}},
      {"\xF0\x9F\x98\x80: \"y\" # z", {"\xF0\x9F\x98\x80", "\"y\""}},
      {"\xEF\xBB\xBF"
       "a: '\xC3\xA9'",
       {"a", "'\xC3\xA9'"}},
      {"a:\r\n  b\r\nc: d\r\n", {"a", "b", "c", "d"}},
      {"# \xC2\x85 \xE2\x80\xA8\na: b", {"a", "b"}},
      {"a: &x !!str b", {"a", "b"}},
      {"a: !!str\n  # why\n  &x b", {"a", "b"}},
      {"a: &x\nb: !!str", {"a", "", "b", ""}},
      {"a: >-\n  b\n", {"a", ">-\n  b\n"}},
      {"{a: , b}", {"a", "", "b", ""}},
      {"{\xC3\xA9:, b:} # {c:}\n---\n[d:]", {"\xC3\xA9", "", "b", "", "d", ""}},
  };
  for (const auto& [text, expected] : table) {
    const auto found = scalar_bytes(text);
    ASSERT_TRUE(found.has_value()) << text << ": " << found.error().message;
    EXPECT_EQ(*found, expected) << text;
  }
}

TEST(YamlEvents, ErrorsSayWhereAndWhatWasExpected) {
  const std::pair<std::string, std::string> table[] = {
      {"a: [1, 2", "f.yaml:1:9: expected ',' or ']' of a sequence in brackets"},
      {"a: {b\n  c: d\n",
       "f.yaml:2:4: expected ',' or '}' of a mapping in braces (the flow mapping starts on line "
       "1)"},
      {"\xC3\xA9: b: c",
       "f.yaml:1:5: a second ':' on the line, or a wrong indentation: expected quotes around a "
       "value that holds ': '"},
      {"a: b\n c: d\n",
       "f.yaml:2:3: a second ':' on the line, or a wrong indentation: expected quotes around a "
       "value that holds ': '"},
      {"kind: Pod\n\tspec: {}\n",
       "f.yaml:2:1: a tab in the indentation: expected blanks (the plain scalar starts on line 1)"},
      {"a: \"x", "f.yaml:1:6: the file ends inside a quoted text: expected its quote"},
      {"a: \"\\q\"", "f.yaml:1:5: no such escape in double quotes: expected \\\\ for a '\\'"},
      {"a: b\x01", "f.yaml:1:5: a control character is not allowed in YAML"},
      {"a: !x!y b", "f.yaml:1:4: this tag's prefix has no %TAG line above"},
      {"- a\nb: c\n",
       "f.yaml:2:1: expected the next '-' of the sequence at its indentation, or the end of it "
       "(the "
       "block collection starts on line 1)"},
  };
  for (const auto& [text, message] : table) {
    const auto found = scalar_bytes(text);
    ASSERT_FALSE(found.has_value()) << text;
    EXPECT_EQ(found.error().code, ErrorCode::kInvalid);
    EXPECT_EQ(found.error().message, message);
  }
}

}  // namespace
}  // namespace windlass::manifest
