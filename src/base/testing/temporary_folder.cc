#include "windlass/base/testing/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "windlass/base/check.h"

namespace windlass {

TemporaryFolder::TemporaryFolder() {
  root_ = std::filesystem::temp_directory_path() / "windlass_XXXXXX";
  WINDLASS_CHECK(mkdtemp(root_.data()) != nullptr);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  const std::string file = path(name);
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

}  // namespace windlass
