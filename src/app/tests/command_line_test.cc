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
  EXPECT_EQ(command.output, ResolveCommand::Output::kNdjson);
  EXPECT_EQ(command.common.timeout, 5s);
  EXPECT_EQ(command.common.skip, (std::vector<std::string>{"a.test", "*.b.test"}));
  EXPECT_EQ(command.common.plain_http, std::vector<std::string>{"c.test:5000"});
  EXPECT_TRUE(command.common.quiet);
  EXPECT_EQ(std::get<ResolveCommand>(parse({"resolve", "-"})).file, "-");
}

TEST(CommandLine, ResolveKnowsWhereAmongTheImagesAListIsNamed) {
  const std::pair<std::vector<std::string>, std::size_t> table[] = {
      {{"resolve", "a", "-", "b"}, 1},        {{"resolve", "-", "a", "b"}, 0},
      {{"resolve", "a", "b", "-f", "x"}, 2},  {{"resolve", "-f", "x", "a", "b"}, 0},
      {{"resolve", "a", "--file=x", "b"}, 1},
  };
  for (const auto& [arguments, before] : table) {
    const auto command = std::get<ResolveCommand>(parse(arguments));
    EXPECT_EQ(command.images, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(command.images_before_file, before) << arguments[1];
  }
}

TEST(CommandLine, PinTakesPathsAndOneMode) {
  EXPECT_EQ(std::get<PinCommand>(parse({"pin", "a.yaml"})).mode, PinMode::kStdout);
  EXPECT_EQ(std::get<PinCommand>(parse({"pin", "-i", "a", "b"})).mode, PinMode::kInPlace);
  EXPECT_EQ(std::get<PinCommand>(parse({"pin", "a", "--diff"})).mode, PinMode::kDiff);
  EXPECT_EQ(std::get<PinCommand>(parse({"pin", "a", "--check"})).mode, PinMode::kCheck);
  const auto command =
      std::get<PinCommand>(parse({"pin", "-", "-o", "json", "--style", "digest", "--keep-going"}));
  EXPECT_EQ(command.paths, std::vector<std::string>{"-"});
  EXPECT_TRUE(command.output == PinCommand::Output::kJson && command.keep_going);
  EXPECT_EQ(command.style, PinCommand::Style::kDigest);
}

TEST(CommandLine, WrongUsageIsToldInOneLineWithTheWayToHelp) {
  const std::pair<std::vector<std::string>, const char*> table[] = {
      {{}, "windlass: no command; there are resolve, pin, krm, completion, manual\n"},
      {{"resolve"},
       "windlass resolve: no image named; give image references, --file FILE, or \"-\"\n"},
      {{"resolve", "-", "-f", "x"},
       "windlass resolve: both \"-\" and --file name where to read from\n"},
      {{"resolve", "a", "--timeout", "0s"},
       "--timeout: \"0s\" is not a time above zero and up to a year, such as 500ms, 30s or 2m\n"},
      {{"resolve", "a", "--timeout", "99999999999h"}, "above zero and up to a year, such as"},
      {{"resolve", "a", "--max-in-flight", "0"},
       "--max-in-flight: \"0\" is not a number from 1 to 10000\n"},
      {{"resolve", "a", "--rate", "1e-12"}, "--rate: \"1e-12\" is not a number from 0.001 to"},
      {{"resolve", "a", "-o", "xml"}, "-o: \"xml\" is not text, digest, json or ndjson\n"},
      {{"resolve", "a", "-q", "-v"}, "--quiet and --verbose do not go together\n"},
      {{"pin"}, "windlass pin: no PATH named; give files and directories"},
      {{"pin", "a", ""}, "windlass pin: a PATH is empty"},
      {{"pin", "a", "-i", "--diff"}, "--in-place and --diff do not go together\n"},
      {{"pin", "a", "--verify"}, "--verify needs --check beside it\n"},
      {{"pin", "a", "--offline"}, "--offline needs --lock beside it\n"},
      {{"pin", "a", "--apply", "plan.json"}, "--apply takes its files from the plan"},
      {{"pin", "a", "--chekc"}, "unknown option --chekc; did you mean --check?\n"},
      {{"pin", "a", "--nonsense"}, "unknown option --nonsense\n"},
      {{"fly"}, "windlass: unknown command \"fly\"; there are resolve, pin"},
      {{"user:s3cret@host/app"}, "unknown command \"user:***@host/app\"; there are"},
      {{"resolv"}, "windlass: unknown command \"resolv\"; did you mean resolve?\n"},
      {{"completion", "csh"}, "windlass completion: name one shell: bash, zsh or fish\n"},
      {{"--nonsense"}, "windlass: unknown option --nonsense\n"},
  };
  for (const auto& [arguments, part] : table) {
    const Text text = text_of(arguments);
    EXPECT_EQ(text.code, ExitCode::kUsage) << part;
    EXPECT_TRUE(text.text.contains(part)) << text.text;
    EXPECT_TRUE(text.text.contains("--help'.\n")) << text.text;
  }
}

TEST(CommandLine, HostsAndPatternsAreLookedAtBeforeAnybodyIsAsked) {
  for (const char* option : {"--plain-http", "--tls", "--trust-realm"}) {
    for (const char* good :
         {"a.test", "a.test:5000", "A.test", "[::1]", "[::1]:5000", "10.0.0.1"}) {
      EXPECT_EQ(text_of({"resolve", "a", option, good}).text, "(no text)") << option << good;
    }
    for (const char* bad : {"", "a b", "a.test:", "a.test:x", "a.test:70000", "https://a.test",
                            "a.test/b", "::1", "user:s3cret@a.test"}) {
      const Text text = text_of({"resolve", "a", option, bad});
      EXPECT_EQ(text.code, ExitCode::kUsage) << option << bad;
      EXPECT_FALSE(text.text.contains("s3cret")) << text.text;
    }
  }
  for (const char* good : {"a.test", "a.test:5000/b/c", "*.a.test", "*.local", "docker.io",
                           "docker.io/library", "localhost", "index.docker.io", "A.test"}) {
    EXPECT_EQ(text_of({"resolve", "a", "--skip", good}).text, "(no text)") << good;
  }
  for (const char* bad : {"", "[", "nginx", "nginx/x", "*", "*.", "a b.test", "https://a.test", "/",
                          "a.test@b", "."}) {
    EXPECT_EQ(text_of({"resolve", "a", "--skip", bad}).code, ExitCode::kUsage) << bad;
  }
}

TEST(CommandLine, HelpAndVersionAreResults) {
  EXPECT_EQ(text_of({"--version"}).code, ExitCode::kDone);
  EXPECT_TRUE(text_of({"--version"}).text.starts_with("windlass "));
  EXPECT_TRUE(text_of({"--help"}).text.contains("Exit codes:"));
  EXPECT_TRUE(text_of({"resolve", "--help"}).text.contains("windlass resolve nginx:1.27"));
  const std::string help = text_of({"pin", "-h"}).text;
  EXPECT_TRUE(help.contains("windlass pin --diff deploy/"));
  EXPECT_TRUE(help.contains("[kind.local, ko.local, dev.local]")) << "what is skipped by default";
  for (const char* code : {"0", "1", "2", "3", "4", "5", "70", "130"}) {
    EXPECT_TRUE(help.contains(std::string("\n  ") + code + " ")) << code;
  }
}

}  // namespace
}  // namespace windlass::app
