#include "command_line.h"

#include <gtest/gtest.h>

namespace windlass::app {
namespace {

using namespace std::chrono_literals;

Command parse(std::vector<std::string> arguments) { return parse_command_line(arguments); }

Text text_of(std::vector<std::string> arguments) {
  const Command command = parse(std::move(arguments));
  const Text* text = std::get_if<Text>(&command);
  return text != nullptr ? *text : Text{"(no text)", ExitCode::kInternal};
}

TEST(CommandLine, ResolveTakesImagesOptionsAndStandardInput) {
  const auto command = std::get<ResolveCommand>(
      parse({"resolve", "nginx:1.27", "-o", "ndjson", "redis:7", "--timeout", "5s", "--skip",
             "a.test", "--skip", "*.b.test", "--plain-http", "c.test:5000", "-q"}));
  EXPECT_EQ(command.images, (std::vector<std::string>{"nginx:1.27", "redis:7"}));
  EXPECT_EQ(command.output, OutputFormat::kNdjson);
  EXPECT_EQ(command.common.timeout, 5s);
  EXPECT_EQ(command.common.skip, (std::vector<std::string>{"a.test", "*.b.test"}));
  EXPECT_EQ(command.common.plain_http, std::vector<std::string>{"c.test:5000"});
  EXPECT_TRUE(command.common.quiet);
  EXPECT_EQ(std::get<ResolveCommand>(parse({"resolve", "-"})).file, "-");
}

TEST(CommandLine, PinTakesPathsAndOneMode) {
  EXPECT_EQ(std::get<PinCommand>(parse({"pin", "a.yaml"})).mode, PinMode::kStdout);
  EXPECT_EQ(std::get<PinCommand>(parse({"pin", "-i", "a", "b"})).mode, PinMode::kInPlace);
  EXPECT_EQ(std::get<PinCommand>(parse({"pin", "a", "--diff"})).mode, PinMode::kDiff);
  EXPECT_EQ(std::get<PinCommand>(parse({"pin", "a", "--check"})).mode, PinMode::kCheck);
  const auto command =
      std::get<PinCommand>(parse({"pin", "-", "-o", "json", "--style", "digest", "--keep-going"}));
  EXPECT_EQ(command.paths, std::vector<std::string>{"-"});
  EXPECT_TRUE(command.json && command.keep_going && !command.keep_tag);
}

TEST(CommandLine, WrongUsageIsToldInOneLineWithTheWayToHelp) {
  const std::pair<std::vector<std::string>, const char*> table[] = {
      {{}, "windlass: no command; there are resolve and pin\nTry 'windlass --help'.\n"},
      {{"resolve"},
       "windlass resolve: no image named; give image references, --file FILE, or \"-\"\n"},
      {{"resolve", "-", "-f", "x"},
       "windlass resolve: both \"-\" and --file name where to read from\n"},
      {{"resolve", "a", "--timeout", "0s"},
       "\\\"0s\\\" is not a time above zero, such as 500ms, 30s or 2m"},
      {{"resolve", "a", "--max-in-flight", "0"}, "not in range 1 to 10000"},
      {{"resolve", "a", "-o", "xml"}, "xml not in {"},
      {{"pin"}, "PATH is required"},
      {{"pin", "a", "-i", "--diff"}, "windlass pin: "},
      {{"pin", "a", "--nonsense"}, "--nonsense"},
      {{"fly"}, "windlass: "},
  };
  for (const auto& [arguments, part] : table) {
    const Text text = text_of(arguments);
    EXPECT_EQ(text.code, ExitCode::kUsage) << part;
    EXPECT_TRUE(text.text.contains(part)) << text.text;
    EXPECT_TRUE(text.text.contains("--help'.\n")) << text.text;
  }
}

TEST(CommandLine, HelpAndVersionAreResults) {
  EXPECT_EQ(text_of({"--version"}).code, ExitCode::kDone);
  EXPECT_TRUE(text_of({"--version"}).text.starts_with("windlass "));
  EXPECT_TRUE(text_of({"--help"}).text.contains("Exit codes:"));
  EXPECT_TRUE(text_of({"resolve", "--help"}).text.contains("windlass resolve nginx:1.27"));
  EXPECT_TRUE(text_of({"pin", "-h"}).text.contains("windlass pin --diff deploy/"));
}

TEST(ParseDuration, TakesUnitsAndRefusesWhatIsNotATime) {
  const std::pair<const char*, std::optional<Duration>> table[] = {
      {"500ms", 500ms}, {"30s", 30s},  {"2m", 2min}, {"1.5h", 90min}, {"10", 10s},
      {"0", {}},        {"-1s", {}},   {"", {}},     {"s", {}},       {"5 s", {}},
      {"5x", {}},       {"1e30h", {}}, {"nan", {}},  {"inf", {}},     {"0.0001ms", 100ns},
  };
  for (const auto& [text, duration] : table) EXPECT_EQ(parse_duration(text), duration) << text;
}

}  // namespace
}  // namespace windlass::app
