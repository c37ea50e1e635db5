// The commands of the program, as values: what the command line and the configuration file ask for.
//
// Values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common_options.h"
#include "option.h"

namespace windlass::app {

struct ResolveCommand {
  enum class Output { kText, kJson, kNdjson, kDigest };

  CommonOptions common;
  std::vector<std::string> images;
  std::string file;  // "-" is standard input; empty: none
  std::size_t images_before_file = 0;
  Output output = Output::kText;
};

// What `windlass pin` does with what it finds.
enum class PinMode {
  kStdout,   // one file, to standard output
  kInPlace,  // changes the files
  kDiff,
  kCheck,    // asks nobody, unless `verify`
  kList,     // tells every text that looks like an image; asks nobody
  kExplain,  // the same, with what its registry says
  kPlan,     // writes the edits to `plan`
  kApply,    // makes the edits of `plan`
};

enum class PinAction { kPin, kUpdate, kUnpin };

struct PinCommand {
  enum class Output { kText, kJson, kNdjson, kSarif };
  enum class Style { kAsWritten, kTag, kDigest, kComment };

  CommonOptions common;
  std::vector<std::string> paths;

  // What is read.
  std::string format;              // of every file; empty: told by name and content
  std::vector<std::string> rules;  // files
  bool ignore_git = false;         // files that git ignores are read as well
  bool allow_duplicate_keys = false;
  bool in_strings = false;  // YAML and JSON in texts of a ConfigMap

  // What is done.
  PinMode mode = PinMode::kStdout;
  PinAction action = PinAction::kPin;
  bool verify = false;
  Style style = Style::kAsWritten;
  std::string plan;
  std::string lock;  // file; empty: none
  bool offline = false;
  bool keep_going = false;

  // What is told.
  Output output = Output::kText;
  bool github_annotations = false;

  bool is_check() const { return mode == PinMode::kCheck; }
  bool is_report() const { return output != Output::kText; }
};

struct KrmCommand {
  CommonOptions common;
  PinAction action = PinAction::kPin;
  PinCommand::Style style = PinCommand::Style::kAsWritten;
  std::string lock;
  bool offline = false;
  bool in_strings = false;
};

struct CompletionCommand {
  std::string shell;
  bool help = false;
};

struct ManualCommand {
  std::string format;  // "man" or "markdown"
  std::string page;    // "windlass", "windlass-pin"; of man
  bool help = false;
};

// Their definitions. The targets outlive them.
CommandSpec resolve_spec(ResolveCommand& target);
CommandSpec pin_spec(PinCommand& target);
CommandSpec krm_spec(KrmCommand& target);
CommandSpec completion_spec(CompletionCommand& target);
CommandSpec manual_spec(ManualCommand& target);

CommandSpec program_spec(bool& help, bool& version);

struct CommandTargets {
  ResolveCommand resolve;
  PinCommand pin;
  KrmCommand krm;
  CompletionCommand completion;
  ManualCommand manual;
};

// All commands, in the order of the help text.
std::vector<CommandSpec> all_commands(CommandTargets& targets);

}  // namespace windlass::app
