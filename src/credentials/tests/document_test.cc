#include "windlass/credentials/document.h"

#include <gtest/gtest.h>

namespace windlass::credentials {
namespace {

std::string as_json(std::string_view yaml) {
  const Result<Value> value = parse_yaml(yaml, "file");
  return value ? to_json(*value) : value.error().message;
}

TEST(Document, YamlBecomesWhatItMeans) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"", "null"},
      {"# nothing\n", "null"},
      {"---\na: 1\n", R"({"a":1})"},
      {"a: 007\nb: '1'\nc: true\nd: \"true\"\ne: ~\nf:\n",
       R"({"a":"007","b":"1","c":true,"d":"true","e":null,"f":null})"},
      {"- x\n- [y, {z: 1}]\n", R"(["x",["y",{"z":1}]])"},
      {"a: &x {b: 1}\nc: *x\n", R"({"a":{"b":1},"c":{"b":1}})"},
      {R"({"a": "\u00e9\n", "b": [1, -2]})", "{\"a\":\"\u00e9\\n\",\"b\":[1,-2]}"},
      {"a: |\n  one\n  two\n", R"({"a":"one\ntwo\n"})"},
  };
  for (const auto& [yaml, json] : table) EXPECT_EQ(as_json(yaml), json) << yaml;
}

TEST(Document, YamlValuesKnowTheirLine) {
  const Result<Value> value = parse_yaml("a: 1\nb:\n  - c: 2\n", "file");
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->find("a")->line, 1);
  EXPECT_EQ(value->find("b")->items.at(0).find("c")->line, 3);
  EXPECT_EQ(value->find("b")->items.at(0).find("c")->column, 8);
  EXPECT_EQ(value->find("z"), nullptr);
}

TEST(Document, WhatIsNoYamlIsRefusedWithItsPlace) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"a: 'canary", "file:"},
      {"a: 1\na: 2\n", "file:2:1: \"a\" stands here twice"},
      {"a: *x\n", "file:1:4: this alias has no anchor"},
      {"a: 1\n---\nb: 2\n", "file:2:1: a second document"},
      {"? [a]\n: b\n", "file:1:3: a name is expected"},
      {"a:\n\tb: canary\n", "file:2:1: not valid YAML"},
      {"a: \xFF\n", "file:1: not valid YAML: not UTF-8"},
  };
  for (const auto& [yaml, message] : table) {
    const Result<Value> value = parse_yaml(yaml, "file");
    ASSERT_FALSE(value.has_value()) << yaml;
    EXPECT_EQ(value.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(value.error().message.starts_with(message)) << value.error().message;
    EXPECT_EQ(value.error().message.find("canary"), std::string::npos);
  }
}

TEST(Document, DepthAndSizeAreBounded) {
  EXPECT_NE(as_json(std::string(100, '[')).find("too deeply nested"), std::string::npos);
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int j = 0; j < 9; ++j) bomb += "," + last;
    bomb += "]\n";
  }
  EXPECT_NE(as_json(bomb).find("too many values"), std::string::npos);
}

TEST(Document, JsonBecomesTheSameTree) {
  const Result<Value> value =
      parse_json(R"({"a":"x","b":[1,true,null,1.5],"c":{"d":"\u00e9"}})", "answer");
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->find("a")->text(), "x");
  EXPECT_TRUE(value->find("a")->is_string);
  EXPECT_EQ(value->find("b")->items.at(0).text(), "1");
  EXPECT_EQ(value->find("b")->items.at(2).kind, Value::Kind::kNull);
  EXPECT_EQ(value->find("c")->find("d")->text(), "\u00e9");
  EXPECT_EQ(parse_json(" ", "answer")->kind, Value::Kind::kNull);
  EXPECT_EQ(parse_json("{\n x", "answer").error().message.find("answer:2:2: "), 0U);
}

TEST(Document, QuotedTextIsJson) {
  EXPECT_EQ(json_quoted("a\"b\\\n\x01"), "\"a\\\"b\\\\\\n\\u0001\"");
}

}  // namespace
}  // namespace windlass::credentials
