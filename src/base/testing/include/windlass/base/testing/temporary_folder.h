// TemporaryFolder: a folder of a test's own, gone with the object.
//
// Thread safety: const members may be called from any thread.
#pragma once

#include <string>

namespace windlass {

class TemporaryFolder {
 public:
  // Below the system's folder for temporary files. Aborts when it cannot be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& root() const { return root_; }
  std::string path(const std::string& name) const { return root_ + "/" + name; }

  // Writes a file, and the folders that `name` goes through; returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string root_;
};

}  // namespace windlass
