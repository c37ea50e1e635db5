// Collector: turns the places where rules say that an image stands into findings.
//
// The rules know structure; the collector knows values: templates, variables, tags of YAML,
// comments that say ignore, anchors that are used several times, and the grammar of references.
//
// Not thread-safe. The SourceText must outlive it, and a tree its document.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ignore_comment.h"
#include "site.h"
#include "source_text.h"
#include "tree.h"
#include "windlass/manifest/finding.h"

namespace windlass::manifest {

// What a rule says of a place, which decides what becomes of a value that names no image.
enum class Expected {
  kImage,           // there must be one: nothing is kUnpinnable, a number or a list kInvalid
  kImageOrNothing,  // nothing is left alone, a number or a list is kInvalid
  kPerhapsImage,    // nothing and patterns are left alone, what is no reference is kUnpinnable
};

// Whose image it is.
struct ImageContext {
  std::string_view object = {};
  std::string_view container = {};
  std::string_view rule = {};
  const ObjectIdentity* identity = nullptr;
  std::string_view path = {};  // where the place in the tree says nothing to people
  Expected expected = Expected::kPerhapsImage;
};

// A reference whose parts stand under keys of their own.
struct SplitImage {
  std::string name;                 // registry and repository, joined
  NodeId name_node = kNoNode;       // where the name stands
  NodeId tag = kNoNode;             // value of the tag's key, if there is such a key
  NodeId digest = kNoNode;          // likewise
  bool name_may_hold_tag = false;   // and a digest, which then goes there
  bool only_text = false;           // a list or a mapping as one of the parts is a mistake
  std::string_view reason_without;  // why it is left alone when it has neither tag nor digest
};

class Collector {
 public:
  // `comments`: the syntax has them behind values.
  Collector(const SourceText& source, bool comments)
      : source_(source), comments_(comments), ignore_comments_(source) {}

  void begin_document(const Tree& tree, std::size_t number);

  // `value`, or the anchored scalar it stands for, holds an image reference.
  void add(NodeId value, const ImageContext& context);

  // The same for a part of the text: `in_text` is its bytes in the decoded text.
  void add_part(NodeId value, Span in_text, const ImageContext& context);

  // An image may be read here, but in a way that is not understood. `text`: of the image, or "".
  void tell(NodeId value, std::string_view text, const ImageContext& context, std::string reason);

  // The digest goes under its key where there is one, else behind the tag.
  void add_split(const SplitImage& image, const ImageContext& context);

  // An image within the text of `value`, which was read as a file of its own.
  void add_in_string(NodeId value, Finding finding, Site site);

  // An image is named here, but in a way that is not changed. Wins over add() of the same value.
  void leave_alone(NodeId value, const ImageContext& context, std::string reason,
                   FindingState state = FindingState::kLeftAlone);

  // To be called when all images of the document were added: a tag or digest under a key of its own
  // that other values share, an image that is written by alias only, while its anchor stands at a
  // value of another kind, and one whose alias stands at such a value, cannot be pinned, as an edit
  // changes both. The names are the top-level keys below which every value has a meaning of its
  // own; anchors elsewhere ("x-image: &image ...") are there to be shared.
  void leave_shared_values_alone(std::span<const std::string_view> meaningful_keys);

  // Something that is no value of its own and looks like an image: a word in a script or comment.
  void note(Span bytes, const ImageContext& context, std::string reason);

  // A rule of the user leads to something.
  void note_rule(std::size_t number) {
    used_rules_.resize(std::max(used_rules_.size(), number + 1));
    used_rules_[number] = true;
  }
  const std::vector<bool>& used_rules() const { return used_rules_; }

  bool has_finding(NodeId id) const { return seen_.contains(tree_->resolve(id)); }

  // True when a comment next to the node, or to its key, says ignore.
  bool says_ignore(NodeId id) const;

  // Moves out what was collected, in the order of the file; the two are empty before and of one
  // size after.
  void move_to(std::vector<Finding>& findings, std::vector<Site>& sites);

 private:
  static constexpr const char* kSharedParts =
      "the parts of the reference are shared or nested in a way that cannot be kept";

  struct Seen {
    std::size_t finding;
    bool by_alias;            // and not yet at its own place
    bool is_part = false;     // of a SplitImage
    bool left_alone = false;  // in one of its places, by leave_alone()
  };

  // A new finding, or nullptr when the anchored node has one: then it is used once more.
  Finding* new_finding(NodeId value, const ImageContext& context);

  std::string_view top_level_key(NodeId id) const;

  // An image in two places, in one of which it must stay as it is.
  void leave_where_used_twice(NodeId scalar, const std::string& reason);

  void tell_tagged(NodeId value, Expected expected, Finding& finding);

  // True, with its state and reason in `finding`, when variables make the text or a part of it.
  static bool has_variable(std::string_view text, Finding& finding);

  // Why the value is left as it is, or "".
  std::string reason_to_leave(NodeId value) const;

  // False, with its state and reason in `finding`, for a value that is no text.
  bool is_text(NodeId id, Expected expected, Finding& finding) const;
  std::string error_at(NodeId id, const Finding& finding, std::string_view text) const;
  bool has_only_text(const SplitImage& image, Finding& finding) const;
  bool says_ignore(const SplitImage& image) const;
  void leave_values_of_other_aliases_alone(std::span<const std::string_view> meaningful_keys);

  // Of a reference whose text cannot be changed as it would have to be.
  static void cannot_change(std::string_view text, std::string reason, Finding& finding);
  void parse_reference(NodeId scalar, Span in_text, Expected expected, Finding& finding);
  void note_comment(Span scalar, Finding& finding);

  // The value of a part that stands under its own key, "" when there is none.
  std::string_view part_text(NodeId part) const;
  // A tag or digest behind the name, as in "repository: name:tag".
  static bool has_ending_in_name(const SplitImage& image);
  // True, with its state and reason in `finding`, for what stays as it is.
  bool stays_as_it_is(const SplitImage& image, Finding& finding) const;
  bool set_split_site(NodeId scalar, bool is_digest, std::string_view text);

  const SourceText& source_;
  const bool comments_;
  const IgnoreComments ignore_comments_;

  const Tree* tree_ = nullptr;
  std::size_t document_ = 0;
  std::unordered_map<NodeId, Seen> seen_;
  std::unordered_set<NodeId> used_aliases_;  // that stand where an image, or a part of it, belongs
  std::vector<bool> used_rules_;             // by number; as long as the last one needs
  std::vector<Finding> findings_;
  std::vector<Site> sites_;
};

}  // namespace windlass::manifest
