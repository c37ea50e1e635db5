#include "dockerfile.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dockerfile_scanner.h"
#include "variable.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

// A part of a word: the image it names.
struct Place {
  NodeId word = kNoNode;
  Span in_text;
};

using Names = std::set<std::string, std::less<>>;

// The default of a build argument that stands in front of the first FROM.
using Arguments = std::map<std::string, Place, std::less<>>;

class DockerfileFinder {
 public:
  DockerfileFinder(const Tree& tree, Collector& collector) : tree_(tree), collector_(collector) {}

  void find() {
    note_stages_and_arguments();
    for (NodeId i = first_child(tree_.root()); i != kNoNode; i = tree_[i].next) {
      NodeId word = first_child(i);
      std::string keyword = to_lower(tree_.text(word));
      if (keyword == "from") find_in_from(i);
      if (keyword == kSyntaxDirective)
        add({.word = tree_[word].next, .in_text = whole(tree_[word].next)}, i, earlier_stages_,
            {.rule = "Dockerfile: syntax directive", .path = "# syntax"});
      // What follows is an instruction of images that are built from this one.
      if (keyword == "onbuild" && tree_[word].next != kNoNode) {
        word = tree_[word].next;
        keyword = to_lower(tree_.text(word));
      }
      if (keyword == "copy" || keyword == "add") find_in_flags(i, word, "--from=");
      if (keyword == "run") find_in_flags(i, word, "--mount=");
    }
  }

 private:
  NodeId first_child(NodeId id) const { return id == kNoNode ? kNoNode : tree_[id].first_child; }
  std::string keyword_of(NodeId instruction) const {
    return to_lower(tree_.text(first_child(instruction)));
  }
  Span whole(NodeId word) const { return {.begin = 0, .end = tree_.text(word).size()}; }
  std::string_view text_of(const Place& place) const {
    return place.in_text.of(tree_.text(place.word));
  }

  // The same place without quotes around it.
  Place unquoted(Place place) const {
    const std::string_view text = text_of(place);
    const bool quoted =
        text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
    if (quoted) place.in_text = {.begin = place.in_text.begin + 1, .end = place.in_text.end - 1};
    return place;
  }

  // The word of a FROM that names its image, flags left out.
  Place image_of_from(NodeId instruction) const {
    NodeId word = tree_[first_child(instruction)].next;
    while (word != kNoNode && tree_.text(word).starts_with("--")) word = tree_[word].next;
    if (word == kNoNode) return {};
    return unquoted({.word = word, .in_text = whole(word)});
  }

  // The name behind AS, or "".
  std::string_view stage_of_from(const Place& image) const {
    const NodeId as = tree_[image.word].next;
    if (as == kNoNode || !equals_ignoring_case(tree_.text(as), "as")) return {};
    return tree_[as].next == kNoNode ? std::string_view() : tree_.text(tree_[as].next);
  }

  // What stands in front of the first FROM gives arguments their defaults. A default that names a
  // stage somewhere, or a part of an image, cannot be given a digest.
  void note_stages_and_arguments() {
    bool seen_from = false;
    for (NodeId i = first_child(tree_.root()); i != kNoNode; i = tree_[i].next) {
      const std::string keyword = keyword_of(i);
      if (keyword == "arg" && !seen_from) note_argument(i);
      if (keyword != "from") continue;
      seen_from = true;
      note_variables(i);
      const Place image = image_of_from(i);
      if (image.word == kNoNode) continue;
      const auto variable = parse_variable(text_of(image));
      const auto argument = variable ? arguments_.find(variable->name) : arguments_.end();
      if (argument != arguments_.end() && stages_.contains(to_lower(text_of(argument->second))))
        stage_names_.emplace(variable->name);
      if (const std::string_view stage = stage_of_from(image); !stage.empty())
        stages_.insert(to_lower(stage));
    }
  }

