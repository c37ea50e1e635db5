#include "file_replacement.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <set>
#include <system_error>
#include <utility>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace fs = std::filesystem;
namespace {

// From so many files on, one flush of a whole file system is quicker than one for each file.
constexpr std::size_t kSyncEachMax = 32;

constexpr mode_t kPermissionsOfNew = 0666;

std::unexpected<Error> cannot_write(const fs::path& path, int error_number) {
  const std::error_code why(error_number, std::generic_category());
  const bool denied = error_number == EACCES || error_number == EPERM || error_number == EROFS;
  return fail(denied ? ErrorCode::kForbidden : ErrorCode::kUnavailable,
              format("{}: cannot be written: {}; the file is unchanged", printable(path.native()),
                     why.message()));
}

// `path` through all links; the part of it that exists, at least.
fs::path canonical(const std::string& path) {
  std::error_code unused;
  fs::path target = fs::weakly_canonical(path, unused);
  return target.empty() ? fs::path(path) : target;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Permissions and, as far as we may, owner and group of the file that is replaced.
bool take_after(int file, const struct stat* old) {
  if (old == nullptr) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return ::fchmod(file, kPermissionsOfNew & ~mask) == 0;
  }
  if (::fchown(file, old->st_uid, old->st_gid) != 0 &&
      ::fchown(file, static_cast<uid_t>(-1), old->st_gid) != 0) {
    errno = 0;
  }
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

  std::string name =
      (target.parent_path() / ("." + target.filename().native() + ".XXXXXX")).native();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return cannot_write(path, errno);
  FileReplacement replacement(path, std::move(target), name, stamp, interruption);
  replacement.has_other_names_ = !is_new && old.st_nlink > 1;
  const bool written = write_all(file, bytes) && take_after(file, is_new ? nullptr : &old);
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
      stamp_(other.stamp_),
      has_other_names_(other.has_other_names_),
      interruption_(other.interruption_) {}

FileReplacement::~FileReplacement() {
  if (prepared_.empty()) return;
  ::unlink(prepared_.c_str());
  interruption_->forget_temporary(prepared_);
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

Result<void> FileReplacement::commit_all(std::span<FileReplacement> prepared,
                                         Interruption& interruption) {
  if (!interruption.begin_commit()) return fail(ErrorCode::kCancelled, "interrupted");
  Result<void> done;
  for (const FileReplacement& file : prepared) {
    if (FileStamp::of(file.target_) == file.stamp_) continue;
    done = fail(ErrorCode::kConflict,
                format("{}: somebody else changed it meanwhile; no file was written, run again",
                       printable(file.path_)));
    break;
  }
  for (std::size_t i = 0; done && i < prepared.size(); ++i) {
    FileReplacement& file = prepared[i];
    if (::rename(file.prepared_.c_str(), file.target_.c_str()) != 0) {
      done = cannot_write(file.path_, errno);
      if (i > 0) done.error().message += format(", {} before it were written", i);
      break;
    }
    interruption.forget_temporary(file.prepared_);
    file.prepared_.clear();
  }
  interruption.end_commit(done.has_value());
  return done;
}

}  // namespace windlass::app
