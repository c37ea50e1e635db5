#include "windlass/oci/local_image.h"

#include <array>

#include "docker_archive.h"
#include "layout.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::oci {
namespace {

using Kind = LocalSource::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 3> kWords = {
    {{"oci:", Kind::kLayout},
     {"oci-archive:", Kind::kLayoutArchive},
     {"docker-archive:", Kind::kDockerArchive}}};

Result<LocalImage> find(const LocalSource& source, const std::optional<Platform>& platform) {
  switch (source.kind) {
    case Kind::kLayout: {
      FolderFiles files(source.path);
      return find_in_layout(files, source.name, platform);
    }
    case Kind::kLayoutArchive: {
      ArchiveFiles files(source.path);
      return find_in_layout(files, source.name, platform);
    }
    case Kind::kDockerArchive: return find_in_docker_archive(source.path, source.name);
  }
  return fail(ErrorCode::kInternal, "a source of no kind");
}

}  // namespace

bool LocalSource::is_one(std::string_view text) {
  for (const auto& [word, kind] : kWords) {
    if (text.starts_with(word)) return true;
  }
  return false;
}

Result<LocalSource> LocalSource::parse(std::string_view text) {
  for (const auto& [word, kind] : kWords) {
    if (!text.starts_with(word)) continue;
    const std::string_view rest = text.substr(word.size());
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    LocalSource source{.kind = kind,
                       .path = std::string(rest.substr(0, colon)),
                       .name = std::string(rest.substr(std::min(colon + 1, rest.size())))};
    if (!source.path.empty() && source.path.find('\0') == std::string::npos) return source;
    return fail(ErrorCode::kInvalid, format("{}: expected a path after {}", quoted(text), word));
  }
  return fail(ErrorCode::kInvalid,
              format("{} does not start with oci:, oci-archive: or docker-archive:", quoted(text)));
}

Result<LocalImage> find_local_image(const LocalSource& source,
                                    const std::optional<Platform>& platform) {
  Result<LocalImage> image = find(source, platform);
  if (!image) return fail(std::move(image.error()), printable(source.path));
  return image;
}

}  // namespace windlass::oci
