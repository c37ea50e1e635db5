#include "file_replacement.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace fs = std::filesystem;
namespace {

std::unexpected<Error> cannot_write(const fs::path& path, int error_number) {
  const std::error_code why(error_number, std::generic_category());
  const bool denied = error_number == EACCES || error_number == EPERM || error_number == EROFS;
  return fail(denied ? ErrorCode::kForbidden : ErrorCode::kUnavailable,
              format("{}: cannot be written: {}; the file is unchanged", printable(path.native()),
                     why.message()));
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

Result<FileReplacement> FileReplacement::prepare(const std::string& path, std::string_view bytes) {
  std::error_code unused;
  fs::path target = fs::canonical(path, unused);  // through links, to what is really replaced
  if (target.empty()) target = path;
  struct stat old{};
  if (::stat(target.c_str(), &old) != 0) return cannot_write(path, errno);
  // A rename would replace a file that its owner made read-only.
  if (::access(target.c_str(), W_OK) != 0) return cannot_write(path, errno);

  std::string name =
      (target.parent_path() / ("." + target.filename().native() + ".XXXXXX")).native();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return cannot_write(path, errno);
  FileReplacement replacement(std::move(target), name);
  // Another user's file in a shared folder: its owner is kept when we may, and its group at least.
  if (::fchown(file, old.st_uid, old.st_gid) != 0 &&
      ::fchown(file, static_cast<uid_t>(-1), old.st_gid) != 0) {
    errno = 0;
  }
  const bool written =
      write_all(file, bytes) && ::fchmod(file, old.st_mode & 07777U) == 0 && ::fsync(file) == 0;
  const int error_number = errno;
  if (::close(file) != 0 || !written) return cannot_write(path, written ? errno : error_number);
  return replacement;
}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : target_(std::move(other.target_)), prepared_(std::exchange(other.prepared_, {})) {}

FileReplacement::~FileReplacement() {
  if (!prepared_.empty()) ::unlink(prepared_.c_str());
}

Result<void> FileReplacement::commit() {
  if (::rename(prepared_.c_str(), target_.c_str()) != 0) return cannot_write(target_, errno);
  prepared_.clear();
  return {};
}

}  // namespace windlass::app
