#include "file_replacement.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <set>
#include <system_error>
#include <utility>

#include "file_attributes.h"
#include "windlass/base/file.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace fs = std::filesystem;
namespace {

// From so many files on, one flush of a whole file system is quicker than one for each file.
constexpr std::size_t kSyncEachMax = 32;

constexpr mode_t kPermissionsOfNew = 0666;
constexpr const char* kTemporaryName = ".windlass-XXXXXX";

std::string reason_of(int error_number) {
  return std::error_code(error_number, std::generic_category()).message();
}

std::unexpected<Error> cannot_write(const fs::path& path, int error_number) {
  const bool denied = error_number == EACCES || error_number == EPERM || error_number == EROFS;
  return fail(denied ? ErrorCode::kForbidden : ErrorCode::kUnavailable,
              format("{}: cannot be written: {}; the file is unchanged", printable(path.native()),
                     reason_of(error_number)));
}

// `path` through all links; the part of it that exists, at least.
fs::path canonical(const std::string& path) {
  std::error_code unused;
  fs::path target = fs::weakly_canonical(path, unused);
  return target.empty() ? fs::path(path) : target;
}

// Permissions and, as far as we may, owner, group and attributes of the file that is replaced.
// `lost` names attributes that are not kept.
bool take_after(int file, const fs::path& target, const struct stat* old,
                std::vector<std::string>& lost) {
  if (old == nullptr) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return ::fchmod(file, kPermissionsOfNew & ~mask) == 0;
  }
  if (::fchown(file, old->st_uid, old->st_gid) != 0 &&
      ::fchown(file, static_cast<uid_t>(-1), old->st_gid) != 0) {
    errno = 0;
  }
  lost = copy_attributes(target.c_str(), file);
  return ::fchmod(file, old->st_mode & 07777U) == 0;
}

// Runs `flush` (fsync or syncfs) on a file.
bool flush_file(const fs::path& path, int (*flush)(int)) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = flush(file) == 0;
  const int error_number = errno;
  ::close(file);
  errno = error_number;
  return done;
}

}  // namespace

FileStamp FileStamp::of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = status.st_size,
          .modified_ns = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

std::string FileReplacement::identity_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || status.st_nlink > 1) return canonical(path).native();
  return format("{}:{}", status.st_dev, status.st_ino);
}

Result<FileReplacement> FileReplacement::prepare(const std::string& path, std::string_view bytes,
                                                 const FileStamp& stamp,
                                                 Interruption& interruption) {
  // Links are followed to what is really replaced.
  struct stat old{};
  const bool is_link = ::lstat(path.c_str(), &old) == 0 && S_ISLNK(old.st_mode);
  fs::path target = is_link ? canonical(path) : fs::path(path);
  const bool is_new = ::stat(target.c_str(), &old) != 0;
  if (is_new && errno != ENOENT) return cannot_write(path, errno);
  // A rename would replace a file that its owner made read-only.
  if (!is_new && ::access(target.c_str(), W_OK) != 0) return cannot_write(path, errno);

  // The target's own name may be as long as names can be.
  std::string name = (target.parent_path() / kTemporaryName).native();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return cannot_write(path, errno);
  FileReplacement replacement(path, std::move(target), name, stamp, interruption);
  if (!is_new) replacement.names_ = old.st_nlink;
  const bool written =
      write_all(file, bytes) &&
      take_after(file, replacement.target_, is_new ? nullptr : &old, replacement.lost_attributes_);
  const int error_number = errno;
  if (::close(file) != 0 || !written) return cannot_write(path, written ? errno : error_number);
  return replacement;
}

FileReplacement::FileReplacement(std::string path, fs::path target, fs::path prepared,
                                 const FileStamp& stamp, Interruption& interruption)
    : path_(std::move(path)),
      target_(std::move(target)),
      prepared_(std::move(prepared)),
      stamp_(stamp),
      interruption_(&interruption) {
  interruption_->add_temporary(prepared_);
}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      prepared_(std::exchange(other.prepared_, {})),
      in_place_(other.in_place_),
      stamp_(other.stamp_),
      names_(other.names_),
      lost_attributes_(std::move(other.lost_attributes_)),
      interruption_(other.interruption_) {}

