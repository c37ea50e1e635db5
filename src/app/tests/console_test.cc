#include "console.h"

#include <gtest/gtest.h>

#include <sstream>

#include "windlass/base/testing/fake_clock.h"

namespace windlass::app {
namespace {

using namespace std::chrono_literals;

class ConsoleTest : public testing::Test {
 protected:
  std::string said(Loudness loudness) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    const Streams streams{.in = in, .out = out, .err = err};
    Console console(streams, clock_, loudness, Progress::Style::kLine);
    console.error("e");
    console.warning("w");
    console.note("n");
    console.detail("d");
    console.Logger::warn("slow", {{"host", "a\nb"}, {"tries", std::int64_t{2}}});
    console.Logger::debug("asked");
    EXPECT_EQ(out.str(), "");
    return err.str();
  }

  FakeClock clock_;
};

TEST_F(ConsoleTest, SaysAsMuchAsWasAskedFor) {
  EXPECT_EQ(said(Loudness::kQuiet), "windlass: error: e\n");
  EXPECT_EQ(said(Loudness::kNormal),
            "windlass: error: e\nwindlass: warning: w\nwindlass: n\n"
            "windlass: warning: slow host=a\\nb tries=2\n");
  EXPECT_EQ(said(Loudness::kVerbose),
            "windlass: error: e\nwindlass: warning: w\nwindlass: n\nwindlass: d\n"
            "windlass: warning: slow host=a\\nb tries=2\nwindlass: debug: asked\n");
}

TEST_F(ConsoleTest, WhatIsEscapedInAMessageIsNotEscapedAgain) {
  std::istringstream in;
  std::ostringstream err;
  const Streams streams{.in = in, .out = err, .err = err};
  Console console(streams, clock_, Loudness::kNormal, Progress::Style::kNone);
  console.Logger::warn("bad \"a\\x1b\"", {{"reason", "\"b\"\n"}});
  EXPECT_EQ(err.str(), "windlass: warning: bad \"a\\x1b\" reason=\"b\"\\n\n");
}

TEST_F(ConsoleTest, LinesForMachinesAreJson) {
  std::istringstream in;
  std::ostringstream err;
  const Streams streams{.in = in, .out = err, .err = err};
  Console console(streams, clock_, Loudness::kNormal, Progress::Style::kNone,
                  Console::Format::kJson);
  console.error("bad \"a\"");
  console.Logger::warn("slow", {{"host", "h"}, {"tries", 2}, {"again", true}});
  const std::string lines = err.str();
  EXPECT_TRUE(lines.contains(R"(,"level":"error","message":"bad \"a\""})")) << lines;
  EXPECT_TRUE(
      lines.contains(R"(,"level":"warning","message":"slow","host":"h","tries":2,"again":true})"))
      << lines;
}

TEST_F(ConsoleTest, ALineWipesTheProgressFirst) {
  std::istringstream in;
  std::ostringstream err;
  Console console({.in = in, .out = err, .err = err}, clock_, Loudness::kNormal,
                  Progress::Style::kLine);
  clock_.advance(1s);
  console.show_progress({.done = 0, .total = 2});
  console.error("no");
  EXPECT_EQ(err.str(), "\r\x1b[K0/2 images, 1 s\r\x1b[Kwindlass: error: no\n");
}

}  // namespace
}  // namespace windlass::app
