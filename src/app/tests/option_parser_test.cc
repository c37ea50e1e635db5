#include "option_parser.h"

#include <gtest/gtest.h>

#include "duration_text.h"

namespace windlass::app {
namespace {

using namespace std::chrono_literals;

struct Target {
  bool all = false;
  bool brief = false;
  std::string name;
  std::vector<std::string> tags;
};

std::vector<Option> options_of(Target& target) {
  return {{.name = "all", .letter = 'a', .excludes = {"name"}, .set = to_flag(target.all)},
          {.name = "brief", .letter = 'b', .needs = "all", .set = to_flag(target.brief)},
          {.name = "name", .letter = 'n', .value = "NAME", .set = to_value(target.name)},
          {.name = "tag", .value = "TAG", .repeats = true, .set = to_list(target.tags)}};
}

TEST(ParseArguments, OptionsAreWrittenAsGnuProgramsTakeThem) {
  const std::pair<std::vector<std::string>, std::string> table[] = {
      {{"--name", "x", "f"}, "x"}, {{"--name=x", "f"}, "x"},   {{"f", "-n", "x"}, "x"},
      {{"f", "-nx"}, "x"},         {{"--name=-x", "f"}, "-x"}, {{"-n", "--all", "f"}, "--all"}};
  for (const auto& [arguments, name] : table) {
    Target target;
    const auto parsed = parse_arguments(arguments, options_of(target));
    ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
    EXPECT_EQ(target.name, name);
    EXPECT_EQ(parsed->operands, std::vector<std::string>{"f"});
    EXPECT_TRUE(parsed->given.contains("name"));
  }
}

TEST(ParseArguments, LettersShareADashAndRepeatedOptionsAddUp) {
  Target target;
  const std::vector<std::string> arguments = {"-ab", "--tag", "1", "--tag=2", "-", "--", "--all"};
  const auto parsed = parse_arguments(arguments, options_of(target));
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_TRUE(target.all && target.brief);
  EXPECT_EQ(target.tags, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(parsed->operands, (std::vector<std::string>{"-", "--all"}));
}

TEST(ParseArguments, WhatIsWrongIsSaid) {
  const std::pair<std::vector<std::string>, const char*> table[] = {
      {{"--nmae", "x"}, "unknown option --nmae; did you mean --name?"},
      {{"-x"}, "unknown option -x"},
      {{"-\x1b"}, "unknown option -\\x1b"},
      {{"--name"}, "--name needs a NAME"},
      {{"--name="}, "--name: its value is empty"},
      {{"-n"}, "-n needs a NAME"},
      {{"--all=yes"}, "--all takes no value"},
      {{"--name", "x", "--name", "y"}, "--name is given twice"},
      {{"-a", "-n", "x"}, "--all and --name do not go together"},
      {{"-b"}, "--brief needs --all beside it"},
  };
  for (const auto& [arguments, message] : table) {
    Target target;
    const auto parsed = parse_arguments(arguments, options_of(target));
    ASSERT_FALSE(parsed.has_value()) << message;
    EXPECT_EQ(parsed.error().message, message);
  }
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
