#include "windlass/manifest/added_items.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "documents.h"
#include "source_text.h"

namespace windlass::manifest {
namespace {

const std::vector<std::string> two_items = {R"({"a":1})", R"({"b":"x"})"};

struct Case {
  std::string before;
  std::string after;
};

TEST(WithItemsAdded, PutsThemWhereAReaderOfTheFirstDocumentFindsThem) {
  const std::string flow = R"("results":[{"a":1},{"b":"x"}])";
  const std::string block = "results:\n- {\"a\":1}\n- {\"b\":\"x\"}\n";
  const std::vector<Case> cases = {
      // Block style.
      {"k: v\n", "k: v\n" + block},
      {"k: v", "k: v\n" + block},
      {"k: v\n# end\n", "k: v\n# end\n" + block},
      {"k: v\n...\n", "k: v\n" + block + "...\n"},
      {"---\nk: v\n---\nother: 1\n", "---\nk: v\n" + block + "---\nother: 1\n"},
      {"  k: v\n  l:\n  - 1\n",
       "  k: v\n  l:\n  - 1\n  results:\n  - {\"a\":1}\n  - {\"b\":\"x\"}\n"},
      {"k: v\r\n", "k: v\r\nresults:\r\n- {\"a\":1}\r\n- {\"b\":\"x\"}\r\n"},
      // A line end more would be part of this text.
      {"k: |\n  text", block + "k: |\n  text"},
      {"# c\n  k: |\n    text",
       "# c\n  results:\n  - {\"a\":1}\n  - {\"b\":\"x\"}\n  k: |\n    text"},
      // In braces.
      {R"({"k":"v"})", R"({"k":"v",)" + flow + "}"},
      {"---\n{\"k\":\"v\"}\n", "---\n{\"k\":\"v\"," + flow + "}\n"},
      {"# c\n{\"k\":\"v\"}\n", "# c\n{\"k\":\"v\"," + flow + "}\n"},
      {"\xef\xbb\xbf{\"k\":\"v\"}\n", "\xef\xbb\xbf{\"k\":\"v\"," + flow + "}\n"},
      {"{\"k\":\"v\"}\n# }\n", "{\"k\":\"v\"," + flow + "}\n# }\n"},
      {"{k: v,}\n", "{k: v," + flow + ",}\n"},
      {"{k: v # , and }\n}\n", "{k: v," + flow + " # , and }\n}\n"},
      {"{k: [1, 2]}\n", "{k: [1, 2]," + flow + "}\n"},
      {"{k: }\n", "{" + flow + ",k: }\n"},
      {"{k}\n", "{" + flow + ",k}\n"},
      {"{}\n", "{" + flow + "}\n"},
      {"{\"k\":1}\n{\"l\":2}\n", "{\"k\":1," + flow + "}\n{\"l\":2}\n"},
      // A list that is there.
      {"results: []\nk: v\n", "results: [{\"a\":1},{\"b\":\"x\"}]\nk: v\n"},
      {"results:\nk: v\n", "results: [{\"a\":1},{\"b\":\"x\"}]\nk: v\n"},
      {"results: null # none\n", "results: [{\"a\":1},{\"b\":\"x\"}] # none\n"},
      {"results:\n- old\nk: v\n", "results:\n- {\"a\":1}\n- {\"b\":\"x\"}\n- old\nk: v\n"},
      {"results:\n  # c\n  - old\n",
       "results:\n  # c\n  - {\"a\":1}\n  - {\"b\":\"x\"}\n  - old\n"},
      {"{\"results\":[\"old\"]}", "{\"results\":[{\"a\":1},{\"b\":\"x\"},\"old\"]}"},
      {"results: [old, ]\n", "results: [{\"a\":1},{\"b\":\"x\"},old, ]\n"},
  };
  for (const auto& [before, after] : cases) {
    const auto text = with_items_added("f", before, "results", two_items);
    ASSERT_TRUE(text) << before << text.error().message;
    EXPECT_EQ(*text, after) << before;
  }
}

TEST(WithItemsAdded, RefusesWhatHasNoPlaceForThem) {
  const std::vector<Case> cases = {
      {"", "f:1:1: expected a mapping"},
      {"- a\n", "f:1:1: expected a mapping"},
      {"text\n", "f:1:1: expected a mapping"},
      {"---\n---\nk: v\n", "f:2:1: expected a mapping"},
      {"k: v\nresults: text\n", "f:2:10: expected a list under results"},
      {"results: {a: b}\n", "f:1:10: expected a list under results"},
  };
  for (const auto& [before, message] : cases) {
    const auto text = with_items_added("f", before, "results", two_items);
    ASSERT_FALSE(text) << before;
    EXPECT_EQ(text.error().code, ErrorCode::kInvalid);
    EXPECT_EQ(text.error().message, message);
  }
}

TEST(WithItemsAdded, EscapesWhatYamlReadsInAWayOfItsOwn) {
  const std::vector<std::string> items = {"\"a\u2028b\u0085c\ufeffd\x7f\u00e9\""};
  EXPECT_EQ(with_items_added("f", "k: v\n", "results", items).value(),
            "k: v\nresults:\n- \"a\\u2028b\\u0085c\\ufeffd\\u007f\u00e9\"\n");
}

// Whatever the shape, the result can be read, and the items are in the list of its first document.
RC_GTEST_PROP(WithItemsAddedProperty, WritesWhatCanBeRead, ()) {
  const auto one_of = [](std::vector<std::string> words) {
    return *rc::gen::elementOf(std::move(words));
  };
  const std::string head = one_of({"", "---\n", "# c {\n", "\xef\xbb\xbf", "%YAML 1.1\n---\n",
                                   "--- # }\n", "--- !!map\n", "--- &a\n", "\n\n"});
  const std::string tail = one_of(
      {"", "\n", "\n# }", "\n...\n", "\n---\nk: {}\n", "\n...\n# c\n", " ", "\n\n\n", "\r\n"});
  const std::string value =
      one_of({"v", "\"v\"", "[1, {a: b}]", "{}", "", "'}'", "&x y", "!t {a: b}"});
  const std::string old = one_of({"", "[]", "~", "[old]", "[old,]", "!!seq [ ]"});
  std::string body;
  if (*rc::gen::arbitrary<bool>()) {
    const std::string blank = one_of({"", " ", "\n  ", " # , }\n "});
    body = "{k: " + value + " " + blank + (old.empty() ? "" : ", results: " + old + blank) +
           one_of({"", ",", " , "}) + blank + "}";
  } else {
    const std::string indent = one_of({"", "  ", "    "});
    body = indent + "k: " + value + "\n";
    if (!old.empty()) body += indent + "results: " + old + one_of({"", " # c"}) + "\n";
    body += indent + "l: " +
            one_of({"1", "|\n" + indent + "  text\n\n", ">+\n" + indent + " text\n\n",
                    "|-\n" + indent + "  text", "\n" + indent + "- a\n"});
  }
  const std::string text = head + body + tail;
  const auto after = with_items_added("f", text, "results", two_items);
  if (!after) {
    // Only where it could not be read before.
    const auto source = SourceText::create("f", text);
    Documents documents(*source, syntax_of(*source, std::nullopt), {});
    Tree tree;
    auto read = documents.read_document(tree);
    while (read && *read) read = documents.read_document(tree);
    if (read) RC_FAIL(after.error().message + "\n" + text);
    return;
  }
  const auto source = SourceText::create("f", *after);
  Documents documents(*source, syntax_of(*source, std::nullopt), {});
  Tree tree;
  const auto read = documents.read_document(tree);
  if (!read) RC_FAIL(read.error().message + "\n" + *after);
  const NodeId list = tree.find(tree.root(), "results");
  RC_ASSERT(tree.is_sequence(list));
  const NodeId first = tree[list].first_child;
  RC_ASSERT((tree.text_at(first, "a") == "1"));
  RC_ASSERT((tree.text_at(tree[first].next, "b") == "x"));
}

}  // namespace
}  // namespace windlass::manifest
