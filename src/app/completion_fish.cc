#include "completion.h"
#include "windlass/base/format.h"

namespace windlass::app {
namespace {

std::string quoted_for_fish(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string option_line(std::string_view condition, const Option& option) {
  std::string line =
      format("complete -c windlass -n {} -l {}", quoted_for_fish(condition), option.name);
  if (option.letter != 0) line += format(" -s {}", option.letter);
  if (!option.value.empty()) line += option.completes == Completes::kFiles ? " -r -F" : " -x";
  if (!option.words.empty()) line += " -a " + quoted_for_fish(joined(option.words));
  return line + " -d " + quoted_for_fish(option.help) + "\n";
}

}  // namespace

std::string fish_completion(const CommandSpec& program, std::span<const CommandSpec> commands) {
  std::string text = "# Completions of windlass for fish.\ncomplete -c windlass -f\n";
  for (const Option& option : program.options) text += option_line("__fish_use_subcommand", option);
  for (const CommandSpec& command : commands) {
    text += format("complete -c windlass -n __fish_use_subcommand -a {} -d {}\n", command.name,
                   quoted_for_fish(command.summary));
  }
  for (const CommandSpec& command : commands) {
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    if (command.completes_files) {
      text += format("complete -c windlass -n {} -F\n", quoted_for_fish(condition));
    }
    if (!command.operand_words.empty()) {
      text += format("complete -c windlass -n {} -a {}\n", quoted_for_fish(condition),
                     quoted_for_fish(joined(command.operand_words)));
    }
    for (const Option& option : command.options) text += option_line(condition, option);
  }
  return text;
}

}  // namespace windlass::app
