// Image layouts: the first line is a manifest, the rest is index.json, in which "@" stands for that
// manifest's digest. Any such layout gives a digest of something in it, or an error of one line.
#include <cstddef>
#include <cstdint>
#include <string>

#include "layout.h"
#include "windlass/base/check.h"

namespace {

using windlass::Result;

class MemoryFiles final : public windlass::oci::Files {
 public:
  MemoryFiles(std::string index, std::string blob)
      : index_(std::move(index)),
        blob_(std::move(blob)),
        path_("blobs/sha256/" + std::string(windlass::image::Digest::sha256_of(blob_).hex())) {}

  Result<std::string> read(const std::string& path, std::size_t) override {
    WINDLASS_CHECK(path.find("..") == std::string::npos && !path.starts_with('/'));
    if (path == "index.json") return index_;
    if (path == path_) return blob_;
    return windlass::fail(windlass::ErrorCode::kNotFound, "not there");
  }

 private:
  const std::string index_;
  const std::string blob_;
  const std::string path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windlass;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string blob = text.substr(0, end);
  const std::string digest = image::Digest::sha256_of(blob).to_string();
  std::string index;
  for (const char c : text.substr(std::min(end + 1, text.size()))) {
    if (c == '@')
      index += digest;
    else
      index += c;
  }
  MemoryFiles files(std::move(index), blob);
  for (const char* name : {"", "v1"}) {
    for (const auto& platform :
         {std::optional<oci::Platform>(), std::optional(oci::Platform{"linux", "amd64", ""})}) {
      const auto found = oci::find_in_layout(files, name, platform);
      if (found && !platform) WINDLASS_CHECK(found->digest.to_string() == digest);
      if (!found)
        WINDLASS_CHECK(found.error().message.find_first_of("\n\x1b") == std::string::npos);
    }
  }
  return 0;
}
