#include <algorithm>

#include "manual.h"
#include "option_help.h"
#include "version.h"
#include "windlass/base/format.h"

namespace windlass::app {
namespace {

// What troff would take for its own.
std::string roff(std::string_view text) {
  std::string out;
  bool line_starts = true;
  for (const char c : text) {
    if (line_starts && (c == '.' || c == '\'')) out += "\\&";
    line_starts = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return out;
}

std::string heading(std::string_view page, std::string_view summary) {
  return format(".TH {} 1 \"\" \"windlass {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                upper(page), kVersion, roff(page), roff(summary));
}

std::string entry(std::string_view what, std::string_view text) {
  return format(".TP\n\\fB{}\\fR\n{}\n", roff(what), roff(text));
}

std::string options_of(const CommandSpec& command) {
  std::string text;
  for (const std::string& group : groups_of(command)) {
    text += format(".SS {}\n", roff(group));
    for (const Option& option : command.options) {
      if (option.group != group) continue;
      std::string shown = option_heading(option);
      shown.erase(0, shown.find_first_not_of(' '));
      text += entry(shown, option_text(option) + ".");
    }
  }
  return text;
}

std::string exit_status() { return ".SH EXIT STATUS\n.nf\n" + roff(exit_codes_text()) + ".fi\n"; }

std::string examples_of(const CommandSpec& command) {
  if (command.examples.empty()) return {};
  std::string text = ".SH EXAMPLES\n";
  for (const Example& example : command.examples) text += entry(example.command, example.what);
  return text;
}

std::string page_of(const CommandSpec& command) {
  std::string text = heading("windlass-" + command.name, command.summary);
  text += format(".SH SYNOPSIS\n\\fBwindlass {}\\fR [OPTION]... {}\n", command.name,
                 roff(command.operands));
  text += format(".SH DESCRIPTION\n{}.\n", roff(command.summary));
  if (!command.about.empty()) text += ".PP\n" + roff(command.about) + "\n";
  text += ".SH OPTIONS\n" + options_of(command) + examples_of(command) + exit_status();
  return text + ".SH SEE ALSO\n\\fBwindlass\\fR(1)\n";
}

}  // namespace

std::optional<std::string> manual_page(std::string_view page, const CommandSpec& program,
                                       std::span<const CommandSpec> commands) {
  for (const CommandSpec& command : commands) {
    if (page == "windlass-" + command.name) return page_of(command);
  }
  if (page != "windlass") return std::nullopt;
  std::string text = heading("windlass", "pins container images");
  text += format(".SH SYNOPSIS\n\\fBwindlass\\fR {}\n.SH DESCRIPTION\n{}.\n",
                 roff(program.operands), roff(program.summary));
  text += ".SH COMMANDS\n";
  for (const CommandSpec& command : commands) {
    text += entry("windlass " + command.name, command.summary + ".");
  }
  text += ".SH OPTIONS\n" + options_of(program) + exit_status() + ".SH SEE ALSO\n";
  for (const CommandSpec& command : commands) {
    text += format("\\fBwindlass\\-{}\\fR(1)\n", command.name);
  }
  return text;
}

}  // namespace windlass::app
