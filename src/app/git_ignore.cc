#include "git_ignore.h"

#include <fstream>
#include <iterator>

namespace windlass::app {
namespace fs = std::filesystem;
namespace {

// Of a plain file: git does not follow a link here either, and a pipe would wait for ever.
IgnorePatterns patterns_in(const fs::path& file) {
  std::error_code unused;
  if (!fs::is_regular_file(fs::symlink_status(file, unused))) return {};
  std::ifstream in(file, std::ios::binary);
  return IgnorePatterns::parse(
      std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
}

}  // namespace

bool GitIgnore::ignores(const fs::path& entry, bool is_directory) {
  std::error_code unused;
  const fs::path whole = fs::absolute(entry, unused).lexically_normal();
  std::string below = whole.filename().native();
  const Folder* at = folder(whole.parent_path());
  while (at != nullptr) {
    if (const auto verdict = at->patterns.ignores(below, is_directory)) return *verdict;
    if (at->exclude) return at->exclude->ignores(below, is_directory).value_or(false);
    below.insert(0, at->name + '/');
    at = folder(at->parent);
  }
  return false;
}

const GitIgnore::Folder* GitIgnore::folder(const fs::path& path) {
  const auto known = folders_.find(path);
  if (known != folders_.end()) return known->second ? &*known->second : nullptr;
  std::optional<Folder> found;
  std::error_code unused;
  if (fs::exists(path / ".git", unused)) {
    found = Folder{.patterns = patterns_in(path / ".gitignore"),
                   .exclude = patterns_in(path / ".git" / "info" / "exclude")};
  } else if (path.has_relative_path() && folder(path.parent_path()) != nullptr) {
    found = Folder{.parent = path.parent_path(),
                   .name = path.filename().native(),
                   .patterns = patterns_in(path / ".gitignore")};
  }
  const auto added = folders_.emplace(path, std::move(found)).first;
  return added->second ? &*added->second : nullptr;
}

}  // namespace windlass::app
