#include "completion.h"
#include "windlass/base/format.h"

namespace windlass::app {
namespace {

// Inside single quotes, in a text where brackets and colons have a meaning.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string action_of(const Option& option) {
  if (option.value.empty()) return {};
  std::string action = " ";
  if (option.completes == Completes::kFiles) action = "_files";
  if (!option.words.empty()) action = format("({})", joined(option.words));
  return format(":{}:{}", escaped(option.value), action);
}

std::string argument_of(const Option& option) {
  const std::string rest = format("[{}]{}", escaped(option.help), action_of(option));
  const std::string star = option.repeats ? "*" : "";
  if (option.letter == 0) return format("        '{}--{}{}'", star, option.name, rest);
  return format("        '(-{0} --{1})'{{-{0},--{1}}}'{2}'", option.letter, option.name, rest);
}

std::string command_case(const CommandSpec& command) {
  std::string arguments;
  for (const Option& option : command.options) arguments += argument_of(option) + " \\\n";
  std::string operands = "'*: :'";
  if (command.completes_files) operands = "'*:file:_files'";
  if (!command.operand_words.empty()) {
    operands = format("'1:word:({})'", joined(command.operand_words));
  }
  return format("    {})\n      _arguments -s \\\n{}        {}\n      ;;\n", command.name,
                arguments, operands);
}

}  // namespace

std::string zsh_completion(const CommandSpec& program, std::span<const CommandSpec> commands) {
  std::string names;
  std::string cases;
  for (const CommandSpec& command : commands) {
    names += format("    '{}:{}'\n", command.name, escaped(command.summary));
    cases += command_case(command);
  }
  std::string options;
  for (const Option& option : program.options) options += " --" + option.name;
  return format(
      "#compdef windlass\n"
      "# Completions of windlass for zsh.\n"
      "_windlass() {{\n"
      "  local -a commands\n"
      "  commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    compadd --{}\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "if [[ $funcstack[1] == _windlass ]]; then _windlass \"$@\"; else compdef _windlass "
      "windlass; "
      "fi\n",
      names, options, cases);
}

}  // namespace windlass::app
