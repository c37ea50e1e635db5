#include "manual.h"
#include "option_help.h"
#include "windlass/base/format.h"

namespace windlass::app {
namespace {

// In a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*') out += '\\';
    out += c;
  }
  return out;
}

std::string options_of(const CommandSpec& command) {
  std::string text;
  for (const std::string& group : groups_of(command)) {
    text += format("\n{}:\n\n| option | what it does |\n| --- | --- |\n", group);
    for (const Option& option : command.options) {
      if (option.group != group) continue;
      std::string shown = option_heading(option);
      shown.erase(0, shown.find_first_not_of(' '));
      text += format("| `{}` | {} |\n", shown, cell(option_text(option)));
    }
  }
  return text;
}

std::string command_text(const CommandSpec& command) {
  std::string text =
      format("\n## windlass {}\n\n```\nwindlass {} [OPTION]... {}\n```\n\n{}.\n", command.name,
             command.name, command.operands, wrapped(command.summary, 0, 120));
  if (!command.about.empty()) text += '\n' + wrapped(command.about, 0, 120) + '\n';
  text += options_of(command);
  if (command.examples.empty()) return text;
  text += "\nExamples:\n\n```\n";
  for (const Example& example : command.examples) {
    text += format("# {}\n{}\n", example.what, example.command);
  }
  return text + "```\n";
}

}  // namespace

std::string reference_page(const CommandSpec& program, std::span<const CommandSpec> commands) {
  std::string text =
      "# The command line\n\n"
      "Made by `windlass manual markdown` from the definitions of the options; a test fails when "
      "it "
      "is stale.\n\n"
      "Results go to standard output, everything else to standard error. Options may stand "
      "anywhere; "
      "`--name VALUE` and\n`--name=VALUE` are the same, flags of one letter may share a dash, and "
      "what stands behind `--` is never an option. What\nthe exit codes mean: "
      "[exit-codes.md](exit-codes.md). The configuration file: "
      "[configuration.md](configuration.md).\n";
  text += options_of(program);
  for (const CommandSpec& command : commands) text += command_text(command);
  return text;
}

}  // namespace windlass::app
