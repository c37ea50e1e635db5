#include "commands.h"

namespace windlass::app {

CommandSpec krm_spec(KrmCommand& target) {
  using Style = PinCommand::Style;
  CommandSpec spec{
      .name = "krm",
      .summary = "Pin the items of a ResourceList, as a function of kustomize and kpt",
      .operands = "",
      .about =
          "Reads a ResourceList from standard input and writes it to standard output with the "
          "images of its items pinned and a list of results. The data of its functionConfig, a "
          "ConfigMap, may set the options below (such as skip, lock or style). Exit code 1 when a "
          "result is an error."};
  constexpr const char* kHow = "How to pin";
  spec.options = {
      {.name = "style",
       .value = "STYLE",
       .help = "tag: NAME:TAG@DIGEST; digest: NAME@DIGEST",
       .group = kHow,
       .words = {"tag", "digest"},
       .set = to_one_of<Style>(target.style, {{"tag", Style::kTag}, {"digest", Style::kDigest}})},
      {.name = "lock",
       .value = "FILE",
       .help = "Take digests from this lock where it has them",
       .group = kHow,
       .completes = Completes::kFiles,
       .set = to_value(target.lock)},
      {.name = "offline",
       .help = "Ask no registry: digests come from the lock alone",
       .group = kHow,
       .set = to_flag(target.offline)},
      {.name = "in-strings",
       .help = "Pin images also in YAML and JSON that stand as texts in the data of a ConfigMap",
       .group = kHow,
       .set = to_flag(target.in_strings)},
  };
  for (Option& option : common_options(target.common)) spec.options.push_back(std::move(option));
  spec.examples = {{"windlass krm < resources.yaml", "what an orchestrator does"}};
  return spec;
}

CommandSpec completion_spec(CompletionCommand& target) {
  CommandSpec spec{.name = "completion",
                   .summary = "Print the completions of a shell",
                   .operands = "bash|zsh|fish",
                   .operand_words = {"bash", "zsh", "fish"}};
  spec.options = {help_option(target.help)};
  spec.examples = {
      {"windlass completion bash > /etc/bash_completion.d/windlass", "for all users of bash"}};
  return spec;
}

CommandSpec manual_spec(ManualCommand& target) {
  CommandSpec spec{.name = "manual",
                   .summary = "Print a manual page, or the whole reference",
                   .operands = "man [PAGE] | markdown",
                   .operand_words = {"man", "markdown"}};
  spec.options = {help_option(target.help)};
  spec.examples = {{"windlass manual man windlass-pin | man -l -", "without an installation"},
                   {"windlass manual markdown > cli.md", "all options of all commands"}};
  return spec;
}

CommandSpec program_spec(bool& help, bool& version) {
  CommandSpec spec{.name = "",
                   .summary =
                       "Pins container images: turns tags into digests and writes them into "
                       "manifests",
                   .operands = "COMMAND [OPTION]... [ARGUMENT]..."};
  spec.options = {{.name = "version",
                   .help = "Print the version, the commit and the libraries, and end",
                   .group = "Options",
                   .set = to_flag(version)},
                  help_option(help)};
  return spec;
}

std::vector<CommandSpec> all_commands(CommandTargets& targets) {
  return {resolve_spec(targets.resolve), pin_spec(targets.pin), krm_spec(targets.krm),
          completion_spec(targets.completion), manual_spec(targets.manual)};
}

}  // namespace windlass::app
