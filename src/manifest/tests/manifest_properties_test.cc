// Random manifests, put together from fragments that are easy to get wrong, are pinned. Each
// fragment says which references it holds, so that what is found can be compared with what was
// written.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

struct Generated {
  std::string text;
  std::map<std::string, std::size_t> uses;  // of each reference that is to be pinned
};

std::string oneof(std::initializer_list<const char*> choices) {
  return *rc::gen::elementOf(std::vector<std::string>(choices.begin(), choices.end()));
}

std::string padded(std::size_t count) { return std::string(count, ' '); }

// What may stand behind a value or between lines without meaning anything.
std::string trailing() {
  return oneof({"", "", "  ", " # why", " # image: registry.test/x/fake:9", "\t# tab",
                " # \xC3\xA9\xF0\x9F\x98\x80"});
}

std::string filler_lines(std::size_t indent) {
  return oneof({"", "", "", "\n", "# image: registry.test/x/old:1\n", "   \n"}) +
         (*rc::gen::arbitrary<bool>() ? padded(indent) + "# plain \xE2\x82\xAC note\n" : "");
}

// A value with `reference` in one of the ways to write it, for a key at `indent`; line end
// included.
std::string written_value(const std::string& reference, std::size_t indent) {
  const std::string deeper = padded(indent + 2);
  std::string escaped = reference;
  const std::size_t slash = escaped.find('/');
  escaped.replace(slash, 1, oneof({"\\/", "\\x2f", "\\u002F", "\\U0000002f", "/\\\n     "}));
  switch (*rc::gen::inRange(0, 8)) {
    case 0: return " " + reference + trailing() + "\n";
    case 1: return " '" + reference + "'" + trailing() + "\n";
    case 2: return " \"" + reference + "\"" + trailing() + "\n";
    case 3: return " \"" + escaped + "\"" + trailing() + "\n";
    case 4:
      return oneof({" >-\n", " >- # folded\n", " |-\n", " |2-\n"}) + deeper + reference + "\n";
    case 5:
      return oneof({"\n", " # below\n", " !!str\n", "  \n"}) + deeper + reference + trailing() +
             "\n";
    case 6: return oneof({" !!str ", " ! ", "   ", "\t"}) + reference + trailing() + "\n";
    default: return oneof({" &x", " !!str &x"}) + reference.back() + " \"" + reference + "\"\n";
  }
}

// Keys of a container that hold text which looks like images and structure.
std::string decoy(std::size_t indent) {
  const std::string in = padded(indent);
  return oneof({"", "", "#"}) == "#"
             ? in + "# image: registry.test/x/commented:1\n"
             : in + "args: [\"--image=registry.test/x/arg:1\", 'it''s', {a: b}]\n" + in +
                   "script: |\n" + in + "  image: registry.test/x/script:1\n\n" + in +
                   "  - done  \n" + in + "long: plain text over\n" + in + "  two lines, no image\n";
}

void add_container(Generated& out, std::size_t indent) {
  const int number = *rc::gen::inRange(0, 4);
  const std::string reference =
      oneof({"registry.test/r/app:v", "busybox/app:v", "localhost:5000/a/b:v"}) +
      std::to_string(number);
  const std::size_t begin = out.text.size();
  out.text += filler_lines(indent);
  if (*rc::gen::inRange(0, 4) == 0) {
    const std::string quote = oneof({"", "'", "\""});
    out.text += padded(indent) + "- {name: \"\xC3\xBC\", image: " + quote + reference + quote +
                oneof({"}", ", ports: [1, 2]}", " }"}) + trailing() + "\n";
  } else {
    out.text += padded(indent) +
                "- name: " + oneof({"a", "'b'", "\"\xF0\x9F\x98\x80\"", "!!str c"}) + trailing() +
                "\n";
    if (*rc::gen::arbitrary<bool>()) out.text += decoy(indent + 2);
    out.text += padded(indent + 2) + oneof({"image:", "\"image\":", "image :", "'image':"}) +
                written_value(reference, indent + 2);
  }
  ++out.uses[reference];
  if (out.text.substr(begin).contains("&x") && *rc::gen::arbitrary<bool>()) {
    out.text += padded(indent) + "- image: *x" + std::to_string(number) + trailing() + "\n";
    ++out.uses[reference];
  }
}

