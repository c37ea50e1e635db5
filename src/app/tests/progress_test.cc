#include "progress.h"

#include <gtest/gtest.h>

#include <sstream>

namespace windlass::app {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kStart{100s};

TEST(Progress, ATerminalLineIsRenewedInPlaceAndWipedAtTheEnd) {
  std::ostringstream out;
  Progress progress(out, Progress::Style::kLine, kStart);
  progress.update(kStart + 50ms, {.done = 1, .total = 12});
  EXPECT_EQ(out.str(), "") << "quick work shows nothing";
  progress.update(kStart + 100ms, {.done = 3, .total = 12, .waiting_for = "quay.test: 503"});
  progress.update(kStart + 150ms, {.done = 4, .total = 12});
  progress.update(kStart + 200ms, {.done = 11, .total = 12});
  progress.finish();
  EXPECT_EQ(out.str(),
            "\r3/12 images, 100 ms; waiting for quay.test: 503"
            "\r11/12 images, 200 ms" +
                std::string(27, ' ') + "\r" + std::string(20, ' ') + "\r");
}

TEST(Progress, ALineNeverWrapsOnANarrowTerminal) {
  std::ostringstream out;
  Progress progress(out, Progress::Style::kLine, kStart, 20);
  progress.update(kStart + 1s,
                  {.done = 3, .total = 12, .waiting_for = "a-registry-with-a-long-name.test"});
  EXPECT_EQ(out.str(), "\r3/12 images, 1 s...");
}

TEST(Progress, ElsewhereAPlainLineNowAndThen) {
  std::ostringstream out;
  Progress progress(out, Progress::Style::kPlain, kStart);
  progress.update(kStart + 4s, {.done = 1, .total = 12});
  progress.update(kStart + 5s, {.done = 2, .total = 12});
  progress.update(kStart + 9s, {.done = 3, .total = 12});
  progress.update(kStart + 10s, {.done = 4, .total = 12});
  progress.finish();
  EXPECT_EQ(out.str(), "2/12 images, 5 s\n4/12 images, 10 s\n");
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
  progress.update(kStart + 1s, {.done = 0, .total = 1, .waiting_for = "x\x1b[2J\n"});
  EXPECT_EQ(out.str(), "\r0/1 images, 1 s; waiting for x\\x1b[2J\\n");
}

}  // namespace
}  // namespace windlass::app
