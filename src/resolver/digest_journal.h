// DigestJournal: a file of the digests that registries told, so that a restart need not ask for all
// of them again.
//
// One line for each: a checksum, and JSON. Lines are only appended, each by one write, so a process
// that is killed leaves at most a torn last line, which is passed over. When most of the file is
// outdated it is written anew beside itself and renamed into place. Power loss may cost the latest
// lines. Two processes do not share one. No secret is in it: logins are named by a fingerprint.
//
// Not thread-safe; its members wait for the disk.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/base/time.h"
#include "windlass/registry/image_resolver.h"

namespace windlass::resolver {

// Names a lookup key in the journal: the image as it is, the rest, with the credentials' identity,
// as a fingerprint.
std::string journal_key(std::string_view lookup_key);

struct JournalEntry {
  std::string key;  // journal_key()
  registry::Resolution resolution;
  WallTime told;
};

struct JournalContents {
  std::vector<JournalEntry> entries;
  std::size_t bad_lines = 0;       // passed over: torn, too long, or not ours
  std::optional<Error> trouble{};  // with reading to the end, or with writing it anew
};

// Invariant: the file holds at most twice `entries_max` lines and those of one append(); while it
// cannot be written anew, as many as load() would read.
class DigestJournal {
 public:
  DigestJournal(std::string path, std::size_t entries_max)
      : path_(std::move(path)), entries_max_(entries_max) {}
  ~DigestJournal() { close(); }
  DigestJournal(const DigestJournal&) = delete;
  DigestJournal& operator=(const DigestJournal&) = delete;

  // What the file holds that was told after `oldest`: of each key the latest, the oldest key first,
  // at most `entries_max`. No file is an empty journal. Without trouble the file then holds just
  // these.
  JournalContents load(WallTime oldest);

  // When it fails, entries may be lost, but none of an earlier or a later call.
  Result<void> append(std::span<const JournalEntry> entries);

 private:
  std::size_t lines_max() const { return 4 * entries_max_ + 1000; }  // that are ever read
  JournalContents read();
  Result<void> compact();
  Result<void> rewrite(std::span<const JournalEntry> entries);
  Result<void> open();
  void close();

  const std::string path_;
  const std::size_t entries_max_;

  int file_ = -1;  // for appending
  std::size_t lines_ = 0;
  bool torn_ = false;         // the last line may lack its end
  std::size_t patience_ = 0;  // entries to come before it is compacted again, after a failure
  WallTime oldest_{};
};

}  // namespace windlass::resolver