void add_document(Generated& out) {
  const std::string kind = oneof({"Pod", "Deployment", "Widget", "ConfigMap", "Secret"});
  Generated containers;
  const std::size_t indent = kind == "Deployment" || kind == "Widget" ? 8 : 4;
  const std::size_t dash_indent = *rc::gen::arbitrary<bool>() ? indent - 2 : indent + 2;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) add_container(containers, dash_indent);
  const std::string head =
      "metadata: {name: \"n\xC3\xA9\", annotations: {image: registry.test/x/anno:1}}\n";
  const std::string spec =
      indent == 8 ? "spec:\n  template:\n    spec:\n      containers:\n" : "spec:\n  containers:\n";
  // The kind may come last: nothing may depend on the order of keys.
  const std::string kind_line = "kind: " + kind + trailing() + "\n";
  const bool kind_last = *rc::gen::arbitrary<bool>();
  out.text += "apiVersion: v1\n" + (kind_last ? "" : kind_line) + head + spec + containers.text +
              (kind_last ? kind_line : "");
  if (kind == "ConfigMap" || kind == "Secret") return;
  for (const auto& [reference, uses] : containers.uses) out.uses[reference] += uses;
}

std::string with_line_ends(const std::string& text, const std::string& line_end) {
  std::string out;
  for (const char c : text) out += c == '\n' ? line_end : std::string(1, c);
  return out;
}

Generated generate() {
  Generated out;
  const int documents = *rc::gen::inRange(1, 4);
  for (int i = 0; i < documents; ++i) {
    if (i > 0) out.text += oneof({"---\n", "--- # next\n", "...\n---\n", "---\n---\n"});
    add_document(out);
  }
  if (*rc::gen::arbitrary<bool>()) out.text = with_line_ends(out.text, "\r\n");
  if (*rc::gen::inRange(0, 4) == 0) out.text.insert(0, "\xEF\xBB\xBF");
  return out;
}

const image::Digest kDigest = image::Digest::sha256_of("pinned");

RC_GTEST_PROP(ManifestProperties, FindsWhatWasWrittenAndPinsNothingElse, ()) {
  const Generated generated = generate();
  RC_TAG(generated.uses.size());
  const auto manifest = Manifest::parse("random.yaml", generated.text);
  if (!manifest) RC_FAIL(manifest.error().message + "\n" + generated.text);

  std::map<std::string, std::size_t> uses;
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < manifest->findings().size(); ++i) {
    const Finding& finding = manifest->findings()[i];
    if (finding.state != FindingState::kUnpinned) RC_FAIL(finding.reason + "\n" + generated.text);
    uses[finding.reference->written()] += finding.uses;
    edits.push_back({.finding = i, .digest = kDigest});
  }
  RC_ASSERT(uses == generated.uses);

  const auto pinned = manifest->edited(edits);
  if (!pinned) RC_FAIL(pinned.error().message + "\n" + generated.text);
  std::string taken_out = *pinned;
  const std::string inserted = "@" + kDigest.to_string();
  std::size_t count = 0;
  for (std::size_t at; (at = taken_out.find(inserted)) != std::string::npos; ++count)
    taken_out.erase(at, inserted.size());
  RC_ASSERT(taken_out == generated.text);
  RC_ASSERT(count == edits.size());

  const auto again = Manifest::parse("random.yaml", *pinned);
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->findings().size() == manifest->findings().size());
  for (std::size_t i = 0; i < edits.size(); ++i) {
    RC_ASSERT(again->findings()[i].path == manifest->findings()[i].path);
    RC_ASSERT(again->findings()[i].reference->written() ==
              manifest->findings()[i].reference->pinned_text(kDigest));
  }
  RC_ASSERT(again->replacements(edits).empty());
}

RC_GTEST_PROP(ManifestProperties, ChangedBytesAreReadOrRefusedWithAPlace, ()) {
  std::string text = generate().text;
  const int changes = *rc::gen::inRange(1, 6);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const char c = *rc::gen::oneOf(rc::gen::elementOf(std::string(" \n\t:-#&*!|>'\"{}[],?%@`x")),
                                   rc::gen::arbitrary<char>());
    if (*rc::gen::arbitrary<bool>()) {
      text[at] = c;
    } else {
      text.insert(at, 1, c);
    }
  }
  const auto manifest = Manifest::parse("random.yaml", text);
  if (!manifest) {
    RC_ASSERT(manifest.error().message.starts_with("random.yaml:"));
    return;
  }
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < manifest->findings().size(); ++i) {
    if (manifest->findings()[i].state == FindingState::kUnpinned)
      edits.push_back(
          {.finding = i,
           .digest = kDigest,
           .style = *rc::gen::element(Style::kAsWritten, Style::kDigest, Style::kComment)});
  }
  const auto pinned = manifest->edited(edits);
  if (!pinned) RC_FAIL(pinned.error().message + "\n" + text);
}

}  // namespace
}  // namespace windlass::manifest
