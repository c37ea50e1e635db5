#include "file_attributes.h"

#include <sys/xattr.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>

namespace windlass::app {
namespace {

// Linux has no larger list, and no larger value.
constexpr std::size_t kBytesMax = 65536;

constexpr const char* kAccessList = "system.posix_acl_access";

// Hashes of the contents.
constexpr std::array<std::string_view, 2> kOfContents = {"security.ima", "security.evm"};

// None where the file system knows no attributes.
std::vector<std::string> names_of(const char* path) {
  std::string names(kBytesMax, '\0');
  const ssize_t size = ::listxattr(path, names.data(), names.size());
  std::vector<std::string> out;
  std::string_view rest =
      std::string_view(names).substr(0, size < 0 ? 0 : static_cast<std::size_t>(size));
  while (!rest.empty()) {
    const std::size_t end = rest.find('\0');
    out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return out;
}

template <class Read>
std::optional<std::string> value_by(const Read& read) {
  std::string value(kBytesMax, '\0');
  const ssize_t size = read(value.data(), value.size());
  if (size < 0) return std::nullopt;
  value.resize(static_cast<std::size_t>(size));
  return value;
}

bool copy(const char* from, int to, const char* name) {
  const auto value =
      value_by([&](char* bytes, std::size_t size) { return ::getxattr(from, name, bytes, size); });
  if (!value) return errno == ENODATA;
  // Such as a label that new files get by themselves, and that only the system may set.
  const auto present =
      value_by([&](char* bytes, std::size_t size) { return ::fgetxattr(to, name, bytes, size); });
  return present == value || ::fsetxattr(to, name, value->data(), value->size(), 0) == 0;
}

}  // namespace

std::vector<std::string> copy_attributes(const char* from, int to) {
  const std::vector<std::string> names = names_of(from);
  std::vector<std::string> lost;
  for (const std::string& name : names) {
    if (std::ranges::find(kOfContents, name) != kOfContents.end()) continue;
    if (!copy(from, to, name.c_str())) lost.push_back(name);
  }
  // A folder may have one for its new files, which the old file has not.
  if (std::ranges::find(names, kAccessList) == names.end()) ::fremovexattr(to, kAccessList);
  return lost;
}

}  // namespace windlass::app
