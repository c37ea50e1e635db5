#include "json_events.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "windlass/base/format.h"
#include "windlass/manifest/manifest.h"
#include "yaml_events.h"

namespace windlass::manifest {
namespace {

// Events as text: brackets, and scalars in < > with their decoded value.
Result<std::string> told(EventSource& events) {
  std::string out;
  for (;;) {
    const auto event = events.next();
    if (!event) return fail(event.error());
    switch (event->kind) {
      case EventKind::kStreamEnd: return out;
      case EventKind::kDocumentStart: out += "("; break;
      case EventKind::kDocumentEnd: out += ")"; break;
      case EventKind::kScalar:
        out += event->style == ScalarStyle::kPlain ? format("{} ", event->value)
                                                   : format("<{}>", event->value);
        break;
      case EventKind::kAlias: out += "*"; break;
      case EventKind::kSequenceStart: out += "["; break;
      case EventKind::kSequenceEnd: out += "]"; break;
      case EventKind::kMappingStart: out += "{"; break;
      case EventKind::kMappingEnd: out += "}"; break;
    }
  }
}

Result<std::string> told_as_json(const std::string& text) {
  const auto source = SourceText::create("f.json", text);
  if (!source) return fail(source.error());
  JsonEvents events(*source);
  return told(events);
}

TEST(JsonEvents, TellWhatYamlWouldTellAndMore) {
  const std::pair<std::string, std::string> table[] = {
      {"", ""},
      {" \r\n\t", ""},
      {"{}", "({})"},
      {"[ ]", "([])"},
      {"{\"a\": [1, -2.5e+3, true, null], \"b\": {\"c\": \"d\"}}",
       "({<a>[1 -2.5e+3 true null ]<b>{<c><d>}})"},
      {"\"a\\/b\\u0041\\n\\\"\"", "(<a/bA\n\">)"},
      {"\"\\ud83d\\ude00\"", "(<\xF0\x9F\x98\x80>)"},
      {"\"\\ud83d x\"", "(<\xEF\xBF\xBD x>)"},
      {"\"\\u00e9\\u20ac\"", "(<\xC3\xA9\xE2\x82\xAC>)"},
      {"\xEF\xBB\xBF[0]", "([0 ])"},
      {"{}\n{\"a\":1}", "({})({<a>1 })"},
  };
  for (const auto& [text, expected] : table) {
    const auto found = told_as_json(text);
    ASSERT_TRUE(found.has_value()) << text << ": " << found.error().message;
    EXPECT_EQ(*found, expected) << text;
  }
}

TEST(JsonEvents, ErrorsSayWhereAndWhatWasExpected) {
  const std::string value =
      "expected a value: text in double quotes, a number, true, false, null, '{' or '['";
  const std::pair<std::string, std::string> table[] = {
      {"{", "f.json:1:2: expected a key in double quotes, found the end of the file"},
      {"{\n  a: 1}", "f.json:2:3: expected a key in double quotes, found \"a\""},
      {"{\"a\" 1}", "f.json:1:6: expected ':' behind a key, found \"1\""},
      {"{\"a\": 1 \"b\"}", "f.json:1:9: expected ',' or '}', found \"\\\"\""},
      {"[1,]", "f.json:1:4: " + value + ", found \"]\""},
      {"{\"a\": 01}", "f.json:1:7: " + value + ", found \"0\""},
      {"[1 2]", "f.json:1:4: expected ',' or ']', found \"2\""},
      {"\"x", "f.json:1:3: expected the '\"' that ends this text, found the end of the file"},
      {"\"\xC3\xA9\n\"", "f.json:1:3: expected an escape such as \\n in a text, found \"\\n\""},
      {"\"\\q\"", "f.json:1:2: expected an escape that JSON knows, found \"\\\\\""},
      {"// note\n{}", "f.json:1:1: " + value + ", found \"/\""},
  };
  for (const auto& [text, message] : table) {
    const auto found = told_as_json(text);
    ASSERT_FALSE(found.has_value()) << text;
    EXPECT_EQ(found.error().message, message);
  }
}

TEST(JsonEvents, AreUsedForTextThatIsJsonFromEndToEnd) {
  const std::string json =
      "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"\\ud83d\\ude00\"},\n"
      " \"spec\": {\"containers\": [{\"image\": \"reg.test\\/a:1\"}]}}\n";
  const image::Digest digest = image::Digest::sha256_of("a");
  for (const char* name : {"pod.json", "-", "pod.yaml"}) {
    const auto manifest = Manifest::parse(name, json);
    ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
    ASSERT_EQ(manifest->findings().size(), 1U);
    std::string expected = json;
    expected.insert(expected.find("a:1") + 3, "@" + digest.to_string());
    EXPECT_EQ(manifest->edited({{{.finding = 0, .digest = digest}}}), expected);
  }
  EXPECT_TRUE(Manifest::parse("flow.yaml", "{a: b} # YAML\n").has_value());
  EXPECT_FALSE(Manifest::parse("flow.json", "{a: b}").has_value());
}

std::string random_json(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 5 : 3);
  if (kind == 0) return *rc::gen::element<std::string>("0", "-1.5", "true", "null", "1e9");
  if (kind < 3)
    return *rc::gen::element<std::string>("\"\"", "\"a b\"", "\"\\\"\\\\\\/\"", "\"\xC3\xA9: #\"",
                                          "\"\\u0041\\t\"");
  const int size = *rc::gen::inRange(0, 4);
  std::string out(kind == 3 ? "[" : "{");
  for (int i = 0; i < size; ++i) {
    if (i > 0) out += *rc::gen::element<std::string>(",", ", ", " ,\n");
    if (kind == 4)
      out += "\"k" + std::to_string(i) + "\"" + *rc::gen::element<std::string>(":", ": ");
    out += random_json(depth - 1);
  }
  return out + (kind == 3 ? "]" : "}");
}

RC_GTEST_PROP(JsonEventsProperties, AgreeWithYaml, ()) {
  const std::string text = random_json(4);
  const auto source = SourceText::create("f.json", text);
  RC_ASSERT(source.has_value());
  JsonEvents json(*source);
  YamlEvents yaml(*source);
  RC_ASSERT(is_json(*source));
  RC_ASSERT(*told(json) == *told(yaml));
}

}  // namespace
}  // namespace windlass::manifest
