#include "windlass/app/run.h"

#include <utility>

#include "command_line.h"
#include "console.h"
#include "pin_command.h"
#include "resolve_command.h"
#include "windlass/base/clock.h"

namespace windlass::app {
namespace {

Progress::Style progress_style(const CommonOptions& options, const Streams& streams) {
  switch (options.progress) {
    case When::kNever: return Progress::Style::kNone;
    case When::kAlways:
      return streams.err_is_terminal ? Progress::Style::kLine : Progress::Style::kPlain;
    case When::kAuto: break;
  }
  return streams.err_is_terminal ? Progress::Style::kLine : Progress::Style::kNone;
}

Console make_console(const CommonOptions& options, const Streams& streams, Clock& clock) {
  const Loudness loudness = options.quiet     ? Loudness::kQuiet
                            : options.verbose ? Loudness::kVerbose
                                              : Loudness::kNormal;
  return {streams, clock, loudness, progress_style(options, streams)};
}

}  // namespace

ExitCode run(std::span<const std::string> arguments, const Streams& streams,
             const Environment& environment, std::stop_token stop) {
  const Command command = parse_command_line(arguments);
  if (const auto* text = std::get_if<Text>(&command)) {
    (text->code == ExitCode::kDone ? streams.out : streams.err) << text->text << std::flush;
    return text->code;
  }
  Clock& clock = system_clock();
  ExitCode code = ExitCode::kDone;
  const auto with_console = [&](const CommonOptions& options, auto run_command) {
    Console console = make_console(options, streams, clock);
    code = run_command(console);
    if (!streams.out.flush()) {
      console.error("standard output cannot be written; the output is not complete");
      code = worse(code, ExitCode::kInput);
    }
  };
  if (const auto* resolve = std::get_if<ResolveCommand>(&command)) {
    with_console(resolve->common, [&](Console& console) {
      return run_resolve(*resolve, streams, environment, clock, console, stop);
    });
  } else {
    const auto& pin = std::get<PinCommand>(command);
    with_console(pin.common, [&](Console& console) {
      return run_pin(pin, streams, environment, clock, console, stop);
    });
  }
  return code;
}

}  // namespace windlass::app
