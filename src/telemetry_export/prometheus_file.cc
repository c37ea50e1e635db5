#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "windlass/base/file.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/telemetry_export/prometheus_text.h"

namespace windlass::telemetry_export {
namespace {

std::unexpected<Error> cannot_write(const std::string& path, int number) {
  const ErrorCode code = number == EACCES || number == EPERM || number == EROFS
                             ? ErrorCode::kForbidden
                         : number == ENOENT || number == ENOTDIR ? ErrorCode::kNotFound
                                                                 : ErrorCode::kUnavailable;
  return fail(code, format("{}: metrics cannot be written: {}", printable(path),
                           std::generic_category().message(number)));
}

// Where symbolic links lead, also to what is not there yet. They stay.
std::filesystem::path behind_links(std::filesystem::path path) {
  constexpr int kLinksMax = 40;
  std::error_code none;
  for (int i = 0; i < kLinksMax && std::filesystem::is_symlink(path, none); ++i) {
    path = path.parent_path() / std::filesystem::read_symlink(path, none);
  }
  return path;
}

}  // namespace

Result<void> write_prometheus_file(const std::string& path, const telemetry::Metrics& metrics) {
  const std::string text = prometheus_text(metrics.collect());
  // A name that does not end in .prom: the collector must not read the half-written file.
  const std::filesystem::path target = behind_links(path);
  // Short, as the target's own may be as long as names can be.
  std::string name = (target.parent_path() / ".windlass-XXXXXX").native();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return cannot_write(path, errno);
  // The collector runs as another user.
  const bool written = ::fchmod(file, 0644) == 0 && write_all(file, text);
  int number = written ? 0 : errno;
  if (::close(file) != 0 && number == 0) number = errno;
  if (number == 0 && ::rename(name.c_str(), target.c_str()) != 0) number = errno;
  if (number == 0) return {};
  ::unlink(name.c_str());
  return cannot_write(path, number);
}

}  // namespace windlass::telemetry_export
