#include "lock_file.h"

#include <boost/json/object.hpp>

#include "json_text.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

namespace json = boost::json;

constexpr std::string_view kAdvice =
    "take the lock from version control, or remove it to make a new one";

std::unexpected<Error> wrong(std::string_view file, std::string_view what,
                             std::string_view advice = kAdvice) {
  return fail(ErrorCode::kInvalid,
              format("{}: not a lock that can be used: {}; {}", printable(file), what, advice));
}

std::string key_of(const image::ImageReference& reference, std::string_view platform) {
  return platform.empty() ? reference.normalised()
                          : format("{} {}", reference.normalised(), platform);
}

}  // namespace

Result<LockFile> LockFile::parse(std::string_view file_name, std::string_view bytes) {
  const auto root = parse_json(file_name, bytes);
  if (!root) return fail(ErrorCode::kInvalid, format("{}; {}", root.error().message, kAdvice));
  if (const auto problem = version_problem(*root, kVersion)) {
    return wrong(file_name, problem->what, problem->is_newer ? kNewerProgram : kAdvice);
  }
  const json::value* images = root->get_object().if_contains("images");
  if (images == nullptr || !images->is_object()) {
    return wrong(file_name, images == nullptr ? "it has no \"images\""
                                              : "its \"images\" are not named with digests");
  }
  LockFile lock;
  for (const auto& [name, value] : images->get_object()) {
    const json::string* text = value.if_string();
    const std::string_view key(name.data(), name.size());
    const std::size_t blank = key.find(' ');
    const auto reference = image::ImageReference::parse(key.substr(0, blank));
    if (!reference) {
      return wrong(file_name,
                   format("images: {}: {}", windlass::quoted(key), reference.error().message));
    }
    const auto digest = image::Digest::parse(text == nullptr ? "" : std::string_view(*text));
    if (!digest) {
      return wrong(file_name,
                   format("images: {}: {}", windlass::quoted(key), digest.error().message));
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
