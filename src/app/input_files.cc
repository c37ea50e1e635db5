#include "input_files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "git_ignore.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/manifest/format.h"

namespace windlass::app {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kChunk = 65536;

// How often somebody who waits for a pipe looks whether an end is requested.
constexpr int kPollMs = 20;

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

std::unexpected<Error> cannot_read(const std::string& path, int error_number) {
  return cannot_read(path, std::error_code(error_number, std::generic_category()));
}

std::unexpected<Error> too_large(const std::string& path, std::size_t bytes_max) {
  return fail(ErrorCode::kInvalid, format("{}: larger than {} MiB, too large for a manifest",
                                          printable(path), bytes_max >> 20U));
}

Result<std::vector<std::string>> manifests_below(const std::string& directory, bool ignored_too) {
  std::vector<std::string> files;
  GitIgnore git;
  std::size_t ignored = 0;
  const auto is_ignored = [&](const fs::path& path, bool is_directory) {
    const bool yes = !ignored_too && git.ignores(path, is_directory);
    ignored += yes ? 1 : 0;
    return yes;
  };
  std::error_code why;
  fs::recursive_directory_iterator entry(directory, why);
  for (; !why && entry != fs::recursive_directory_iterator(); entry.increment(why)) {
    const fs::path& path = entry->path();
    if (!entry->is_symlink(why) && entry->is_directory(why)) {
      if (is_left_out(path) || is_ignored(path, true)) entry.disable_recursion_pending();
    } else if (is_manifest_name(path) && entry->is_regular_file(why) && !is_ignored(path, false)) {
      files.push_back(path.native());
    }
    why.clear();  // one broken link must not hide the other files
  }
  if (why) return cannot_read(directory, why);
  if (files.empty()) {
    return fail(ErrorCode::kInvalid,
                format("{}: holds no manifest (YAML, JSON or Dockerfile){}; name files or another "
                       "directory",
                       printable(directory),
                       ignored > 0 ? " but what git ignores, which --no-ignore reads" : ""));
  }
  std::ranges::sort(files);
  return files;
}

// An open file, closed when it goes.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      // A pipe without a writer would otherwise hold the opening up for ever.
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

// Waits until a pipe has something, or its writers are gone after the first byte. False when `stop`
// was requested.
bool await_bytes(int descriptor, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    pollfd event{descriptor, POLLIN, 0};
    if (::poll(&event, 1, kPollMs) > 0 && event.revents != 0) return true;
  }
  return false;
}

Result<std::string> read_file(const std::string& path, std::size_t bytes_max,
                              const std::stop_token& stop) {
  const OpenFile file(path);
  struct stat status{};
  if (file.descriptor() < 0 || ::fstat(file.descriptor(), &status) != 0) {
    return cannot_read(path, errno);
  }
  if (S_ISDIR(status.st_mode)) {
    return fail(ErrorCode::kInvalid, format("{}: is a directory, not a file", printable(path)));
  }
  const bool is_pipe = !S_ISREG(status.st_mode);
  std::string bytes;
  if (!is_pipe) {
    if (static_cast<std::size_t>(status.st_size) > bytes_max) return too_large(path, bytes_max);
    bytes.reserve(static_cast<std::size_t>(status.st_size) + 1);
  }
  while (true) {
    if (is_pipe && !await_bytes(file.descriptor(), stop)) {
      return fail(ErrorCode::kCancelled, format("{}: interrupted", printable(path)));
    }
    const std::size_t size = bytes.size();
    const std::size_t room = bytes.capacity() > size ? bytes.capacity() - size : kChunk;
    bytes.resize(size + room);
    const ssize_t count = ::read(file.descriptor(), bytes.data() + size, room);
    bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return cannot_read(path, errno);
    if (bytes.size() > bytes_max) return too_large(path, bytes_max);
    if (count == 0) return bytes;
  }
}

}  // namespace

Result<std::vector<std::string>> files_named_by(const std::string& argument, bool ignored_too) {
  if (argument == kStandardInput) return std::vector{argument};
  std::error_code why;
  const fs::file_status status = fs::status(argument, why);
  if (status.type() == fs::file_type::not_found || why) return cannot_read(argument, why);
  if (fs::is_directory(status)) return manifests_below(argument, ignored_too);
  return std::vector{argument};
}

Result<std::string> read_input(const std::string& path, std::istream& standard_input,
                               std::size_t bytes_max, const std::stop_token& stop) {
  if (path != kStandardInput) return read_file(path, bytes_max, stop);
  std::string bytes;
  std::string chunk(kChunk, '\0');
  while (standard_input.read(chunk.data(), static_cast<std::streamsize>(kChunk)) ||
         standard_input.gcount() > 0) {
    bytes.append(chunk, 0, static_cast<std::size_t>(standard_input.gcount()));
    if (bytes.size() > bytes_max) return too_large(path, bytes_max);
  }
  if (standard_input.bad()) {
    return fail(ErrorCode::kInvalid, format("{}: reading stopped half-way", printable(path)));
  }
  return bytes;
}

bool is_regular_file(const std::string& path) {
  std::error_code unused;
  return path != kStandardInput && fs::is_regular_file(path, unused);
}

}  // namespace windlass::app
