// FileReplacement: new contents for a file, put in place at once or not at all.
//
// The bytes are written beside the file; commit_all() renames. A reader sees the old file or the
// new one, never a part. Several files change together as nearly as a file system allows: prepare
// all, sync_all(), commit_all(). The old files are kept, under names beside them, until all are in
// place.
//
// Permissions are kept, ownership and extended attributes (access control lists) where the system
// lets us; a symbolic link stays and its target changes; other names of the file (hard links) keep
// the old contents.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/app/interruption.h"
#include "windlass/base/result.h"

namespace windlass::app {

// What a file was at one moment: another stamp later means that somebody has changed it.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  // 0: there is no such file
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;

  static FileStamp of(const std::string& path);

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// What became of a commit.
struct Committed {
  std::vector<Error> errors;         // one for each file that failed, or could not be put back
  std::vector<std::string> written;  // paths whose files are new now
};

class FileReplacement {
 public:
  // kForbidden or kUnavailable, naming the file, when the bytes cannot be written beside it. A file
  // that is not there is made. `stamp` is what the file was when its contents were read.
  static Result<FileReplacement> prepare(const std::string& path, std::string_view bytes,
                                         const FileStamp& stamp, Interruption& interruption);

  FileReplacement(FileReplacement&& other) noexcept;
  FileReplacement& operator=(FileReplacement&&) = delete;
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  // Removes what was prepared and not committed.
  ~FileReplacement();

  const std::string& path() const { return path_; }
  const FileStamp& stamp() const { return stamp_; }
  std::uint64_t names() const { return names_; }  // of the old file: more with hard links
  bool is_in_place() const { return in_place_; }

  // Names of extended attributes of the old file that the new one could not be given.
  const std::vector<std::string>& lost_attributes() const { return lost_attributes_; }

  // The same text for all paths that lead to one file, through symbolic links; not for its other
  // names, which are files of their own once one of them is replaced.
  static std::string identity_of(const std::string& path);

  // Makes what was prepared safe against a loss of power. kUnavailable when the disk refuses.
  static Result<void> sync_all(std::span<const FileReplacement> prepared);

  // What to do with the others when one file cannot be put in place.
  enum class OnFailure { kPutBack, kKeepGoing };

  // Puts all in place. A file fails that is no longer what it was (kConflict), or cannot be
  // renamed; kPutBack then gives the others their old contents again. kCancelled when the process
  // is ending.
  static Committed commit_all(std::span<FileReplacement> prepared, OnFailure on_failure,
                              Interruption& interruption);

 private:
  FileReplacement(std::string path, std::filesystem::path target, std::filesystem::path prepared,
                  const FileStamp& stamp, Interruption& interruption);

  Result<void> check_unchanged() const;
  Result<void> put_in_place();
  Result<void> put_back();
  void remove_prepared();
  void forget_prepared();

  std::string path_;
  std::filesystem::path target_;
  std::filesystem::path prepared_;  // once in place: the old file, or empty
  bool in_place_ = false;
  FileStamp stamp_;
  std::uint64_t names_ = 1;
  std::vector<std::string> lost_attributes_;
  Interruption* interruption_;
};

}  // namespace windlass::app
