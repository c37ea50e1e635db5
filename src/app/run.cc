#include "windlass/app/run.h"

#include <type_traits>
#include <utility>

#include "command_line.h"
#include "completion.h"
#include "console.h"
#include "krm_command.h"
#include "manual.h"
#include "output_files.h"
#include "pin_command.h"
#include "resolve_command.h"
#include "windlass/base/clock.h"
#include "windlass/base/format.h"

namespace windlass::app {
namespace {

Progress::Style progress_style(const CommonOptions& options, const Streams& streams,
                               const Environment& environment) {
  if (options.progress == When::kNever || options.json_log) return Progress::Style::kNone;
  const bool is_live = streams.err_is_terminal && environment("TERM") != "dumb";
  if (is_live) return Progress::Style::kLine;
  return options.progress == When::kAlways ? Progress::Style::kPlainAtOnce
                                           : Progress::Style::kPlain;
}

Console make_console(const CommonOptions& options, const Streams& streams,
                     const Environment& environment, Clock& clock) {
  const Loudness loudness = options.quiet     ? Loudness::kQuiet
                            : options.verbose ? Loudness::kVerbose
                                              : Loudness::kNormal;
  const auto format = options.json_log ? Console::Format::kJson : Console::Format::kText;
  return {streams, clock, loudness, progress_style(options, streams, environment), format};
}

// Runs what makes lookups, with a console and an observation as its options say.
template <class RunCommand>
ExitCode observed(std::string_view name, const CommonOptions& options, const Streams& streams,
                  const Environment& environment, Clock& clock, const RunCommand& run_command) {
  Console console = make_console(options, streams, environment, clock);
  if (const auto writable = check_metrics_file(options); !writable) {
    console.error(writable.error().message);
    return ExitCode::kInput;
  }
  Observation observation(name, options, environment, clock, console);
  const ExitCode code = run_command(console, observation);
  const auto finished = observation.finish(code);
  if (finished) return code;
  console.error(format("--metrics-file: {}", finished.error().message));
  return worse(code, ExitCode::kInput);
}

std::string text_of(const CompletionCommand& command) {
  bool unused = false;
  CommandTargets targets;
  const CommandSpec program = program_spec(unused, unused);
  const auto make = command.shell == "bash"  ? bash_completion
                    : command.shell == "zsh" ? zsh_completion
                                             : fish_completion;
  return make(program, all_commands(targets));
}

ExitCode print_manual(const ManualCommand& command, const Streams& streams) {
  bool unused = false;
  CommandTargets targets;
  const CommandSpec program = program_spec(unused, unused);
  const std::vector<CommandSpec> commands = all_commands(targets);
  if (command.format == "markdown") {
    streams.out << reference_page(program, commands);
    return ExitCode::kDone;
  }
  const auto page = manual_page(command.page, program, commands);
  if (!page) {
    streams.err << "windlass manual: no such page; there are windlass";
    for (const CommandSpec& spec : commands) streams.err << ", windlass-" << spec.name;
    streams.err << '\n';
    return ExitCode::kUsage;
  }
  streams.out << *page;
  return ExitCode::kDone;
}

}  // namespace

ExitCode run(std::span<const std::string> arguments, const Streams& streams,
             const Environment& environment, Interruption& interruption, std::stop_token stop) {
  Clock& clock = system_clock();
  const auto run_one = [&](const auto& command) {
    using Type = std::decay_t<decltype(command)>;
    if constexpr (std::is_same_v<Type, Text>) {
      (command.code == ExitCode::kDone ? streams.out : streams.err) << command.text;
      return command.code;
    } else if constexpr (std::is_same_v<Type, CompletionCommand>) {
      streams.out << text_of(command);
      return ExitCode::kDone;
    } else if constexpr (std::is_same_v<Type, ManualCommand>) {
      return print_manual(command, streams);
    } else {
      const auto run_command = [&](Console& console, Observation& observation) {
        if constexpr (std::is_same_v<Type, ResolveCommand>) {
          return run_resolve(command, streams, environment, clock, console, observation, stop);
        } else if constexpr (std::is_same_v<Type, PinCommand>) {
          return run_pin(command, streams, environment, clock, console, observation, interruption,
                         stop);
        } else {
          return run_krm(command, streams, environment, clock, console, observation, stop);
        }
      };
      if (const std::string misuse = misuse_of_outputs(command); !misuse.empty()) {
        make_console(command.common, streams, environment, clock)
            .error(format("{}: {}", arguments.front(), misuse));
        return ExitCode::kUsage;
      }
      return observed(arguments.front(), command.common, streams, environment, clock, run_command);
    }
  };
  const ExitCode code = std::visit(run_one, parse_command_line(arguments));
  if (streams.out.flush()) return code;
  // Whoever has read enough, as head does, wants to hear nothing of it.
  if (streams.out_has_no_reader()) return worse(code, ExitCode::kReaderGone);
  streams.err << "windlass: error: standard output cannot be written; the output is not complete\n"
              << std::flush;
  return worse(code, ExitCode::kInput);
}

}  // namespace windlass::app
