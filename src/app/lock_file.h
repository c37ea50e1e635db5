// LockFile: digests that were found before, so that the same tag gives the same digest.
//
// A JSON file that people may keep under version control: one entry a line, sorted, nothing in it
// that changes without its digest changing:
//
//     {"version": 1, "images": {"docker.io/library/nginx:1.27": "sha256:..."}}
//
// A value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "windlass/base/result.h"
#include "windlass/image/digest.h"
#include "windlass/image/image_reference.h"

namespace windlass::app {

class LockFile {
 public:
  static constexpr int kVersion = 1;

  // kInvalid, naming the file and what is wrong: not JSON, not a lock, made by a newer windlass.
  static Result<LockFile> parse(std::string_view file_name, std::string_view bytes);

  // `platform` is that of Option --platform: "" for the index of all.
  std::optional<image::Digest> find(const image::ImageReference& reference,
                                    std::string_view platform) const;
  void set(const image::ImageReference& reference, std::string_view platform,
           const image::Digest& digest);

  std::string to_text() const;

  friend bool operator==(const LockFile&, const LockFile&) = default;

 private:
  // By ImageReference::normalised(), with " OS/ARCH" behind it for one platform.
  std::map<std::string, image::Digest> images_;
};

}  // namespace windlass::app
