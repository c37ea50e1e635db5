#include "progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace windlass::app {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kStart{100s};

const std::string kWipe = "\r\x1b[K";

TEST(Progress, TerminalLinesAreRenewedInPlaceAndWipedAtTheEnd) {
  std::ostringstream out;
  Progress progress(out, Progress::Style::kLine, kStart);
  progress.update(kStart + 50ms, {.done = 1, .total = 12});
  EXPECT_EQ(out.str(), "") << "quick work shows nothing";
  progress.update(kStart + 100ms, {.done = 3, .total = 12, .troubles = {{"quay.test", "503"}}});
  progress.update(kStart + 150ms, {.done = 4, .total = 12});
  progress.update(kStart + 200ms, {.done = 11, .total = 12, .asking = "a.test/b:1"});
  progress.finish();
  EXPECT_EQ(out.str(), kWipe + "quay.test: 503\n3/12 images, 100 ms; waiting: 503" +  //
                           kWipe + "\x1b[A" + kWipe +
                           "11/12 images, 200 ms; asking for a.test/b:1" + kWipe);
}

TEST(Progress, EachRegistryInTroubleHasALineUpToABound) {
  std::ostringstream out;
  Progress progress(out, Progress::Style::kLine, kStart);
  Progress::State state{.done = 0, .total = 20};
  for (int i = 0; i < 20; ++i) state.troubles.push_back({std::to_string(i) + ".test", "429"});
  progress.update(kStart + 1s, state);
  const std::string text = out.str();
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), Progress::kTroublesMax);
}

TEST(Progress, ALineNeverWrapsOnANarrowTerminal) {
  std::ostringstream out;
  Progress progress(out, Progress::Style::kLine, kStart, 20);
  progress.update(kStart + 1s,
                  {.done = 3, .total = 12, .asking = "a-registry-with-a-long-name.test"});
  EXPECT_EQ(out.str(), kWipe + "3/12 images, 1 s...");
}

TEST(Progress, ElsewhereAPlainLineNowAndThen) {
  std::ostringstream out;
  Progress progress(out, Progress::Style::kPlain, kStart);
  progress.update(kStart + 4s, {.done = 1, .total = 12});
  progress.update(kStart + 5s, {.done = 2, .total = 12, .troubles = {{"q.test", "503"}}});
  progress.update(kStart + 9s, {.done = 3, .total = 12});
  progress.update(kStart + 10s, {.done = 4, .total = 12});
  progress.finish();
  EXPECT_EQ(out.str(), "2/12 images, 5 s; q.test: 503\n4/12 images, 10 s\n");
}

TEST(Progress, APlainLineAtOnceWhenItIsAskedFor) {
  std::ostringstream out;
  Progress progress(out, Progress::Style::kPlainAtOnce, kStart);
  progress.update(kStart, {.done = 0, .total = 2});
  progress.update(kStart + 1s, {.done = 1, .total = 2});
  progress.update(kStart + 5s, {.done = 1, .total = 2});
  EXPECT_EQ(out.str(), "0/2 images, 0 s\n1/2 images, 5 s\n");
}

TEST(Progress, QuietSaysNothing) {
  std::ostringstream out;
  Progress progress(out, Progress::Style::kNone, kStart);
  progress.update(kStart + 1h, {.done = 1, .total = 12});
  progress.finish();
  EXPECT_EQ(out.str(), "");
}

TEST(Progress, ControlCharactersOfARegistryNeverReachTheTerminal) {
  std::ostringstream out;
  Progress progress(out, Progress::Style::kLine, kStart);
  progress.update(kStart + 1s, {.done = 0, .total = 1, .asking = "x\x1b[2J\n"});
  EXPECT_EQ(out.str(), kWipe + "0/1 image, 1 s; asking for x\\x1b[2J\\n");
}

}  // namespace
}  // namespace windlass::app
