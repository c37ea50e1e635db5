#include "possible_images.h"

#include <algorithm>
#include <span>
#include <string>

#include "image_words.h"
#include "split_image.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kRule = "looks like an image";

struct Meaning {
  std::string_view word;  // a key, or the kind of an object
  std::string_view why;
};

// Innermost first: what stands below one of these keys.
constexpr Meaning kKeys[] = {
    {"args", "it stands in an argument; a rule with args: can name it"},
    {"command", "it stands in a command"},
    {"env", "it stands in an environment variable; a rule with env: can name it"},
    {"run", "it stands in a script"},
    {"script", "it stands in a script"},
    {"annotations", "it stands in an annotation"},
    {"labels", "it stands in a label"},
    {"status", "it stands in a status, which tells what ran"},
    {"openAPIV3Schema", "it stands in a schema"},
    {"valuesContent", "it stands in a file inside a text"},
    {"dockerfile_inline", "it stands in a file inside a text"},
    {"cache_from", "it names a cache"},
    {"cache_to", "it names a cache"},
};

constexpr Meaning kKinds[] = {
    {"CustomResourceDefinition", "it stands in the schema of a custom resource"},
    {"ConfigMap", "it stands in the data of a ConfigMap"},
};

// Instructions of a Dockerfile.
constexpr Meaning kInstructions[] = {
    {"run", "it stands in a script"},
    {"cmd", "it stands in a command"},
    {"entrypoint", "it stands in a command"},
    {"healthcheck", "it stands in a command"},
    {"env", "it stands in an environment variable"},
    {"label", "it stands in a label"},
    {"arg", "it stands in an argument that no FROM is made of"},
};

constexpr std::string_view kNoRule = "no rule says that one stands here";

bool is_secret(std::string_view kind) {
  return kind == "Secret" || kind == "SecretList" || kind == "SealedSecret";
}

std::string_view meaning_of(std::span<const Meaning> meanings, std::string_view word,
                            std::string_view otherwise) {
  for (const Meaning& meaning : meanings) {
    if (meaning.word == word) return meaning.why;
  }
  return otherwise;
}

std::string reason(std::string_view why) { return format("looks like an image, but {}", why); }

// The possible images in the values of one document.
class Values {
 public:
  Values(const Tree& tree, const SourceText& source, Collector& collector)
      : tree_(tree), source_(source), collector_(collector) {}

  void add_below(NodeId node, std::string_view why) {
    const Node& it = tree_[node];
    if (it.kind == NodeKind::kScalar) return add_scalar(node, why);
    NodeId told_name = kNoNode;
    if (it.kind == NodeKind::kMapping) {
      const std::string_view kind = tree_.text_at(node, "kind");
      if (is_secret(kind)) return;
      why = meaning_of(kKinds, kind, why);
      if (is_split_image(tree_, node)) told_name = add_parts(node);
    }
    // Depth is bounded where trees are built.
    for (NodeId child = it.first_child; child != kNoNode; child = tree_[child].next) {
      if (tree_.is_key(child) || child == told_name) continue;
      const NodeId key = tree_.key_of(child);
      add_below(child, key == kNoNode ? why : meaning_of(kKeys, tree_.text_of_scalar(key), why));
    }
  }

  // `instruction` is a list of words, of which the first is the keyword.
  void add_instruction(NodeId instruction) {
    const NodeId keyword = tree_[instruction].first_child;
    if (keyword == kNoNode) return;
    instruction_ = tree_.text(keyword);
    add_below(instruction, meaning_of(kInstructions, to_lower(instruction_), kNoRule));
  }

 private:
  void add_scalar(NodeId node, std::string_view why) {
    const Node& it = tree_[node];
    if (!tree_.text(node).contains('/') || collector_.has_finding(node)) return;
    for_each_image_word(source_.bytes(), it.span, [&](Span word) {
      const std::string path = instruction_.empty() ? tree_.path(node) : std::string(instruction_);
      collector_.note(word, {.rule = kRule, .path = path}, reason(why));
    });
  }

  // The name alone would hardly look like an image. Returns it when the image is told already.
  NodeId add_parts(NodeId mapping) {
    for (const std::string_view part : {"repository", "tag", "digest"}) {
      const NodeId node = tree_.find(mapping, part);
      if (node != kNoNode && collector_.has_finding(node)) return tree_.find(mapping, "repository");
    }
    const NodeId tag = tree_.find(mapping, "tag");
    if (tag == kNoNode) return kNoNode;
    collector_.leave_alone(tag, {.rule = kRule},
                           "repository and tag stand under keys of their own, but no rule says "
                           "that they name an image");
    return kNoNode;
  }

  const Tree& tree_;
  const SourceText& source_;
  Collector& collector_;
  std::string_view instruction_;  // whose words are gone through, in a Dockerfile
};

}  // namespace

void PossibleImages::add_document(const Tree& tree) {
  if (tree.empty()) return;
  Values values(tree, source_, collector_);
  if (dockerfile_) {
    for (NodeId i = tree[tree.root()].first_child; i != kNoNode; i = tree[i].next)
      values.add_instruction(i);
  } else {
    values.add_below(tree.root(), kNoRule);
  }
  const bool shows_comments = !is_secret(tree.text_at(tree.root(), "kind"));
  for (NodeId id = 0; id < tree.size(); ++id) {
    if (tree[id].kind != NodeKind::kScalar) continue;
    const Span span = tree[id].span;
    if (shows_comments && span.begin > behind_last_)
      add_comments({.begin = behind_last_, .end = span.begin});
    behind_last_ = std::max(behind_last_, span.end);
  }
}

void PossibleImages::add_rest() {
  add_comments({.begin = behind_last_, .end = source_.bytes().size()});
}

void PossibleImages::add_comments(Span span) {
  for_each_image_word_in_comments(source_.bytes(), span, [&](Span word) {
    collector_.note(word, {.rule = kRule, .path = "#"}, reason("it stands in a comment"));
  });
}

void PossibleImages::add_file(std::string_view why) {
  if (source_.bytes().contains("Secret")) return;
  const Span all{.begin = source_.text_begin(), .end = source_.bytes().size()};
  for_each_image_word(source_.bytes(), all, [&](Span word) {
    collector_.note(word, {.rule = kRule}, reason(format("the file {}", why)));
  });
}

}  // namespace windlass::manifest
