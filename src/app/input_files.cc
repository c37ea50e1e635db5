#include "input_files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "git_ignore.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/image/image_reference.h"
#include "windlass/manifest/format.h"

namespace windlass::app {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kChunk = 65536;

// How often somebody who waits for a pipe looks whether an end is requested.
constexpr int kPollMs = 20;

bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

// What version control keeps of its own.
bool is_left_out(const fs::path& folder) {
  constexpr std::array<std::string_view, 4> kVersionControl = {".git", ".hg", ".svn", ".jj"};
  return std::ranges::find(kVersionControl, folder.filename().native()) != kVersionControl.end();
}

// What is hidden, or lies in a hidden folder, is often an editor's or a tool's: such JSON is not
// looked at, as it may have comments.
bool is_manifest_name(const fs::path& path, bool hidden) {
  return manifest::may_name_images(path.native()) && !(hidden && path.extension() == ".json");
}

// An image that was taken for a file may have a password in it.
std::string shown(const std::string& path) {
  return printable(path.contains(':') ? image::without_password(path) : path);
}

std::unexpected<Error> cannot_read(const std::string& path, std::error_code why) {
  if (why == std::errc::no_such_file_or_directory || why == std::errc::not_a_directory) {
    return fail(ErrorCode::kNotFound,
                format("{}: no such file; check the name and the current directory", shown(path)));
  }
  if (why == std::errc::permission_denied) {
    return fail(ErrorCode::kForbidden,
                format("{}: may not be read by this user; check its permissions", shown(path)));
  }
  return fail(ErrorCode::kInvalid,
              format("{}: cannot be read: {}; check the name", shown(path), why.message()));
}

std::unexpected<Error> cannot_read(const std::string& path, int error_number) {
  return cannot_read(path, std::error_code(error_number, std::generic_category()));
}

std::unexpected<Error> too_large(const std::string& path, std::size_t bytes_max) {
  return fail(ErrorCode::kInvalid, format("{}: larger than {} MiB, too large for a manifest",
                                          printable(path), bytes_max >> 20U));
}

// Gathers the manifests below one directory, folder by folder.
class DirectoryWalk {
 public:
  explicit DirectoryWalk(bool ignored_too) : ignored_too_(ignored_too) {}

  FoundFiles run(const std::string& directory) {
    std::vector<Folder> folders = {{directory}};
    while (!folders.empty()) {
      const Folder folder = std::move(folders.back());
      folders.pop_back();
      enter(folder, folders);
    }
    if (found_.files.empty() && found_.errors.empty()) {
      found_.errors.push_back(
          {ErrorCode::kInvalid,
           format("{}: holds no manifest (YAML, JSON or Dockerfile){}; name files or another "
                  "directory",
                  printable(directory),
                  ignored_ > 0 ? " but what git ignores, which --no-ignore reads" : "")});
    }
    std::ranges::sort(found_.files);
    return std::move(found_);
  }

 private:
  struct Folder {
    fs::path path;
    bool hidden = false;  // it, or a folder it lies in below the one that was named
  };

  void enter(const Folder& folder, std::vector<Folder>& folders) {
    std::error_code why;
    fs::directory_iterator entry(folder.path, why);
    for (; !why && entry != fs::directory_iterator(); entry.increment(why)) {
      const fs::path& path = entry->path();
      const bool hidden = folder.hidden || is_hidden(path);
      std::error_code unknown;
      const fs::file_type type = entry->symlink_status(unknown).type();
      if (type == fs::file_type::none) {
        found_.errors.push_back(cannot_read(path.native(), unknown).error());
      } else if (type == fs::file_type::directory) {
        if (!is_left_out(path) && !is_ignored(path, true)) folders.push_back({path, hidden});
      } else if (type == fs::file_type::regular && is_manifest_name(path, hidden) &&
                 !is_ignored(path, false)) {
        found_.files.push_back(path.native());
      }
    }
    if (why) found_.errors.push_back(cannot_read(folder.path.native(), why).error());
  }

  bool is_ignored(const fs::path& path, bool is_directory) {
    const bool yes = !ignored_too_ && git_.ignores(path, is_directory);
    ignored_ += yes ? 1 : 0;
    return yes;
  }

  const bool ignored_too_;
  GitIgnore git_;
  std::size_t ignored_ = 0;
  FoundFiles found_;
};

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
    return fail(ErrorCode::kInvalid,
                format("{}: is a directory, not a file; name a file", printable(path)));
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

FoundFiles files_named_by(const std::string& argument, bool ignored_too) {
  if (argument == kStandardInput) return {.files = {argument}, .errors = {}};
  std::error_code why;
  const fs::file_status status = fs::status(argument, why);
  if (status.type() == fs::file_type::not_found || why) {
    return {.files = {}, .errors = {cannot_read(argument, why).error()}};
  }
  if (fs::is_directory(status)) return DirectoryWalk(ignored_too).run(argument);
  return {.files = {argument}, .errors = {}};
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
  // An interrupt looks like the end of the input.
  if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "interrupted");
  if (standard_input.bad()) {
    return fail(ErrorCode::kInvalid,
                "standard input cannot be read; is it closed, or a directory?");
  }
  return bytes;
}

Result<std::string> read_option_file(std::string_view option, const std::string& path,
                                     std::size_t bytes_max) {
  if (path == kStandardInput) {
    return fail(ErrorCode::kInvalid,
                format("{}: is not read from standard input; name a file", option));
  }
  auto bytes = read_file(path, bytes_max, {});
  if (!bytes) return fail(std::move(bytes.error()), option);
  return bytes;
}

bool is_pipe(const std::string& path) {
  std::error_code unused;
  return path != kStandardInput && fs::is_fifo(path, unused);
}

Result<void> check_option_file(std::string_view option, const std::string& path) {
  std::error_code unused;
  if (fs::is_regular_file(path, unused) || is_pipe(path)) {
    if (::access(path.c_str(), R_OK) == 0) return {};
    return fail(ErrorCode::kInvalid, format("{} {}: may not be read by this user; check its "
                                            "permissions",
                                            option, printable(path)));
  }
  return fail(ErrorCode::kInvalid,
              format("{} {}: {}; check the name", option, printable(path),
                     fs::exists(path, unused) ? "is not a file" : "no such file"));
}

bool is_regular_file(const std::string& path) {
  std::error_code unused;
  return path != kStandardInput && fs::is_regular_file(path, unused);
}

}  // namespace windlass::app
