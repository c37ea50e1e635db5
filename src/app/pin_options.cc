#include "commands.h"

namespace windlass::app {
namespace {

constexpr const char* kWhat = "What to do (otherwise: one file, to standard output)";
constexpr const char* kHow = "How to pin";
constexpr const char* kRead = "What to read";
constexpr const char* kTell = "What to tell";

Setter to_mode(PinCommand& target, PinMode mode) {
  return [&target, mode](std::string_view) {
    target.mode = mode;
    return std::string();
  };
}

Setter to_plan(PinCommand& target, PinMode mode) {
  return [&target, mode](std::string_view value) -> std::string {
    if (value.empty()) return "its value is empty";
    target.mode = mode;
    target.plan = value;
    return {};
  };
}

Setter to_action(PinAction& target, PinAction action) {
  return [&target, action](std::string_view value) -> std::string {
    if (!value.empty() && value != "true" && value != "false") return "expected true or false";
    if (value != "false") target = action;
    return {};
  };
}

std::vector<Option> mode_options(PinCommand& target) {
  std::vector<Option> options = {
      {.name = "in-place",
       .letter = 'i',
       .help = "Change the files, all of them or none",
       .set = to_mode(target, PinMode::kInPlace)},
      {.name = "diff", .help = "Print what would change", .set = to_mode(target, PinMode::kDiff)},
      {.name = "check",
       .help = "Change nothing, ask no registry; exit code 1 when an image is not pinned",
       .set = to_mode(target, PinMode::kCheck)},
      {.name = "list",
       .help = "Print every text that looks like an image, and the rule that found it or why it is "
               "left alone; ask no registry",
       .set = to_mode(target, PinMode::kList)},
      {.name = "explain",
       .help = "The same, with the digest, its kind, and which login was used to ask",
       .set = to_mode(target, PinMode::kExplain)},
      {.name = "plan",
       .value = "FILE",
       .help = "Write the edits to FILE as JSON, to be reviewed; change nothing else",
       .completes = Completes::kFiles,
       .set = to_plan(target, PinMode::kPlan)},
      {.name = "apply",
       .value = "FILE",
       .help = "Make the edits of a plan, if its files are still what they were",
       .completes = Completes::kFiles,
       .set = to_plan(target, PinMode::kApply)},
  };
  for (Option& option : options) {
    option.group = kWhat;
    option.in_config = false;
    for (const Option& other : options) {
      if (other.name != option.name) option.excludes.push_back(other.name);
    }
  }
  options.push_back({.name = "verify",
                     .help = "Ask whether the tags of pinned images have moved since",
                     .group = kWhat,
                     .needs = "check",
                     .set = to_flag(target.verify)});
  return options;
}

std::vector<Option> how_options(PinCommand& target) {
  using Style = PinCommand::Style;
  return {
      {.name = "style",
       .value = "STYLE",
       .help = "How digests are written that are put in or changed. tag: NAME:TAG@DIGEST; digest: "
               "NAME@DIGEST, the tag is lost; comment: NAME@DIGEST and the tag in a comment behind "
               "it; otherwise as it was, and tag for what was not pinned",
       .group = kHow,
       .words = {"tag", "digest", "comment"},
       .set = to_one_of<Style>(
           target.style,
           {{"tag", Style::kTag}, {"digest", Style::kDigest}, {"comment", Style::kComment}})},
      {.name = "update",
       .help = "Look again at what is pinned: its tag may mean another digest by now",
       .group = kHow,
       .in_config = false,
       .excludes = {"unpin", "apply", "check", "list"},
       .set = to_action(target.action, PinAction::kUpdate)},
      {.name = "unpin",
       .help = "Take the digests out again",
       .group = kHow,
       .in_config = false,
       .excludes = {"apply", "check", "list", "explain", "lock", "style"},
       .set = to_action(target.action, PinAction::kUnpin)},
      {.name = "lock",
       .value = "FILE",
       .help = "Keep digests in FILE: the same tag gives the same digest until --update, also "
               "where another one stands; what is pinned already is remembered",
       .group = kHow,
       .completes = Completes::kFiles,
       .excludes = {"apply", "list"},
       .set = to_value(target.lock)},
      {.name = "offline",
       .help = "Ask no registry: digests come from the lock alone",
       .group = kHow,
       .excludes = {"update"},
       .needs = "lock",
       .set = to_flag(target.offline)},
      {.name = "keep-going",
       .help = "Write what could be pinned although something failed; the exit code still tells",
       .group = kHow,
       .set = to_flag(target.keep_going)},
  };
}

std::vector<Option> read_options(PinCommand& target) {
  return {
      {.name = "format",
       .value = "FORMAT",
       .help = "Read every file as this, instead of telling by name and content",
       .group = kRead,
       .words = {"kubernetes", "kustomization", "helm-values", "compose", "workflow", "dockerfile"},
       .set = to_value(target.format)},
      {.name = "rules",
       .value = "FILE",
       .help = "Where kinds of your own name images: see rules.md in the reference",
       .group = kRead,
       .completes = Completes::kFiles,
       .repeats = true,
       .set = to_list(target.rules)},
      {.name = "no-ignore",
       .help = "Read the files of a directory that git ignores, too",
       .group = kRead,
       .set = to_flag(target.ignore_git)},
      {.name = "in-strings",
       .help = "Find images also in YAML and JSON that stand as texts in the data of a ConfigMap",
       .group = kRead,
       .set = to_flag(target.in_strings)},
      {.name = "allow-duplicate-keys",
       .help = "Take the last one where a key stands twice, instead of refusing the file",
       .group = kRead,
       .set = to_flag(target.allow_duplicate_keys)},
  };
}

std::vector<Option> tell_options(PinCommand& target) {
  using Output = PinCommand::Output;
  return {
      {.name = "output",
       .letter = 'o',
       .value = "FORMAT",
       .help = "Print a report of every image instead of the file or its places",
       .group = kTell,
       .initial = "text",
       .words = {"text", "json", "ndjson", "sarif"},
       .excludes = {"diff", "plan"},
       .set = to_one_of<Output>(target.output, {{"text", Output::kText},
                                                {"json", Output::kJson},
                                                {"ndjson", Output::kNdjson},
                                                {"sarif", Output::kSarif}})},
      {.name = "annotations",
       .value = "WHERE",
       .help = "Print findings to standard error as a forge shows them beside the code",
       .group = kTell,
       .initial = "none",
       .words = {"none", "github"},
       .set = to_one_of<bool>(target.github_annotations, {{"none", false}, {"github", true}})},
  };
}

}  // namespace

CommandSpec pin_spec(PinCommand& target) {
  CommandSpec spec{
      .name = "pin",
      .summary = "Write digests into manifests, compose files and Dockerfiles",
      .operands = "[PATH|-]...",
      .about =
          "Finds image references by structure, asks their registries for the digests, and writes "
          "NAME:TAG@DIGEST. Only the text of references changes; every other byte stays, and each "
          "edited file is parsed again to prove it. Of a directory, manifests, Dockerfiles, "
          "compose files and workflows are read, except what git ignores and hidden JSON. A "
          "comment \"# windlass: ignore\" "
          "on the line of a reference or above it leaves the reference alone.",
      .completes_files = true};
  for (auto& options : {mode_options(target), how_options(target), read_options(target),
                        tell_options(target), common_options(target.common)}) {
    spec.options.insert(spec.options.end(), options.begin(), options.end());
  }
  spec.examples = {
      {"windlass pin deploy.yaml > pinned.yaml", "one file, to standard output"},
      {"windlass pin --diff deploy/", "what would change"},
      {"windlass pin -i deploy/", "change the files"},
      {"windlass pin --check deploy/", "for CI: exit code 1 when an image is not pinned"},
      {"windlass pin --check --verify deploy/", "also: have tags moved since?"},
      {"windlass pin --plan plan.json deploy/ && windlass pin --apply plan.json",
       "two steps, with a review between them"},
      {"windlass pin -i --lock windlass.lock deploy/", "the same digests everywhere"},
      {"helm template shop | windlass pin - | kubectl apply -f -", "in a pipeline"},
  };
  return spec;
}

}  // namespace windlass::app
