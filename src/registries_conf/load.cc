#include "windlass/registries_conf/load.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::registries_conf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFileBytesMax = std::size_t{1} << 20U;
constexpr std::size_t kDropInsMax = 1'000;

bool is_missing(const std::error_code& error) {
  return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

void tell(Loaded& loaded, const fs::path& path, std::string_view what) {
  loaded.problems.push_back(
      {.code = ErrorCode::kInvalid, .message = format("{}: {}", printable(path.native()), what)});
}

void load_file(const fs::path& path, bool must_exist, Loaded& loaded) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (is_missing(error) && !must_exist) return;
  if (error) return tell(loaded, path, "cannot be read: " + error.message());
  // A device or a pipe may never end.
  if (!fs::is_regular_file(status)) return tell(loaded, path, "is not a regular file");
  std::ifstream file(path, std::ios::binary);
  std::string text(kFileBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!file.is_open() || file.bad()) return tell(loaded, path, "cannot be read");
  if (text.size() > kFileBytesMax)
    return tell(loaded, path, format("is longer than {} bytes", kFileBytesMax));
  read(text, path, loaded);
}

void load_folder(const fs::path& folder, Loaded& loaded) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".conf" && files.size() < kDropInsMax)
      files.push_back(at->path());
  }
  if (error && !is_missing(error)) tell(loaded, folder, "cannot be read: " + error.message());
  std::ranges::sort(files);
  for (const fs::path& file : files) load_file(file, true, loaded);
}

}  // namespace

Paths usual_paths(const std::string& config_home, const std::string& override_file) {
  const std::string system = "/etc/containers/registries.conf";
  const std::string user =
      config_home.empty() ? std::string() : config_home + "/containers/registries.conf";
  Paths paths{.folders = {system + ".d"}};
  if (!user.empty()) paths.folders.push_back(user + ".d");
  std::error_code error;
  if (!override_file.empty()) {
    paths.file = override_file;
    paths.file_must_exist = true;
  } else {
    paths.file = !user.empty() && fs::exists(user, error) ? user : system;
  }
  return paths;
}

Loaded load(const Paths& paths) {
  Loaded loaded;
  load(paths, loaded);
  return loaded;
}

void load(const Paths& paths, Loaded& into) {
  if (!paths.file.empty()) load_file(paths.file, paths.file_must_exist, into);
  for (const std::string& folder : paths.folders) load_folder(folder, into);
}

}  // namespace windlass::registries_conf
