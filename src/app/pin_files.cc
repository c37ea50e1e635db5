#include "pin_files.h"

#include <utility>

#include "input_files.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

// Folders are full of JSON that is none of ours, and often not quite JSON: comments, trailing
// commas.
bool is_other_json(std::string_view path, std::string_view bytes) {
  return path.ends_with(".json") && !bytes.contains("image");
}

}  // namespace

Result<std::optional<PinFile>> PinFiles::open(const std::string& path, bool found_in_folder) {
  PinFile file{.path = path, .name = path == kStandardInput ? "<stdin>" : path};
  if (is_regular_file(path)) file.stamp = FileStamp::of(path);
  auto bytes = read_input(path, standard_input_, options_.manifest.bytes_max, stop_);
  if (!bytes) return fail(std::move(bytes.error()));
  // A rule of the user may lead anywhere.
  const bool may_be_other = found_in_folder && options_.manifest.rules.empty();
  if (may_be_other && is_other_json(path, *bytes)) return std::nullopt;
  auto manifest = manifest::Manifest::parse(file.name, std::move(*bytes), options_.manifest);
  if (!manifest) return fail(std::move(manifest.error()));
  file.kept = std::move(*manifest);
  return file;
}

void PinFiles::put_away(PinFile& file) {
  const std::size_t size = file.kept->bytes().size();
  if (file.stamp == FileStamp() || kept_bytes_ + size <= options_.kept_bytes_max) {
    kept_bytes_ += size;
    return;
  }
  // Without an image it is never read again.
  if (file.image_count > 0) file.contents = image::Digest::sha256_of(file.kept->bytes());
  file.kept.reset();
}

Result<manifest::Manifest> PinFiles::reopen(PinFile& file) {
  if (file.kept) return *std::exchange(file.kept, std::nullopt);
  auto bytes = read_input(file.path, standard_input_, options_.manifest.bytes_max, stop_);
  if (!bytes) return fail(std::move(bytes.error()));
  if (image::Digest::sha256_of(*bytes) != *file.contents) {
    return fail(ErrorCode::kConflict,
                format("{}: somebody else changed it meanwhile; run again", printable(file.name)));
  }
  return manifest::Manifest::parse(file.name, std::move(*bytes), options_.manifest);
}

image::Digest PinFiles::contents_of(const PinFile& file) {
  return file.contents ? *file.contents : image::Digest::sha256_of(file.kept->bytes());
}

}  // namespace windlass::app
