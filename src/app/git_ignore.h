// GitIgnore: which files and folders git would leave out, while a directory is gone through.
//
// Reads the .gitignore of every folder from the top of the working tree down, and its
// .git/info/exclude. Does not know what git tracks although it is ignored, nor the user's own
// excludes file. Outside a working tree nothing is ignored.
//
// Not thread-safe: it remembers the folders that it has seen.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "ignore_patterns.h"

namespace windlass::app {

class GitIgnore {
 public:
  // Of an entry whose parent folders are not ignored themselves.
  bool ignores(const std::filesystem::path& entry, bool is_directory);

 private:
  // A folder of a working tree, with what its own .gitignore says.
  struct Folder {
    std::filesystem::path parent;  // empty for the top of a working tree
    std::string name;              // in the parent
    IgnorePatterns patterns;
    std::optional<IgnorePatterns> exclude;  // of the top
  };

  // nullptr outside a working tree.
  const Folder* folder(const std::filesystem::path& path);

  std::map<std::filesystem::path, std::optional<Folder>> folders_;
};

}  // namespace windlass::app
