#include "option_help.h"

#include <algorithm>

#include "windlass/base/format.h"

namespace windlass::app {
namespace {

constexpr std::size_t kColumns = 79;
constexpr std::size_t kHelpColumn = 28;

// A heading and the text behind it, which starts on a line of its own behind a long heading.
std::string entry(std::string_view heading, std::string_view text) {
  std::string line = format("  {}", heading);
  if (line.size() + 2 > kHelpColumn) {
    line += '\n' + std::string(kHelpColumn, ' ');
  } else {
    line += std::string(kHelpColumn - line.size(), ' ');
  }
  return line + wrapped(text, kHelpColumn, kColumns) + '\n';
}

std::string options_text(const CommandSpec& command) {
  std::string text;
  for (const std::string& group : groups_of(command)) {
    text += format("\n{}:\n", group);
    for (const Option& option : command.options) {
      if (option.group == group) text += entry(option_heading(option), option_text(option));
    }
  }
  return text;
}

std::string examples_text(const CommandSpec& command) {
  if (command.examples.empty()) return {};
  std::string text = "\nExamples:\n";
  for (const Example& example : command.examples) {
    text += format("  # {}\n  {}\n", example.what, example.command);
  }
  return text;
}

}  // namespace

std::string help_text(const CommandSpec& command) {
  std::string text =
      format("Usage: windlass {} [OPTION]... {}\n\n", command.name, command.operands);
  text += wrapped(command.summary + ".", 0, kColumns) + '\n';
  if (!command.about.empty()) text += '\n' + wrapped(command.about, 0, kColumns) + '\n';
  text += options_text(command) + examples_text(command);
  return text + "\nExit codes:\n" + exit_codes_text();
}

std::string program_help_text(const CommandSpec& program, std::span<const CommandSpec> commands) {
  std::string text = format("Usage: windlass {}\n\n{}\n\nCommands:\n", program.operands,
                            wrapped(program.summary + ".", 0, kColumns));
  for (const CommandSpec& command : commands) text += entry(command.name, command.summary);
  text += options_text(program) + examples_text(program);
  text += "\nExit codes:\n" + exit_codes_text();
  return text + "\n'windlass COMMAND --help' tells a command's options and examples.\n";
}

std::string option_heading(const Option& option) {
  std::string heading = option.letter == 0 ? "    " : format("-{}, ", option.letter);
  heading += "--" + option.name;
  if (!option.value.empty()) heading += " " + option.value;
  return heading;
}

std::string option_text(const Option& option) {
  std::string text = option.help;
  if (!option.words.empty()) {
    std::string words;
    for (const std::string& word : option.words) words += (words.empty() ? "" : ", ") + word;
    text += format(" ({})", words);
  }
  if (option.repeats) text += "; may be repeated";
  if (!option.initial.empty()) text += format(" [{}]", option.initial);
  return text;
}

std::vector<std::string> groups_of(const CommandSpec& command) {
  std::vector<std::string> groups;
  for (const Option& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  return groups;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string lines;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, end);
    const bool fits = column == indent || column + 1 + word.size() <= columns;
    if (!fits) {
      lines += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
    if (end == std::string_view::npos) break;
    if (text[end] == '\n') {
      lines += '\n' + std::string(text.substr(end + 1, 1) == "\n" ? 0 : indent, ' ');
      column = indent;
    }
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string exit_codes_text() {
  return R"(  0    done, or nothing to do
  1    a check found images that are not pinned, or not to the right digest
  2    wrong usage
  3    an input could not be read, parsed or written
  4    a registry said no: the image is missing, or the login was refused
  5    a registry could not be asked: unreachable, throttled, timed out
  70   a fault of windlass itself: please report it
  130  interrupted
  141  whoever reads standard output went away before its end
When several apply, the first of 3, 5, 4, 1 is taken.
)";
}

}  // namespace windlass::app
