// Files: the files of an image layout, wherever they lie.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "windlass/base/result.h"

namespace windlass::oci {

// What to do about files that are not what they should be.
inline constexpr std::string_view kMakeAgain =
    "; make it again, as 'skopeo copy' and 'docker save' do, or name another";

class Files {
 public:
  virtual ~Files() = default;

  // The whole of a file; `path` is relative and has no "..". kNotFound when it is not there,
  // kInvalid when it is longer than `bytes_max` or no file.
  virtual Result<std::string> read(const std::string& path, std::size_t bytes_max) = 0;
};

// Below a folder.
class FolderFiles final : public Files {
 public:
  explicit FolderFiles(std::string root) : root_(std::move(root)) {}

  Result<std::string> read(const std::string& path, std::size_t bytes_max) override;

 private:
  const std::string root_;
};

// In a tar file, which is read from its start for each of them: it may be larger than memory.
class ArchiveFiles final : public Files {
 public:
  explicit ArchiveFiles(std::string archive) : archive_(std::move(archive)) {}

  Result<std::string> read(const std::string& path, std::size_t bytes_max) override;

 private:
  const std::string archive_;
};

}  // namespace windlass::oci
