#include "config_file.h"

#include <gtest/gtest.h>

#include "commands.h"

namespace windlass::app {
namespace {

using namespace std::chrono_literals;

struct Program {
  CommandTargets targets;
  std::vector<CommandSpec> commands = all_commands(targets);

  Result<void> apply(std::string_view text, const GivenOptions& given = {}) {
    return apply_config("conf.yaml", text, commands[1], commands, given);  // of pin
  }
};

TEST(ConfigFile, SetsOptionsOfEveryCommandAndOfThisOne) {
  Program program;
  const auto done = program.apply(
      "# settings\ntimeout: 10s\nskip: [a.test, '*.b.test']\nquiet: true\n"
      "pin:\n  style: comment\n  rules: r.yaml\nresolve:\n  output: json\n");
  ASSERT_TRUE(done.has_value()) << done.error().message;
  const PinCommand& pin = program.targets.pin;
  EXPECT_EQ(pin.common.timeout, 10s);
  EXPECT_EQ(pin.common.skip, (std::vector<std::string>{"a.test", "*.b.test"}));
  EXPECT_TRUE(pin.common.quiet);
  EXPECT_EQ(pin.style, PinCommand::Style::kComment);
  EXPECT_EQ(pin.rules, std::vector<std::string>{"r.yaml"});
  EXPECT_EQ(program.targets.resolve.output, ResolveCommand::Output::kText) << "not this command";
  EXPECT_TRUE(Program().apply("").has_value());
}

TEST(ConfigFile, TheCommandLineWins) {
  Program program;
  program.targets.pin.common.timeout = 1s;
  const auto done = program.apply("timeout: 10s\nskip: [a.test]\nquiet: true\n",
                                  {{"timeout", 0}, {"skip", 0}, {"verbose", 0}});
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_EQ(program.targets.pin.common.timeout, 1s);
  EXPECT_TRUE(program.targets.pin.common.skip.empty()) << "a list is replaced, not added to";
  EXPECT_FALSE(program.targets.pin.common.quiet) << "it does not go with --verbose";
}

TEST(ConfigFile, WhatIsWrongIsSaidWithItsPlaceAndTheKnownKeys) {
  const std::pair<const char*, const char*> table[] = {
      {"timeuot: 1s\n",
       "conf.yaml:1:1: unknown option \"timeuot\"; did you mean timeout?; there "
       "are timeout, max-in-flight, "},
      {"a: 1\n", "quiet, verbose, log-format, metrics-file, trace-endpoint, resolve, pin, krm"},
      {"style: tag\n", "conf.yaml:1:1: unknown option \"style\""},
      {"pin:\n  sytle: tag\n", "conf.yaml:2:3: unknown option \"sytle\"; did you mean style?"},
      {"pin:\n  in-place: true\n", "conf.yaml:2:3: unknown option \"in-place\""},
      {"timeout: never\n", "conf.yaml:1:10: timeout: \"never\" is not a time above zero"},
      {"timeout: [1s]\n", "conf.yaml:1:10: timeout takes one value"},
      {"timeout:\n", "conf.yaml:1:9: timeout needs a value"},
      {"skip: {a: b}\n", "conf.yaml:1:7: skip takes one value"},
      {"quiet: yes\n", "conf.yaml:1:8: quiet: expected true or false"},
      {"- a\n", "conf.yaml:1:1: expected options"},
      {"timeout: 1s\ntimeout: 2s\n", "conf.yaml:2:1: the key \"timeout\" stands here twice"},
      {"a: [\n", "conf.yaml:2:1: "},
  };
  for (const auto& [text, part] : table) {
    const auto done = Program().apply(text);
    ASSERT_FALSE(done.has_value()) << text;
    EXPECT_TRUE(done.error().message.contains(part)) << done.error().message;
  }
}

}  // namespace
}  // namespace windlass::app
