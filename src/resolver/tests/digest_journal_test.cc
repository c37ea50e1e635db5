#include "digest_journal.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <semaphore>
#include <tuple>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/base/testing/temporary_folder.h"
#include "windlass/resolver/background_resolver.h"
#include "windlass/resolver/testing/scripted_image_resolver.h"
#include "windlass/telemetry/testing/recording_logger.h"

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

// While it lives, no file of this process grows beyond `bytes`: writes break off there.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

class DigestJournalTest : public testing::Test {
 protected:
  // "image@second", in order.
  std::vector<std::string> load(int oldest = 0, std::size_t entries_max = 10) {
    DigestJournal journal(path_, entries_max);
    const JournalContents contents = journal.load(WallTime(seconds(oldest)));
    EXPECT_FALSE(contents.trouble.has_value());
    bad_lines_ = contents.bad_lines;
    std::vector<std::string> all;
    for (const JournalEntry& one : contents.entries) {
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
    EXPECT_TRUE(journal.load({}).entries.empty());
    EXPECT_TRUE(journal.append(std::vector{entry("r.test/a", 1), entry("r.test/b", 2)}));
    EXPECT_TRUE(journal.append(std::vector{entry("r.test/a", 3)}));
  }
  DigestJournal journal(path_, 10);
  const JournalContents contents = journal.load({});
  ASSERT_EQ(contents.entries.size(), 2U);
  const JournalEntry& last = contents.entries.back();
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

TEST_F(DigestJournalTest, AFileThatCannotBeIsToldByItsName) {
  DigestJournal journal(folder_.path("no/such/folder"), 10);
  const JournalContents contents = journal.load({});
  ASSERT_TRUE(contents.trouble.has_value());
  EXPECT_EQ(contents.trouble->code, ErrorCode::kUnavailable);
  EXPECT_NE(contents.trouble->message.find("no/such/folder"), std::string::npos);
}

TEST_F(DigestJournalTest, AWriteThatBreaksOffCostsOnlyItsOwnDigest) {
  DigestJournal journal(path_, 10);
  EXPECT_TRUE(journal.append(std::vector{entry("r.test/a", 1)}));
  {
    const FileSizeLimit limit(text().size() + 20);
    EXPECT_FALSE(journal.append(std::vector{entry("r.test/b", 2)}));
  }
  EXPECT_TRUE(journal.append(std::vector{entry("r.test/c", 3)}));
  EXPECT_EQ(load(), (std::vector<std::string>{"a@1", "c@3"}));
}

TEST_F(DigestJournalTest, ATornLineThatCannotBeTakenOutCostsOnlyItself) {
  std::ofstream(path_, std::ios::binary) << "torn";
  std::filesystem::create_directory(path_ + ".new");
  DigestJournal journal(path_, 10);
  std::ignore = journal.load({});
  EXPECT_TRUE(journal.append(std::vector{entry("r.test/a", 1)}));
  std::filesystem::remove(path_ + ".new");
  EXPECT_EQ(load(), std::vector<std::string>{"a@1"});
}

TEST_F(DigestJournalTest, WhatCannotBeWrittenAnewIsNotReadAgainForEachDigest) {
  std::filesystem::create_directory(path_ + ".new");
  DigestJournal journal(path_, 10);
  int failures = 0;
  for (int i = 1; i <= 40; ++i)
    failures += journal.append(std::vector{entry("r.test/i" + std::to_string(i), i)}) ? 0 : 1;
  EXPECT_GE(failures, 1);
  EXPECT_LE(failures, 3);
  std::filesystem::remove(path_ + ".new");
  for (int i = 41; i <= 70; ++i)
    EXPECT_TRUE(journal.append(std::vector{entry("r.test/i" + std::to_string(i), i)}));
  EXPECT_LE(std::ranges::count(text(), '\n'), 21);
  EXPECT_EQ(load().back(), "i70@70");
}

TEST_F(DigestJournalTest, ItsSizeIsBoundedEvenWhereItCannotBeWrittenAnew) {
  std::filesystem::create_directory(path_ + ".new");
  DigestJournal journal(path_, 10);
  int appended = 0;
  while (appended < 2000) {
    std::vector<JournalEntry> more;
    for (int i = 0; i < 10; ++i) more.push_back(entry("r.test/app", ++appended));
    std::ignore = journal.append(more);
  }
  EXPECT_LE(std::ranges::count(text(), '\n'), 4 * 10 + 1000);
  std::filesystem::remove(path_ + ".new");
  for (int i = 1; i <= 20; ++i) std::ignore = journal.append(std::vector{entry("r.test/b", i)});
  EXPECT_TRUE(journal.append(std::vector{entry("r.test/c", 6000)}));
  EXPECT_LE(std::ranges::count(text(), '\n'), 21);
  EXPECT_EQ(load().back(), "c@6000");
}

TEST_F(DigestJournalTest, ALineThatDoesNotEndCostsOnlyItself) {
  {
    DigestJournal journal(path_, 10);
    EXPECT_TRUE(journal.append(std::vector{entry("r.test/a", 1)}));
  }
  const std::string good = text();
  std::ofstream(path_, std::ios::binary) << std::string(100'000, 'x') << '\n' << good;
  EXPECT_EQ(load(), std::vector<std::string>{"a@1"});
  EXPECT_EQ(bad_lines_, 1U);
}

TEST_F(DigestJournalTest, AnEndlessLineIsNotReadToItsEnd) {
  std::filesystem::create_symlink("/dev/zero", path_);
  EXPECT_TRUE(load(0, 1).empty());
  EXPECT_EQ(bad_lines_, 1U);
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
  OneRun(FakeClock& clock, const std::string& file,
         telemetry::Logger& logger = telemetry::null_logger())
      : resolver_(
            clock, images_, options(file), [this](const std::string&) { called_.release(); },
            logger) {
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

TEST_F(DigestJournalTest, ARestartUsesWhatItReadsWhereItCannotWriteAndTellsSo) {
  FakeClock clock;
  EXPECT_TRUE(OneRun(clock, path_).asks("r.test/app"));
  std::filesystem::create_directory(path_ + ".new");
  telemetry::RecordingLogger logger;
  OneRun run(clock, path_, logger);
  EXPECT_FALSE(run.asks("r.test/app"));
  EXPECT_EQ(logger.lines().size(), 1U);
  EXPECT_TRUE(logger.holds(path_ + ".new"));
}

}  // namespace
}  // namespace windlass::resolver
