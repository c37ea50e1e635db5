#include "input_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/manifest/format.h"

namespace windlass::app {
namespace fs = std::filesystem;
namespace {

bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

// GitHub's workflows are the one thing in a hidden folder that names images.
bool is_left_out(const fs::path& folder) {
  return is_hidden(folder) && folder.filename() != ".github";
}

bool is_manifest_name(const fs::path& path) {
  return !is_hidden(path) && manifest::may_name_images(path.native());
}

std::unexpected<Error> cannot_read(const std::string& path, std::error_code why) {
  if (why == std::errc::no_such_file_or_directory || why == std::errc::not_a_directory) {
    return fail(
        ErrorCode::kNotFound,
        format("{}: no such file; check the name and the current directory", printable(path)));
  }
  if (why == std::errc::permission_denied) {
    return fail(ErrorCode::kForbidden,
                format("{}: may not be read by this user; check its permissions", printable(path)));
  }
  return fail(ErrorCode::kInvalid,
              format("{}: cannot be read: {}", printable(path), why.message()));
}

Result<std::vector<std::string>> manifests_below(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code why;
  fs::recursive_directory_iterator entry(directory, why);
  for (; !why && entry != fs::recursive_directory_iterator(); entry.increment(why)) {
    if (entry->is_directory(why) && is_left_out(entry->path())) {
      entry.disable_recursion_pending();
    } else if (is_manifest_name(entry->path()) && entry->is_regular_file(why)) {
      files.push_back(entry->path().native());
    }
    why.clear();  // one broken link must not hide the other files
  }
  if (why) return cannot_read(directory, why);
  if (files.empty()) {
    return fail(
        ErrorCode::kInvalid,
        format("{}: holds no manifest (YAML, JSON or Dockerfile); name files or another directory",
               printable(directory)));
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

Result<std::vector<std::string>> files_named_by(const std::string& argument) {
  if (argument == kStandardInput) return std::vector{argument};
  std::error_code why;
  const fs::file_status status = fs::status(argument, why);
  if (status.type() == fs::file_type::not_found || why) return cannot_read(argument, why);
  if (fs::is_directory(status)) return manifests_below(argument);
  return std::vector{argument};
}

Result<std::string> read_input(const std::string& path, std::istream& standard_input,
                               std::size_t bytes_max) {
  std::ifstream file;
  if (path != kStandardInput) {
    std::error_code why;
    if (fs::is_directory(path, why)) {
      return fail(ErrorCode::kInvalid, format("{}: is a directory, not a file", printable(path)));
    }
    errno = 0;
    file.open(path, std::ios::binary);
    if (!file) return cannot_read(path, std::error_code(errno, std::generic_category()));
  }
  std::istream& input = path == kStandardInput ? standard_input : file;
  std::string bytes;
  std::array<char, 65536> chunk;
  while (input.read(chunk.data(), chunk.size()) || input.gcount() > 0) {
    bytes.append(chunk.data(), static_cast<std::size_t>(input.gcount()));
    if (bytes.size() > bytes_max) {
      return fail(ErrorCode::kInvalid, format("{}: larger than {} MiB, too large for a manifest",
                                              printable(path), bytes_max >> 20U));
    }
  }
  if (input.bad())
    return fail(ErrorCode::kInvalid, format("{}: reading stopped half-way", printable(path)));
  return bytes;
}

}  // namespace windlass::app
