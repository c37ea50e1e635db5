#include "digest_journal.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <fstream>
#include <iterator>
#include <semaphore>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/base/testing/temporary_folder.h"
#include "windlass/resolver/background_resolver.h"
#include "windlass/resolver/testing/scripted_image_resolver.h"

namespace windlass::resolver {
namespace {

using std::chrono::seconds;

JournalEntry entry(const std::string& image, int told, const std::string& who = "") {
  const auto reference = image::ImageReference::parse(image).value();
  JournalEntry entry{.key = journal_key(reference.normalised() + "\n\n" + who),
                     .resolution = resolution_for(reference),
                     .told = WallTime(seconds(told))};
  entry.resolution.size = 1234;
  entry.resolution.mirror = "mirror.test/" + image;
  return entry;
}

class DigestJournalTest : public testing::Test {
 protected:
  // "image@second", in order.
  std::vector<std::string> load(int oldest = 0, std::size_t entries_max = 10) {
    DigestJournal journal(path_, entries_max);
    const auto entries = journal.load(WallTime(seconds(oldest)));
    EXPECT_TRUE(entries.has_value());
    bad_lines_ = journal.bad_lines();
    std::vector<std::string> all;
    for (const JournalEntry& one : *entries) {
      const auto told = std::chrono::duration_cast<seconds>(one.told.time_since_epoch()).count();
      all.push_back(one.resolution.reference.repository() + "@" + std::to_string(told));
    }
    return all;
  }
  std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("digests");
  std::size_t bad_lines_ = 0;
};

TEST_F(DigestJournalTest, GivesBackWhatWasAppended) {
  {
    DigestJournal journal(path_, 10);
    EXPECT_TRUE(journal.load({})->empty());
    EXPECT_TRUE(journal.append(std::vector{entry("r.test/a", 1), entry("r.test/b", 2)}));
    EXPECT_TRUE(journal.append(std::vector{entry("r.test/a", 3)}));
  }
  DigestJournal journal(path_, 10);
  const auto entries = journal.load({});
  ASSERT_TRUE(entries.has_value());
  ASSERT_EQ(entries->size(), 2U);
  const JournalEntry& last = entries->back();
  const JournalEntry wanted = entry("r.test/a", 3);
  EXPECT_EQ(last.key, wanted.key);
  EXPECT_EQ(last.told, wanted.told);
  EXPECT_EQ(last.resolution.digest, wanted.resolution.digest);
  EXPECT_EQ(last.resolution.reference.normalised(), "r.test/a:latest");
  EXPECT_EQ(last.resolution.media_type, wanted.resolution.media_type);
  EXPECT_EQ(last.resolution.size, 1234U);
  EXPECT_EQ(last.resolution.mirror, "mirror.test/r.test/a");
  EXPECT_EQ(last.resolution.credential_source, wanted.resolution.credential_source);
}

TEST_F(DigestJournalTest, WhatIsTooOldIsLeftOut) {
  {
    DigestJournal journal(path_, 10);
    EXPECT_TRUE(journal.append(std::vector{entry("r.test/a", 1), entry("r.test/b", 20)}));
  }
  EXPECT_EQ(load(10), std::vector<std::string>{"b@20"});
  EXPECT_EQ(load(0), std::vector<std::string>{"b@20"});  // and is no longer in the file
}

TEST_F(DigestJournalTest, ATornLastLineCostsOnlyItself) {
  {
    DigestJournal journal(path_, 10);
    EXPECT_TRUE(journal.append(std::vector{entry("r.test/a", 1), entry("r.test/b", 2)}));
  }
  const std::string whole = text();
  const std::size_t first = whole.find('\n') + 1;
  for (std::size_t cut = first; cut < whole.size() - 1; cut += 23) {
    std::ofstream(path_, std::ios::binary) << whole.substr(0, cut);
    ASSERT_EQ(load(), std::vector<std::string>{"a@1"}) << cut;
    ASSERT_EQ(bad_lines_, cut > first ? 1U : 0U);
  }
}

TEST_F(DigestJournalTest, AFlippedByteCostsOnlyItsLine) {
  {
    DigestJournal journal(path_, 10);
    EXPECT_TRUE(journal.append(std::vector{entry("r.test/a", 1), entry("r.test/b", 2)}));
  }
  const std::string whole = text();
  for (std::size_t at = 0; at < whole.find('\n'); at += 61) {
    std::string flipped = whole;
    flipped[at] ^= 1;
    std::ofstream(path_, std::ios::binary) << flipped;
    ASSERT_EQ(load(), std::vector<std::string>{"b@2"}) << at;
  }
}

TEST_F(DigestJournalTest, ItsSizeIsBoundedAndTheLatestStay) {
  {
    DigestJournal journal(path_, 10);
    for (int i = 1; i <= 100; ++i)
      EXPECT_TRUE(journal.append(std::vector{entry("r.test/i" + std::to_string(i % 15), i)}));
    EXPECT_LE(std::ranges::count(text(), '\n'), 21);
  }
  const std::vector<std::string> kept = load();
  EXPECT_EQ(kept.size(), 10U);
  EXPECT_EQ(kept.back(), "i10@100");
  EXPECT_EQ(kept.front(), "i1@91");
}

TEST_F(DigestJournalTest, LoginsAreNamedByAFingerprint) {
  const JournalEntry alice = entry("r.test/a", 1, "alice");
  EXPECT_NE(alice.key, entry("r.test/a", 1).key);
  EXPECT_NE(alice.key, entry("r.test/a", 1, "bob").key);
  DigestJournal journal(path_, 10);
  EXPECT_TRUE(journal.append(std::vector{alice}));
  EXPECT_EQ(text().find("alice"), std::string::npos);
}

TEST_F(DigestJournalTest, AFileThatIsNoneIsRefusedByItsName) {
  DigestJournal journal(folder_.path("no/such/folder"), 10);
  const auto entries = journal.load({});
  ASSERT_FALSE(entries.has_value());
  EXPECT_EQ(entries.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(entries.error().message.find("no/such/folder"), std::string::npos);
}

TEST_F(DigestJournalTest, AProcessThatIsKilledLeavesAllThatItAppended) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    DigestJournal journal(path_, 100'000);
    for (int i = 1;; ++i) {
      if (!journal.append(std::vector{entry("r.test/i" + std::to_string(i), i)})) ::_exit(1);
      if (::write(pipe[1], "x", 1) != 1) ::_exit(1);
    }
  }
  std::array<char, 1> done{};
  for (int i = 0; i < 200; ++i) ASSERT_EQ(::read(pipe[0], done.data(), 1), 1);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(pipe[0]);
  ::close(pipe[1]);
  const std::vector<std::string> kept = load(0, 100'000);
  EXPECT_GE(kept.size(), 200U);
  for (std::size_t i = 0; i < kept.size(); ++i)
    ASSERT_EQ(kept[i], "i" + std::to_string(i + 1) + "@" + std::to_string(i + 1));
  EXPECT_LE(bad_lines_, 1U);
}

// A resolver that lives for one question, as a process would.
class OneRun {
 public:
  OneRun(FakeClock& clock, const std::string& file)
      : resolver_(clock, images_, options(file),
                  [this](const std::string&) { called_.release(); }) {
    images_.answer_at_once([this](const image::ImageReference& reference) {
      ++asked_;
      return resolution_for(reference);
    });
  }

  // Whether a registry was asked.
  bool asks(const std::string& image, const std::string& identity = "") {
    asked_ = 0;
    ResolveOptions options;
    options.credentials.identity = identity;
    const std::vector<std::string> images = {image};
    resolver_.resolve(image + identity, images, options);
    called_.acquire();
    const std::optional<Answer> answer = resolver_.resolve(image + identity, images, options);
    EXPECT_TRUE(answer && answer->images[0].resolved());
    EXPECT_EQ(answer->images[0].resolution->digest,
              resolution_for(*image::ImageReference::parse(image)).digest);
    EXPECT_EQ(answer->images[0].cached, asked_ == 0);
    return asked_ > 0;
  }

 private:
  static Options options(const std::string& file) {
    Options options;
    options.seed = 1;
    options.journal.file = file;
    return options;
  }

  std::atomic<int> asked_ = 0;
  std::binary_semaphore called_{0};
  ScriptedImageResolver images_;
  BackgroundResolver resolver_;
};

TEST_F(DigestJournalTest, ARestartAsksOnlyForWhatIsNewOrOld) {
  FakeClock clock;
  EXPECT_TRUE(OneRun(clock, path_).asks("r.test/app"));
  clock.advance(std::chrono::minutes(2));
  {
    OneRun run(clock, path_);
    EXPECT_FALSE(run.asks("r.test/app"));
    EXPECT_TRUE(run.asks("r.test/other"));
    EXPECT_TRUE(run.asks("r.test/app", "alice"));
  }
  EXPECT_FALSE(OneRun(clock, path_).asks("r.test/app", "alice"));
  clock.advance(std::chrono::minutes(8));
  EXPECT_TRUE(OneRun(clock, path_).asks("r.test/app"));
}

}  // namespace
}  // namespace windlass::resolver
