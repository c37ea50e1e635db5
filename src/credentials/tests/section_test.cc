#include "windlass/credentials/section.h"

#include <gtest/gtest.h>

namespace windlass::credentials {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(Section, ReadsMembersByType) {
  const Result<Value> value = parse_yaml(
      "name: 12\nflag: true\nwait: 1h30m\nlist: [a, 1]\nsub: {key: v}\nsubs:\n- key: 1\n- key: 2\n"
      "none: ~\n",
      "file");
  Section::Problems problems;
  const Section section(*value, "file", "", problems);
  EXPECT_EQ(section.text("name"), "12");
  EXPECT_EQ(section.secret("name").reveal(), "12");
  EXPECT_TRUE(section.flag("flag"));
  EXPECT_FALSE(section.flag("absent"));
  EXPECT_EQ(section.duration("wait"), minutes(90));
  EXPECT_EQ(section.texts("list"), (std::vector<std::string>{"a", "1"}));
  EXPECT_EQ(section.section("sub")->text("key"), "v");
  EXPECT_EQ(section.sections("subs").at(1).path(), "subs[1]");
  EXPECT_FALSE(section.has("none"));
  EXPECT_EQ(section.others({"name", "flag", "wait", "list", "sub", "subs"}),
            std::vector<std::string>{"none"});
  EXPECT_TRUE(problems.empty());
}

TEST(Section, WrongTypesAreNotedWithLineAndPathAndNoValue) {
  const Result<Value> value = parse_yaml(
      "name: [canary]\nflag: canary\nwait: canary\nlist: canary\nsub: canary\nsubs: [canary]\n",
      "file");
  Section::Problems problems;
  const Section section(*value, "file", "top", problems);
  EXPECT_EQ(section.text("name"), "");
  EXPECT_FALSE(section.flag("flag"));
  EXPECT_FALSE(section.duration("wait"));
  EXPECT_TRUE(section.texts("list").empty());
  EXPECT_FALSE(section.section("sub"));
  EXPECT_EQ(section.sections("subs").size(), 1U);
  const Section::Problems expected = {
      "file:1: top.name: a text is expected",
      "file:2: top.flag: true or false is expected",
      "file:3: top.wait: a duration such as 10m or 1h30m is expected",
      "file:4: top.list: a list is expected",
      "file:5: top.sub: a mapping is expected",
      "file:6: top.subs[0]: a mapping is expected",
  };
  EXPECT_EQ(problems, expected);
}

TEST(GoDuration, IsReadAsGoReadsIt) {
  const std::pair<std::string_view, Duration> good[] = {
      {"0", {}},
      {"0s", {}},
      {"10m", minutes(10)},
      {"12h", hours(12)},
      {"1h30m", minutes(90)},
      {"1.5s", milliseconds(1500)},
      {"+5s", seconds(5)},
      {"5m0s", minutes(5)},
      {".5s", milliseconds(500)},
      {"100ms", milliseconds(100)},
      {"3ns", Duration(3)},
      {"2us", Duration(2000)},
      {"2\u00b5s", Duration(2000)},
  };
  for (const auto& [text, duration] : good) EXPECT_EQ(parse_go_duration(text), duration) << text;
  for (const std::string_view text :
       {"", "5", "-5s", "s", "5x", "5m5", "1e3s", "inf", "nan", "0x1s", "99999999999h", "5 s", "."})
    EXPECT_FALSE(parse_go_duration(text)) << text;
}

}  // namespace
}  // namespace windlass::credentials
