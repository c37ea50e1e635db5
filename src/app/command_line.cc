#include "command_line.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <sstream>

#include "version.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

constexpr const char* kExitCodes = R"(Exit codes:
  0    done, or nothing to do
  1    a check found images that are not pinned
  2    wrong usage
  3    an input could not be read, parsed or written
  4    a registry said no: the image is missing, or the login was refused
  5    a registry could not be asked: unreachable, throttled, timed out
  130  interrupted
)";

constexpr const char* kResolveExamples = R"(Examples:
  windlass resolve nginx:1.27
  windlass resolve nginx:1.27 redis:7 -o digest
  windlass resolve -f images.txt -o json
  cut -f2 list.tsv | windlass resolve -
)";

constexpr const char* kPinExamples = R"(Examples:
  windlass pin deploy.yaml > pinned.yaml    one file, to standard output
  windlass pin --diff deploy/               what would change
  windlass pin -i deploy/                   change the files
  windlass pin --check deploy/              for CI: exit code 1 when an image is not pinned
  helm template shop | windlass pin - | kubectl apply -f -

Only the text of image references changes; every other byte stays. A reference with a comment
"# windlass: ignore" on its line or on the line above is left alone.
)";

// CLI11 tells its callers by exceptions what was wrong; they end in parse_command_line().
std::string duration_check(const std::string& text) {
  if (parse_duration(text)) return {};
  return windlass::quoted(text) + " is not a time above zero, such as 500ms, 30s or 2m";
}

struct CommonText {
  std::string timeout = "30s";
  std::string progress = "auto";
};

