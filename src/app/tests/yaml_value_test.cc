#include "yaml_value.h"

#include <gtest/gtest.h>

namespace windlass::app {
namespace {

TEST(YamlValue, IsATreeWithPlaces) {
  const auto root = parse_yaml("f", "a: {b: [x, 'null', null]}\nc:\n- d: *e\n").value();
  const YamlValue& list = *root.find("a")->find("b");
  ASSERT_EQ(list.items.size(), 3U);
  EXPECT_EQ(list.items[0].column, 9U);
  EXPECT_EQ(list.items[1].kind, YamlValue::Kind::kScalar);
  EXPECT_EQ(list.items[2].kind, YamlValue::Kind::kNull);
  EXPECT_EQ(root.find("c")->line, 3U);
  EXPECT_EQ(root.text_at({"a", "none", "b"}), "");
  EXPECT_EQ(parse_yaml("f", "# nothing\n")->kind, YamlValue::Kind::kNull);
}

TEST(YamlValue, WhatIsNotYamlIsSaidWithItsPlace) {
  EXPECT_TRUE(parse_yaml("f", "a: [\n").error().message.starts_with("f:2:1: "));
  EXPECT_TRUE(parse_yaml("f", "a: 1\na: 2\n").error().message.starts_with("f:2:1: "));
  EXPECT_TRUE(parse_yaml("f", "[a]: 2\n").error().message.starts_with("f:1:1: "));
  EXPECT_EQ(parse_yaml("f", "a: b: c\n").error().message,
            "f:1:5: a second ':' on the line, or a wrong indentation: expected quotes around a "
            "value that holds ': '");
  EXPECT_EQ(parse_yaml("f", "a: 1\nb: \xff\n").error().message,
            "f:2:4: a byte that no YAML in UTF-8 has: save the file as UTF-8");
  EXPECT_TRUE(parse_yaml("f", std::string(1000, '[')).error().message.contains("too deep"));
}

TEST(YamlValue, ASecondDocumentIsNotPassedOver) {
  EXPECT_TRUE(parse_yaml("f", "a: 1\n---\nb: 2\n")
                  .error()
                  .message.starts_with("f:3:1: a second document begins here"));
  EXPECT_TRUE(parse_yaml("f", "a: 1\n---\nb: [\n").error().message.starts_with("f:4:1: "));
  for (const char* const one : {"a: 1\n---\n", "---\n---\na: 1\n", "a: 1\n...\n# end\n"}) {
    EXPECT_EQ(parse_yaml("f", one).value().text_at({"a"}), "1") << one;
  }
  EXPECT_EQ(parse_first_yaml("f", "a: 1\n---\nb: [\n").value().text_at({"a"}), "1");
}

}  // namespace
}  // namespace windlass::app
