#include "lock_file.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "json_text.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

namespace json = boost::json;

std::unexpected<Error> wrong(std::string_view file, std::string_view what) {
  return fail(ErrorCode::kInvalid, format("{}: {}", printable(file), what));
}

std::string key_of(const image::ImageReference& reference, std::string_view platform) {
  return platform.empty() ? reference.normalised()
                          : format("{} {}", reference.normalised(), platform);
}

}  // namespace

Result<LockFile> LockFile::parse(std::string_view file_name, std::string_view bytes) {
  json::error_code error;
  const json::value root = json::parse(json::string_view(bytes.data(), bytes.size()), error);
  if (error) {
    return wrong(file_name, format("not a lock: not JSON ({}); take it from version control, or "
                                   "remove it to make a new one",
                                   error.message()));
  }
  const json::object* object = root.if_object();
  const json::value* version = object == nullptr ? nullptr : object->if_contains("version");
  const json::value* images = object == nullptr ? nullptr : object->if_contains("images");
  if (version == nullptr || !version->is_int64()) {
    return wrong(file_name, "not a lock: it has no \"version\"");
  }
  if (version->get_int64() != kVersion) {
    return wrong(file_name, format("a lock of version {}, and this windlass knows version {}; "
                                   "use a newer windlass",
                                   version->get_int64(), kVersion));
  }
  if (images == nullptr || !images->is_object()) {
    return wrong(file_name, "not a lock: it has no \"images\"");
  }
  LockFile lock;
  for (const auto& [name, value] : images->get_object()) {
    const json::string* text = value.if_string();
    const std::string_view key(name.data(), name.size());
    const std::size_t blank = key.find(' ');
    const auto reference = image::ImageReference::parse(key.substr(0, blank));
    if (!reference) return wrong(file_name, reference.error().message);
    const auto digest = image::Digest::parse(text == nullptr ? "" : std::string_view(*text));
    if (!digest) {
      return wrong(file_name, format("{}: {}", printable(name), digest.error().message));
    }
    const bool for_all = blank == std::string_view::npos;
    lock.set(*reference, for_all ? std::string_view() : key.substr(blank + 1), *digest);
  }
  return lock;
}

std::optional<image::Digest> LockFile::find(const image::ImageReference& reference,
                                            std::string_view platform) const {
  const auto found = images_.find(key_of(reference, platform));
  if (found == images_.end()) return std::nullopt;
  return found->second;
}

void LockFile::set(const image::ImageReference& reference, std::string_view platform,
                   const image::Digest& digest) {
  images_.insert_or_assign(key_of(reference, platform), digest);
}

std::string LockFile::to_text() const {
  json::object images;
  for (const auto& [name, digest] : images_) images[name] = digest.to_string();
  return indented(json::object{{"version", kVersion}, {"images", std::move(images)}});
}

}  // namespace windlass::app