void add_common_options(CLI::App& command, CommonOptions& options, CommonText& text) {
  command
      .add_option("--timeout", text.timeout, "Time for each image, waiting and retries included")
      ->type_name("TIME")
      ->check(duration_check)
      ->capture_default_str();
  command.add_option("--max-in-flight", options.in_flight_max, "Lookups at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command
      .add_option(
          "--skip", options.skip,
          "Leave images of this registry alone: HOST, *.SUFFIX or HOST/PATH; may be repeated")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  command
      .add_option("--authfile", options.authfile,
                  "Logins, in Docker's config.json format; default: $REGISTRY_AUTH_FILE, "
                  "$DOCKER_CONFIG/config.json, ~/.docker/config.json, podman's auth.json")
      ->type_name("FILE");
  command
      .add_option("--ca-file", options.ca_files,
                  "Trust the certificates in this PEM file too; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      .add_option("--plain-http", options.plain_http,
                  "Ask this host over http, without TLS; may be repeated")
      ->type_name("HOST[:PORT]")
      ->allow_extra_args(false);
  command
      .add_option("--tls", options.tls,
                  "Ask this loopback host over TLS, as all others are; may be repeated")
      ->type_name("HOST[:PORT]")
      ->allow_extra_args(false);
  command
      .add_option("--progress", text.progress, "Show how far the lookups are, on standard error")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  CLI::Option* quiet = command.add_flag("-q,--quiet", options.quiet, "Only errors");
  command.add_flag("-v,--verbose", options.verbose, "Also what was asked, and what was left alone")
      ->excludes(quiet);
}

void finish_common_options(CommonOptions& options, const CommonText& text) {
  static const std::map<std::string, When> kWhen = {
      {"auto", When::kAuto}, {"always", When::kAlways}, {"never", When::kNever}};
  options.timeout = *parse_duration(text.timeout);
  options.progress = kWhen.at(text.progress);
}

class Parser {
 public:
  Parser() {
    app_.require_subcommand(0, 1);
    app_.set_version_flag("--version", format("windlass {}", kVersion));
    app_.footer(
        std::string("Run 'windlass COMMAND --help' for a command's options and examples.\n\n") +
        kExitCodes);
    app_.get_formatter()->column_width(32);
    add_resolve();
    add_pin();
  }

  Command parse(std::span<const std::string> arguments) {
    // CLI11 takes its arguments from the back.
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
      app_.parse(reversed);
    } catch (const CLI::ParseError& error) {
      return explain(error);
    }
    if (resolve_->parsed()) return finish_resolve();
    if (pin_->parsed()) return finish_pin();
    return Text{"windlass: no command; there are resolve and pin\nTry 'windlass --help'.\n",
                ExitCode::kUsage};
  }

 private:
  void add_resolve() {
    resolve_ = app_.add_subcommand("resolve", "Tell the digests that image tags have now");
    resolve_->footer(kResolveExamples);
    resolve_
        ->add_option("IMAGE", resolve_command_.images,
                     "Image references; \"-\" reads them from standard input")
        ->type_name("");
    resolve_
        ->add_option("-f,--file", resolve_command_.file, "Read references from a file, one a line")
        ->type_name("FILE");
    resolve_
        ->add_option(
            "-o,--output", output_,
            "text: IMAGE<TAB>NAME@DIGEST, for one IMAGE just NAME@DIGEST; digest; json; ndjson")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"text", "digest", "json", "ndjson"}))
        ->capture_default_str();
    add_common_options(*resolve_, resolve_command_.common, common_text_);
  }

  void add_pin() {
    pin_ =
        app_.add_subcommand("pin", "Write digests into manifests, compose files and Dockerfiles");
    pin_->footer(kPinExamples);
    pin_->add_option("PATH", pin_command_.paths, "Files and directories; \"-\" is standard input")
        ->type_name("")
        ->required();
    CLI::Option* in_place =
        pin_->add_flag("-i,--in-place", in_place_, "Change the files, all of them or none");
    CLI::Option* diff = pin_->add_flag("--diff", diff_, "Print what would change");
    CLI::Option* check =
        pin_->add_flag("--check", check_,
                       "Change nothing, ask no registry; exit code 1 when an image is not pinned");
    in_place->excludes(diff)->excludes(check);
    diff->excludes(check);
    pin_->add_option("-o,--output", output_, "json: print a report of every image instead")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"text", "json"}));
    pin_->add_flag(
        "--keep-going", pin_command_.keep_going,
        "Write what could be pinned although something failed; the exit code still tells");
    pin_->add_option("--style", style_, "tag: NAME:TAG@DIGEST; digest: NAME@DIGEST")
        ->type_name("STYLE")
        ->check(CLI::IsMember({"tag", "digest"}))
        ->capture_default_str();
    add_common_options(*pin_, pin_command_.common, common_text_);
  }

  Text explain(const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream err;
    if (app_.exit(error, out, err) == 0) return {out.str(), ExitCode::kDone};
    const CLI::App* at = resolve_->parsed() ? resolve_ : pin_->parsed() ? pin_ : &app_;
    const std::string name = at == &app_ ? "windlass" : "windlass " + at->get_name();
    return {format("{}: {}\nTry '{} --help'.\n", name, printable(error.what(), 1000), name),
            ExitCode::kUsage};
  }

  static Text wrong(std::string_view command, std::string_view what) {
    return {format("windlass {}: {}\nTry 'windlass {} --help'.\n", command, what, command),
            ExitCode::kUsage};
  }

  Command finish_resolve() {
    static const std::map<std::string, OutputFormat> kFormats = {{"text", OutputFormat::kText},
                                                                 {"digest", OutputFormat::kDigest},
                                                                 {"json", OutputFormat::kJson},
                                                                 {"ndjson", OutputFormat::kNdjson}};
    ResolveCommand& command = resolve_command_;
    finish_common_options(command.common, common_text_);
    command.output = kFormats.at(output_);
    if (std::erase(command.images, "-") > 0) {
      if (!command.file.empty())
        return wrong("resolve", "both \"-\" and --file name where to read from");
      command.file = "-";
    }
    if (command.images.empty() && command.file.empty()) {
      return wrong("resolve", "no image named; give image references, --file FILE, or \"-\"");
    }
    return std::move(command);
  }

  Command finish_pin() {
    PinCommand& command = pin_command_;
    finish_common_options(command.common, common_text_);
    command.json = output_ == "json";
    command.keep_tag = style_ == "tag";
    command.mode = in_place_ ? PinMode::kInPlace
                   : diff_   ? PinMode::kDiff
                   : check_  ? PinMode::kCheck
                             : PinMode::kStdout;
    return std::move(command);
  }

  CLI::App app_{"Pins container images: turns tags into digests and writes them into manifests.",
                "windlass"};
  CLI::App* resolve_ = nullptr;
  CLI::App* pin_ = nullptr;
  ResolveCommand resolve_command_;
  PinCommand pin_command_;
  CommonText common_text_;
  std::string output_ = "text";
  std::string style_ = "tag";
  bool in_place_ = false;
  bool diff_ = false;
  bool check_ = false;
};

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  using namespace std::chrono_literals;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  Duration one{};
  if (unit == "ms") one = 1ms;
  if (unit == "s" || unit.empty()) one = 1s;
  if (unit == "m" || unit == "min") one = 1min;
  if (unit == "h") one = 1h;
  const double value = number * static_cast<double>(one.count());
  // A year is more than anybody waits, and far from where the arithmetic ends.
  if (!(value >= 1) || value > static_cast<double>(Duration(8760h).count())) return std::nullopt;
  return Duration(static_cast<Duration::rep>(value));
}

Command parse_command_line(std::span<const std::string> arguments) {
  return Parser().parse(arguments);
}

}  // namespace windlass::app
