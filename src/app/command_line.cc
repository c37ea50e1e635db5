#include "command_line.h"

#include <algorithm>

#include "config_file.h"
#include "input_files.h"
#include "option_help.h"
#include "option_parser.h"
#include "version_text.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/image/image_reference.h"

namespace windlass::app {
namespace {

constexpr std::size_t kConfigBytesMax = std::size_t{1} << 20U;

Text wrong(std::string_view command, std::string_view what) {
  const std::string name = command.empty() ? "windlass" : format("windlass {}", command);
  return {format("{}: {}\nTry '{} --help'.\n", name, what, name), ExitCode::kUsage};
}

// What a command's options cannot say by themselves. Each gives a text when something is wrong.
std::optional<Text> finish(ResolveCommand& command, std::vector<std::string> operands) {
  command.images = std::move(operands);
  const auto dash = std::ranges::find(command.images, "-");
  if (dash != command.images.end()) {
    if (!command.file.empty())
      return wrong("resolve", "both \"-\" and --file name where to read from");
    command.file = "-";
    command.images_before_file = static_cast<std::size_t>(dash - command.images.begin());
    std::erase(command.images, "-");
  }
  if (command.images.empty() && command.file.empty()) {
    return wrong("resolve", "no image named; give image references, --file FILE, or \"-\"");
  }
  return std::nullopt;
}

std::optional<Text> finish(PinCommand& command, std::vector<std::string> operands) {
  command.paths = std::move(operands);
  if (std::ranges::find(command.paths, "") != command.paths.end()) {
    return wrong("pin", "a PATH is empty; is a variable of the script not set?");
  }
  const bool applies = command.mode == PinMode::kApply;
  if (applies && !command.paths.empty()) {
    return wrong("pin", "--apply takes its files from the plan; leave out the PATH");
  }
  if (!applies && command.paths.empty()) {
    return wrong("pin", "no PATH named; give files and directories, or \"-\" for standard input");
  }
  return std::nullopt;
}

std::optional<Text> finish(KrmCommand& command, const std::vector<std::string>& operands) {
  if (!operands.empty()) return wrong("krm", "takes no arguments: it reads standard input");
  if (command.offline && command.lock.empty()) {
    return wrong("krm", "--offline needs --lock beside it");
  }
  return std::nullopt;
}

std::optional<Text> finish(CompletionCommand& command, const std::vector<std::string>& operands) {
  const bool known = operands.size() == 1 &&
                     (operands[0] == "bash" || operands[0] == "zsh" || operands[0] == "fish");
  if (!known) return wrong("completion", "name one shell: bash, zsh or fish");
  command.shell = operands[0];
  return std::nullopt;
}

std::optional<Text> finish(ManualCommand& command, const std::vector<std::string>& operands) {
  const bool man = !operands.empty() && operands.size() <= 2 && operands[0] == "man";
  if (!man && operands != std::vector<std::string>{"markdown"}) {
    return wrong("manual", "expected \"man [PAGE]\" or \"markdown\"");
  }
  command.format = operands[0];
  command.page = operands.size() == 2 ? operands[1] : "windlass";
  return std::nullopt;
}

class CommandLine {
 public:
  CommandLine() : specs_(all_commands(targets_)) {}

  Command parse(std::span<const std::string> arguments) {
    if (arguments.empty() || arguments.front().starts_with('-')) return parse_program(arguments);
    const auto spec = std::ranges::find(specs_, arguments.front(), &CommandSpec::name);
    if (spec == specs_.end()) return unknown_command(arguments.front());
    return parse_command(*spec, arguments.subspan(1));
  }

 private:
  Command parse_program(std::span<const std::string> arguments) {
    bool help = false;
    bool version = false;
    const CommandSpec program = program_spec(help, version);
    if (auto parsed = parse_arguments(arguments, program.options); !parsed) {
      return wrong({}, parsed.error().message);
    }
    if (help) return Text{program_help_text(program, specs_), ExitCode::kDone};
    if (version) return Text{version_text(), ExitCode::kDone};
    return wrong({}, format("no command; there are {}", command_names()));
  }

  Text unknown_command(std::string_view name) const {
    std::vector<std::string> names;
    names.reserve(specs_.size());
    for (const CommandSpec& spec : specs_) names.push_back(spec.name);
    const std::string similar = similar_name(name, names);
    return wrong(
        {},
        format("unknown command {}; {}", windlass::quoted(image::without_password(name)),
               similar.empty() ? "there are " + command_names() : "did you mean " + similar + "?"));
  }

  std::string command_names() const {
    std::string names;
    for (const CommandSpec& spec : specs_) names += (names.empty() ? "" : ", ") + spec.name;
    return names;
  }

  Command parse_command(const CommandSpec& spec, std::span<const std::string> arguments) {
    auto parsed = parse_arguments(arguments, spec.options);
    if (!parsed) return wrong(spec.name, parsed.error().message);
    if (parsed->given.contains("help")) return Text{help_text(spec), ExitCode::kDone};
    const std::string* config = spec.name == "resolve" ? &targets_.resolve.common.config
                                : spec.name == "pin"   ? &targets_.pin.common.config
                                : spec.name == "krm"   ? &targets_.krm.common.config
                                                       : nullptr;
    if (config != nullptr && !config->empty()) {
      if (auto text = read_config(*config, spec, parsed->given)) return *std::move(text);
    }
    if (const auto file = parsed->given.find("file"); file != parsed->given.end())
      targets_.resolve.images_before_file = file->second;
    if (spec.name == "resolve") return finished(targets_.resolve, std::move(parsed->operands));
    if (spec.name == "pin") return finished(targets_.pin, std::move(parsed->operands));
    if (spec.name == "krm") return finished(targets_.krm, std::move(parsed->operands));
    if (spec.name == "manual") return finished(targets_.manual, std::move(parsed->operands));
    return finished(targets_.completion, std::move(parsed->operands));
  }

  std::optional<Text> read_config(const std::string& file, const CommandSpec& spec,
                                  const GivenOptions& given) const {
    const auto bytes = read_option_file("--config", file, kConfigBytesMax);
    if (!bytes) {
      return Text{format("windlass: error: {}\n", bytes.error().message), ExitCode::kInput};
    }
    if (auto applied = apply_config(file, *bytes, spec, specs_, given); !applied) {
      return Text{format("windlass: error: {}\n", applied.error().message), ExitCode::kUsage};
    }
    return std::nullopt;
  }

  template <class T>
  static Command finished(T& command, std::vector<std::string>&& operands) {
    if (auto text = finish(command, std::move(operands))) return *std::move(text);
    return std::move(command);
  }

  CommandTargets targets_;
  const std::vector<CommandSpec> specs_;
};

}  // namespace

Command parse_command_line(std::span<const std::string> arguments) {
  return CommandLine().parse(arguments);
}

}  // namespace windlass::app
