// The command line, as values. Parsing knows the options and their help, and nothing of what they
// do.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "windlass/app/exit_code.h"
#include "windlass/base/time.h"

namespace windlass::app {

enum class When { kAuto, kAlways, kNever };
enum class OutputFormat { kText, kJson, kNdjson, kDigest };

// How lookups are made, and what is told meanwhile.
struct CommonOptions {
  int in_flight_max = 16;
  Duration timeout = std::chrono::seconds(30);  // per image, waiting and retries included
  std::vector<std::string> skip;                // patterns of registries to leave alone
  std::string authfile;                         // empty: where Docker and podman look
  std::vector<std::string> ca_files;
  std::vector<std::string> plain_http;  // hosts
  std::vector<std::string> tls;         // loopback hosts that speak TLS
  When progress = When::kAuto;
  bool quiet = false;
  bool verbose = false;
};

struct ResolveCommand {
  CommonOptions common;
  std::vector<std::string> images;
  std::string file;  // "-" is standard input; empty: none
  OutputFormat output = OutputFormat::kText;
};

enum class PinMode { kStdout, kInPlace, kDiff, kCheck };

struct PinCommand {
  CommonOptions common;
  std::vector<std::string> paths;
  PinMode mode = PinMode::kStdout;
  bool json = false;
  bool keep_going = false;
  bool keep_tag = true;  // name:tag@digest; otherwise name@digest
};

// What to print instead of doing something: help, the version, or what is wrong with the usage.
struct Text {
  std::string text;
  ExitCode code;  // kDone: for standard output; kUsage: for standard error
};

using Command = std::variant<Text, ResolveCommand, PinCommand>;

// `arguments` without the program's name.
Command parse_command_line(std::span<const std::string> arguments);

// "500ms", "30s", "2m", "1h", or seconds as a plain number. nullopt for anything else, and for what
// is not above zero.
std::optional<Duration> parse_duration(std::string_view text);

}  // namespace windlass::app
