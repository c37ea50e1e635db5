// FileReplacement: new contents for a file, put in place at once or not at all.
//
// The bytes are written beside the file and flushed; commit() renames. A reader sees the old file
// or the new one, never a part. Several files change together as nearly as a file system allows:
// prepare all, then commit all.
//
// Permissions are kept, ownership where the system lets us; a symbolic link stays and its target
// changes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "windlass/base/result.h"

namespace windlass::app {

class FileReplacement {
 public:
  // kForbidden or kUnavailable, naming the file, when the bytes cannot be written beside it.
  static Result<FileReplacement> prepare(const std::string& path, std::string_view bytes);

  FileReplacement(FileReplacement&& other) noexcept;
  FileReplacement& operator=(FileReplacement&&) = delete;
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  // Removes what was prepared and not committed.
  ~FileReplacement();

  Result<void> commit();

 private:
  FileReplacement(std::filesystem::path target, std::filesystem::path prepared)
      : target_(std::move(target)), prepared_(std::move(prepared)) {}

  std::filesystem::path target_;
  std::filesystem::path prepared_;  // empty once committed or moved from
};

}  // namespace windlass::app
