#include "files.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "tar_reader.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::oci {
namespace {

namespace fs = std::filesystem;

Error too_long(const std::string& path, std::size_t bytes_max) {
  return {.code = ErrorCode::kInvalid,
          .message = format("{} is longer than {} bytes", printable(path), bytes_max)};
}

}  // namespace

Result<std::string> FolderFiles::read(const std::string& path, std::size_t bytes_max) {
  const fs::path whole = fs::path(root_) / path;
  const std::string shown = printable(whole.native());
  std::error_code error;
  const fs::file_status status = fs::status(whole, error);
  if (status.type() == fs::file_type::not_found)
    return fail(ErrorCode::kInvalid, shown + " is not there");
  if (error) return fail(ErrorCode::kInvalid, format("cannot read {}: {}", shown, error.message()));
  // A device or a pipe may never end.
  if (!fs::is_regular_file(status)) return fail(ErrorCode::kInvalid, shown + " is not a file");
  std::ifstream file(whole, std::ios::binary);
  std::string bytes;
  char buffer[65536];
  while (file.read(buffer, sizeof buffer), file.gcount() > 0) {
    bytes.append(buffer, static_cast<std::size_t>(file.gcount()));
    if (bytes.size() > bytes_max) return fail(too_long(whole.native(), bytes_max));
  }
  if (!file.is_open() || file.bad()) return fail(ErrorCode::kInvalid, "cannot read " + shown);
  return bytes;
}

Result<std::string> ArchiveFiles::read(const std::string& path, std::size_t bytes_max) {
  TarReader tar(archive_);
  for (;;) {
    Result<bool> has_next = tar.next();
    if (!has_next) return fail(std::move(has_next.error()));
    if (!*has_next) {
      return fail(ErrorCode::kInvalid,
                  format("{} is not in {}", printable(path), printable(archive_)));
    }
    if (tar.name() != path || !tar.is_file()) continue;
    if (tar.size() > bytes_max) return fail(too_long(path, bytes_max));
    return tar.read();
  }
}

}  // namespace windlass::oci