  void note_variables(NodeId instruction) {
    const Place image = image_of_from(instruction);
    if (image.word == kNoNode || parse_variable(text_of(image))) return;
    const std::string_view text = text_of(image);
    for (std::size_t at = text.find('$'); at != std::string_view::npos;
         at = text.find('$', at + 1)) {
      const std::string_view rest = text.substr(at + (text.substr(at).starts_with("${") ? 2 : 1));
      partly_used_.emplace(
          rest.substr(0, rest.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")));
    }
  }

  void note_argument(NodeId instruction) {
    for (NodeId word = tree_[first_child(instruction)].next; word != kNoNode;
         word = tree_[word].next) {
      const std::string_view text = tree_.text(word);
      const std::size_t equals = text.find('=');
      const std::string name(text.substr(0, equals));
      if (equals == std::string_view::npos) {
        arguments_.erase(name);
      } else {
        arguments_[name] =
            unquoted({.word = word, .in_text = {.begin = equals + 1, .end = text.size()}});
      }
    }
  }

  void find_in_from(NodeId instruction) {
    const Place image = image_of_from(instruction);
    if (image.word == kNoNode) {
      return collector_.tell(first_child(instruction), {},
                             {.object = "Dockerfile", .rule = "Dockerfile: FROM", .path = "FROM"},
                             "expected an image behind FROM, found nothing");
    }
    const std::string_view stage = stage_of_from(image);
    add(image, instruction, earlier_stages_,
        {.container = stage, .rule = "Dockerfile: FROM", .path = "FROM"});
    if (!stage.empty()) earlier_stages_.insert(to_lower(stage));
  }

  // --from=IMAGE, or from=IMAGE in the list of a --mount=.
  void find_in_flags(NodeId instruction, NodeId keyword, std::string_view flag) {
    for (NodeId word = tree_[keyword].next; word != kNoNode && tree_.text(word).starts_with("--");
         word = tree_[word].next) {
      const std::string_view text = tree_.text(word);
      if (!text.starts_with(flag)) continue;
      if (flag == "--from=") {
        add(unquoted({.word = word, .in_text = {.begin = flag.size(), .end = text.size()}}),
            instruction, stages_, {.rule = "Dockerfile: --from", .path = "COPY --from"});
        continue;
      }
      for (std::size_t begin = flag.size(); begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        find_in_mount({.word = word, .in_text = {.begin = begin, .end = end}}, instruction);
        begin = end + 1;
      }
    }
  }

  // One setting of a --mount=. Quotes may stand around all settings, or around one.
  void find_in_mount(Place setting, NodeId instruction) {
    constexpr std::string_view kFrom = "from=";
    const auto is_quote = [&](std::size_t at) {
      const char c = tree_.text(setting.word)[at];
      return c == '"' || c == '\'';
    };
    Span& span = setting.in_text;
    while (span.size() > 0 && is_quote(span.begin)) ++span.begin;
    while (span.size() > 0 && is_quote(span.end - 1)) --span.end;
    if (!equals_ignoring_case(text_of(setting).substr(0, kFrom.size()), kFrom)) return;
    span.begin += kFrom.size();
    if (span.size() > 0 && is_quote(span.begin)) ++span.begin;
    if (span.size() == 0) return;  // the build's own context
    add(setting, instruction, stages_, {.rule = "Dockerfile: --mount=from", .path = "RUN --mount"});
  }

  void add(const Place& place, NodeId instruction, const Names& stages, ImageContext context) {
    context.object = "Dockerfile";
    context.expected = Expected::kImageOrNothing;
    const std::string_view text = text_of(place);
    std::string reason = collector_.says_ignore(first_child(instruction))
                             ? "a comment says ignore"
                             : reason_not_an_image(text, stages);
    if (!reason.empty()) return collector_.leave_alone(place.word, context, std::move(reason));
    if (!text.contains('$')) return add_fixed(place, context);
    if (const auto variable = parse_variable(text))
      return add_variable(place, *variable, stages, context);
    collector_.leave_alone(place.word, context,
                           "built from variables: with a digest they would have no effect",
                           FindingState::kNotKnown);
  }

  // What stands for the image is the default of the argument, or what ${NAME:-...} falls back to.
  void add_variable(const Place& place, const Variable& variable, const Names& stages,
                    ImageContext context) {
    const auto argument = arguments_.find(variable.name);
    Place fixed;
    if (argument != arguments_.end()) {
      fixed = argument->second;
    } else if (variable.fallback) {
      fixed = {.word = place.word,
               .in_text = {.begin = place.in_text.begin + variable.fallback->begin,
                           .end = place.in_text.begin + variable.fallback->end}};
    }
    if (std::string reason = reason_not_known(fixed, variable.name, stages); !reason.empty()) {
      return collector_.leave_alone(place.word, context, std::move(reason),
                                    FindingState::kNotKnown);
    }
    if (std::string reason = reason_not_an_image(text_of(fixed), stages); !reason.empty())
      return collector_.leave_alone(place.word, context, std::move(reason));
    const std::string path = format("ARG {}", variable.name);
    if (fixed.word != place.word) {
      context.rule = "Dockerfile: default of an ARG that FROM uses";
      context.path = path;
    }
    add_fixed(fixed, context);
  }

  // Why the image that an argument names cannot be told from its default, or "".
  std::string reason_not_known(const Place& fixed, std::string_view argument,
                               const Names& stages) const {
    if (fixed.word == kNoNode || text_of(fixed).empty())
      return format("the build argument {} has no default", argument);
    if (partly_used_.contains(argument))
      return format("the build argument {} is also a part of another name", argument);
    if (text_of(fixed).contains('$'))
      return format("the default of {} has a variable itself", argument);
    if (stage_names_.contains(argument) && reason_not_an_image(text_of(fixed), stages).empty())
      return format("the build argument {} also names a stage of this file", argument);
    return {};
  }

  // A build takes quotes out wherever they stand: where a digest would go is not clear then.
  void add_fixed(const Place& place, const ImageContext& context) {
    const std::string_view text = text_of(place);
    std::string bare;
    for (const char c : text) {
      if (c != '"' && c != '\'') bare += c;
    }
    if (bare.size() == text.size() || !image::ImageReference::parse(bare))
      return collector_.add_part(place.word, place.in_text, context);
    collector_.tell(place.word, bare, context,
                    "quotes stand within it: write it without, or with quotes around all of it");
  }

  std::string reason_not_an_image(std::string_view text, const Names& stages) const {
    if (text == "scratch") return "scratch is empty: not an image";
    if (stages.contains(to_lower(text))) return "a stage of this file";
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos)
      return "the number of a stage of this file";
    return {};
  }

  const Tree& tree_;
  Collector& collector_;
  Arguments arguments_;
  Names partly_used_;  // arguments that are a part of another name
  Names stage_names_;  // arguments that also name a stage
  // In lower case. FROM knows the stages above it, --from and --mount know all: builders look those
  // up when they have read the whole file.
  Names stages_;
  Names earlier_stages_;
};

}  // namespace

void find_in_dockerfile(const Tree& tree, Collector& collector) {
  DockerfileFinder(tree, collector).find();
}

}  // namespace windlass::manifest
