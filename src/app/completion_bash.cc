#include "completion.h"
#include "windlass/base/format.h"

namespace windlass::app {
namespace {

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string names_of(const Option& option) {
  return (option.letter == 0 ? "" : format("-{}|", option.letter)) + "--" + option.name;
}

// What stands behind an option that takes a value.
std::string values_case(const CommandSpec& command) {
  std::string text;
  for (const Option& option : command.options) {
    if (option.value.empty()) continue;
    std::string words = "COMPREPLY=()";
    if (option.completes == Completes::kFiles) words = "compopt -o default";
    if (!option.words.empty()) {
      words = format("COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))", joined(option.words));
    }
    text += format("        {}) {}; return ;;\n", names_of(option), words);
  }
  return text;
}

std::string options_of(const CommandSpec& command) {
  std::string text;
  for (const Option& option : command.options) {
    if (option.letter != 0) text += format("-{} ", option.letter);
    text += "--" + option.name + " ";
  }
  return text;
}

std::string command_case(const CommandSpec& command) {
  std::string operands = "      COMPREPLY=()\n";
  if (command.completes_files) operands = "      compopt -o default\n";
  if (!command.operand_words.empty()) {
    operands = format("      COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))\n",
                      joined(command.operand_words));
  }
  return format(
      "    {})\n      case $previous in\n{}      esac\n      if [[ $current == -* ]]; then\n"
      "        COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))\n        return\n      fi\n{}"
      "      ;;\n",
      command.name, values_case(command), options_of(command), operands);
}

}  // namespace

std::string bash_completion(const CommandSpec& program, std::span<const CommandSpec> commands) {
  std::string names;
  std::string cases;
  for (const CommandSpec& command : commands) {
    names += command.name + " ";
    cases += command_case(command);
  }
  return format(
      "# Completions of windlass for bash.\n"
      "_windlass() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W \"{}{}\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "}}\n"
      "complete -F _windlass windlass\n",
      names, options_of(program), cases);
}

}  // namespace windlass::app