FileReplacement::~FileReplacement() { remove_prepared(); }

void FileReplacement::remove_prepared() {
  if (prepared_.empty()) return;
  ::unlink(prepared_.c_str());
  forget_prepared();
}

void FileReplacement::forget_prepared() {
  interruption_->forget_temporary(prepared_);
  prepared_.clear();
}

Result<void> FileReplacement::sync_all(std::span<const FileReplacement> prepared) {
  std::set<std::uint64_t> flushed;
  const bool whole_disks = prepared.size() > kSyncEachMax;
  for (const FileReplacement& file : prepared) {
    if (whole_disks && !flushed.insert(FileStamp::of(file.prepared_).device).second) continue;
    if (!flush_file(file.prepared_, whole_disks ? ::syncfs : ::fsync)) {
      return cannot_write(file.path_, errno);
    }
  }
  return {};
}

Result<void> FileReplacement::check_unchanged() const {
  if (FileStamp::of(target_) == stamp_) return {};
  return fail(ErrorCode::kConflict,
              format("{}: somebody else changed it meanwhile; run again", printable(path_)));
}

Result<void> FileReplacement::put_in_place() {
  if (auto same = check_unchanged(); !same) return same;
  const char* const from = prepared_.c_str();
  const char* const to = target_.c_str();
  // Where a file system cannot exchange two files, the old one is lost and this cannot be undone.
  const bool is_new = stamp_ == FileStamp();
  const bool exchanged = !is_new && ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
  if (!exchanged) {
    const bool knows_none = errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
    if (!is_new && !knows_none) return cannot_write(path_, errno);
    if (::rename(from, to) != 0) return cannot_write(path_, errno);
    forget_prepared();
  }
  in_place_ = true;
  return {};
}

Result<void> FileReplacement::put_back() {
  const bool was_new = stamp_ == FileStamp();
  int error_number = EOPNOTSUPP;
  if (was_new || !prepared_.empty()) {
    const int failed =
        was_new ? ::unlink(target_.c_str()) : ::rename(prepared_.c_str(), target_.c_str());
    error_number = failed == 0 ? 0 : errno;
  }
  if (error_number == 0) {
    in_place_ = false;
    forget_prepared();
    return {};
  }
  std::string where;
  if (!prepared_.empty()) where = "; its old contents are in " + printable(prepared_.native());
  forget_prepared();  // which then are more than a trace
  return fail(ErrorCode::kUnavailable,
              format("{}: was changed before another file failed, and cannot be put back: {}{}",
                     printable(path_), reason_of(error_number), where));
}

Committed FileReplacement::commit_all(std::span<FileReplacement> prepared, OnFailure on_failure,
                                      Interruption& interruption) {
  Committed committed;
  if (!interruption.begin_commit()) {
    committed.errors.push_back(Error{ErrorCode::kCancelled, "interrupted"});
    return committed;
  }
  const auto note = [&](Result<void> done) {
    if (!done) committed.errors.push_back(std::move(done.error()));
  };
  const bool puts_back = on_failure == OnFailure::kPutBack;
  for (const FileReplacement& file : prepared) {
    if (puts_back) note(file.check_unchanged());
  }
  for (FileReplacement& file : prepared) {
    if (puts_back && !committed.errors.empty()) break;
    note(file.put_in_place());
  }
  const bool failed = puts_back && !committed.errors.empty();
  for (FileReplacement& file : prepared) {
    if (!file.in_place_) continue;
    if (failed) note(file.put_back());
    if (!file.in_place_) continue;
    committed.written.push_back(file.path_);
    file.remove_prepared();
  }
  interruption.end_commit(!committed.written.empty());
  return committed;
}

}  // namespace windlass::app
