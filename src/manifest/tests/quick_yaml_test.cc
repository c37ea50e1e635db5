// Whatever the quick reader takes, the full parser reads as the same tree; and it takes what most
// manifests are made of.
#include "quick_yaml.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "documents.h"
#include "windlass/base/format.h"

namespace windlass::manifest {
namespace {

std::string described(const Tree& tree) {
  std::string out;
  for (NodeId id = 0; id < tree.size(); ++id) {
    const Node& node = tree[id];
    out += format(
        "{} kind={} style={} flow={} string={} parent={} first={} next={} previous={} "
        "target={} position={} ordinal={} span={}-{} text={} tag={}\n",
        id, static_cast<int>(node.kind), static_cast<int>(node.style), node.flow, node.is_string,
        node.parent, node.first_child, node.next, node.previous, node.target, node.position,
        node.ordinal, node.span.begin, node.span.end, tree.text(id), tree.tag(id));
  }
  return out;
}

std::string read_all(const std::string& text, bool quick) {
  const auto source = SourceText::create("f.yaml", text);
  if (!source) return source.error().message;
  Documents documents(*source, Syntax::kYaml, {.quick = quick});
  std::string out;
  for (Tree tree;;) {
    const auto more = documents.read_document(tree);
    if (!more) return out + more.error().message;
    if (!*more) return out;
    out += "document\n" + described(tree);
  }
}

// Documents that are read before the quick reader gives up; all of them are when it does not.
int documents_taken(const std::string& text, bool* gave_up = nullptr) {
  TreeWriter writer;
  QuickYaml quick(text, 0, writer, {});
  Tree tree;
  for (int count = 0;; ++count) {
    const auto outcome = quick.read_document(tree);
    if (gave_up != nullptr) *gave_up = outcome == QuickYaml::Outcome::kGaveUp;
    if (outcome != QuickYaml::Outcome::kDocument) return count;
  }
}

TEST(QuickYaml, TakesWhatManifestsAreMadeOf) {
  const std::string table[] = {
      "",
      "# only a comment\n",
      "a: b",
      "a: b\r\nc:\r\n- d\r\n",
      "---\na: b\n---\n---\n# x\n",
      "a:\n  b: c # d\n\n  e: 'it''s'\nf: \"x\\n\\\"y\\\"\"\n",
      "a:\n- b: c\n  d: e\n- - f\n  - g\n-\n  h: i\n- j\n-\n",
      "a:\n  - b\n  - c: {d: e, f: [g, 'h', \"i\"], j: {}, k: []}\n",
      "a: |\n  b\n   c\n\n  d\ne: >-\n  f\n  g\n\n  h\ni: |+\n  j\n\nk: l\n",
      "a: >\n  b\n   c\n  d\n # e\nf: g\n",
      "a: --flag=1,2\nb: -1\nc: http://x.y:80/z?q#r\nd: \xC3\xA9\n",
      "- a\n- b: c\n",
      "a:\nb: # why\nc:\n- d\n",
      "\"a b\": c\n'd': e\nf g: h\n",
      "<<: {a: b}\n",
  };
  for (const std::string& text : table) {
    bool gave_up = false;
    documents_taken(text, &gave_up);
    EXPECT_FALSE(gave_up) << text;
    EXPECT_EQ(read_all(text, true), read_all(text, false)) << text;
  }
}

TEST(QuickYaml, GivesUpAtTheFirstDocumentThatIsOutOfTheOrdinary) {
  const std::string table[] = {
      "a: &x b\n",
      "a: *x\n",
      "a: !!str b\n",
      "? a\n: b\n",
      "a: b\n  c\n",
      "a:\tb\n",
      "a: b\n\tc: d\n",
      "a: 'b\n  c'\n",
      "a: {b: c,\n  d: e}\n",
      "a: b: c\n",
      "a: b\na: c\n",
      "a\n",
      "[a]\n",
      "a: b\n...\n",
      " a: b\n",

      "a: |2\n   b\n",
      "a: \"\\x41\"\n",
      "a: |\n",
      "a:\n b: c\n  d: e\n",

      "a : b\n",
      "a: {b}\n",
      "a: - b\n",
      "a: b\n- c\n",
      "a: |\n\n   \n  b\n",
  };
  for (const std::string& text : table) {
    EXPECT_EQ(documents_taken("k: v\n---\n" + text), 1) << text;
    EXPECT_EQ(read_all("k: v\n---\n" + text, true), read_all("k: v\n---\n" + text, false)) << text;
  }
}

// Pieces that meet in odd ways: most of what comes out is wrong or unusual somewhere.
std::string random_text() {
  std::string text;
  const int pieces = *rc::gen::inRange(1, 40);
  for (int i = 0; i < pieces; ++i) {
    text += *rc::gen::elementOf(std::vector<std::string>{
        "\n",     "\n",      "\n",       "\n  ",    "\n  ",   "\n    ",  "\n- ", "\n  - ", "a",
        "b:",     "c: ",     "k: ",      "k: ",     ": ",     " ",       "  ",   "- ",     "#",
        " # x",   "'q'",     "\"d\"",    "'",       "\"",     "\\",      "''",   "{",      "}",
        "[",      "]",       ", ",       ",",       "|\n",    ">-\n",    "|+\n", "|",      ">",
        "---\n",  "\n---\n", "\n--- ",   "\n...\n", "\t",     "\r\n",    "&a ",  "*a",     "!t ",
        "?",      "%",       "\xC3\xA9", "image",   "{a: b}", "[c, d]",  "-",    "@",      "v1.2",
        "x: y\n", "\nz: y",  "\n  w: v", "~",       "<<: ",   "\xC2\x85"});
  }
  return text;
}

RC_GTEST_PROP(QuickYamlProperties, AgreesWithTheFullParserOnAnything, ()) {
  const std::string text = random_text();
  const std::string quick = read_all(text, true);
  const std::string full = read_all(text, false);
  if (quick != full) RC_FAIL("text:\n" + text + "\nquick:\n" + quick + "\nfull:\n" + full);
}

}  // namespace
}  // namespace windlass::manifest
