// What the example keeps in step, without a word about controllers: a directory of small files, a
// list of what they should hold ("NAME TEXT" in each line), and word of changes to either.
#pragma once

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "windlass/base/format.h"
#include "windlass/base/result.h"

struct Folder {
  std::filesystem::path list;
  std::filesystem::path directory;

  // Text by name; nothing when the list cannot be read.
  std::optional<std::map<std::string, std::string>> wanted() const {
    std::ifstream in(list);
    if (!in) return std::nullopt;
    std::map<std::string, std::string> files;
    for (std::string line; std::getline(in, line);) {
      const std::size_t blank = line.find(' ');
      if (blank == 0 || blank == std::string::npos) continue;  // no name, or no text
      files[line.substr(0, blank)] = line.substr(blank + 1) + "\n";
    }
    return files;
  }

  bool holds(const std::string& name, const std::string& text) const {
    std::ifstream in(directory / name, std::ios::binary);
    return in && std::string(std::istreambuf_iterator<char>(in), {}) == text;
  }

  // No name for a file here: of another folder, or of a file that is being written.
  static bool is_odd(const std::string& name) {
    return name.starts_with('.') || name.contains('/');
  }

  // In one step: nobody sees half a file.
  std::error_code write(const std::string& name, const std::string& text) const {
    const std::filesystem::path fresh = directory / ("." + name);
    std::ofstream out(fresh, std::ios::binary);
    out << text << std::flush;
    if (!out) return {errno, std::generic_category()};
    std::error_code error;
    std::filesystem::rename(fresh, directory / name, error);
    return error;
  }

  // Tells each name that is wanted or there.
  void for_each_name(const std::function<void(const std::string&)>& tell) const {
    if (const auto files = wanted())
      for (const auto& [name, text] : *files) tell(name);
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
      const std::string name = entry.path().filename();
      if (!is_odd(name)) tell(name);
    }
  }
};

// Changes of a folder, by inotify. Not thread-safe.
class Watch {
 public:
  explicit Watch(Folder folder) : folder_(std::move(folder)) {}
  Watch(const Watch&) = delete;
  ~Watch() { ::close(events_); }

  windlass::Result<void> begin() {
    using windlass::ErrorCode, windlass::fail, windlass::format;
    constexpr std::uint32_t kChanges =
        IN_CLOSE_WRITE | IN_MOVE | IN_DELETE | IN_CREATE | IN_ONLYDIR;
    list_folder_ = inotify_add_watch(events_, folder_.list.parent_path().c_str(), kChanges);
    const int directory = inotify_add_watch(events_, folder_.directory.c_str(), kChanges);
    if (list_folder_ < 0 || directory < 0) {
      return fail(ErrorCode::kNotFound, format("watch the folders of LIST and DIRECTORY: {}",
                                               std::generic_category().message(errno)));
    }
    if (list_folder_ == directory)
      return fail(ErrorCode::kInvalid, "LIST is in DIRECTORY; expected it elsewhere");
    return {};
  }

  // To be polled for reading.
  int descriptor() const { return events_; }

  // Tells names that may have changed: all of them when the list did, or when events were lost.
  void read(const std::function<void(const std::string&)>& tell) const {
    alignas(inotify_event) std::array<char, 4096> buffer;
    const ssize_t bytes = ::read(events_, buffer.data(), buffer.size());
    for (ssize_t at = 0; at < bytes;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      const bool of_list = event->wd == list_folder_;
      if (event->len == 0 || (of_list && event->name == folder_.list.filename())) {
        folder_.for_each_name(tell);
      } else if (!of_list && !Folder::is_odd(event->name)) {
        tell(event->name);
      }
    }
  }

 private:
  Folder folder_;
  int events_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  int list_folder_ = -1;
};
