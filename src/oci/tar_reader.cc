#include "tar_reader.h"

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::oci {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 10U;
// Of one layer; what is larger is a bomb.
constexpr std::uint64_t kUnpackedBytesMax = std::uint64_t{1} << 40U;

struct ReadFree {
  void operator()(archive* handle) const { archive_read_free(handle); }
};
using Handle = std::unique_ptr<archive, ReadFree>;

// What images are packed with. Not all that libarchive knows: for some formats it runs programs
// that it finds in PATH.
void support_filters(archive* handle) {
  archive_read_support_filter_bzip2(handle);
  archive_read_support_filter_gzip(handle);
  archive_read_support_filter_xz(handle);
  archive_read_support_filter_zstd(handle);
}

std::string clean(std::string_view name) {
  while (name.starts_with("./")) name.remove_prefix(2);
  return std::string(name);
}

bool is_packed(std::string_view start) {
  constexpr std::array<std::string_view, 4> kMagics = {"\x1f\x8b", "\x28\xb5\x2f\xfd",
                                                       "\xfd"
                                                       "7zXZ",
                                                       "BZh"};
  for (const std::string_view magic : kMagics) {
    if (start.starts_with(magic)) return true;
  }
  return false;
}

// Hands the bytes of one archive's entry to another, as that one asks for them.
struct Feed {
  archive* outer;
  std::string buffer;
  std::size_t ready;  // bytes that were read before

  static la_ssize_t read(archive* inner, void* self, const void** out) {
    auto* feed = static_cast<Feed*>(self);
    *out = feed->buffer.data();
    if (feed->ready > 0) return static_cast<la_ssize_t>(std::exchange(feed->ready, 0));
    const la_ssize_t got = archive_read_data(feed->outer, feed->buffer.data(), feed->buffer.size());
    if (got < 0) archive_set_error(inner, EIO, "%s", "the archive is damaged");
    return got;
  }
};

}  // namespace

class TarReader::Archive {
 public:
  Archive() : handle(archive_read_new()) {
    WINDLASS_CHECK(handle != nullptr);
    support_filters(handle.get());
    archive_read_support_format_tar(handle.get());
  }

  Handle handle;
  int opened = ARCHIVE_OK;
};

TarReader::TarReader(std::string path)
    : path_(std::move(path)), archive_(std::make_unique<Archive>()) {
  archive_->opened = archive_read_open_filename(archive_->handle.get(), path_.c_str(), kBlockBytes);
}

TarReader::~TarReader() = default;

Error TarReader::damaged() const {
  const char* why = archive_error_string(archive_->handle.get());
  return {.code = ErrorCode::kInvalid,
          .message = format("{}: not a tar file that can be read: {}", printable(path_),
                            printable(why == nullptr ? "it is damaged" : why))};
}

Result<bool> TarReader::next() {
  std::error_code error;
  if (!std::filesystem::exists(path_, error) && !error)
    return fail(ErrorCode::kInvalid, printable(path_) + " is not there");
  if (archive_->opened != ARCHIVE_OK) return fail(damaged());
  archive_entry* entry = nullptr;
  const int code = archive_read_next_header(archive_->handle.get(), &entry);
  if (code == ARCHIVE_EOF) return false;
  if (code != ARCHIVE_OK && code != ARCHIVE_WARN) return fail(damaged());
  const char* name = archive_entry_pathname(entry);
  const char* target = archive_entry_symlink(entry);
  if (target == nullptr) target = archive_entry_hardlink(entry);
  name_ = clean(name == nullptr ? "" : name);
  link_ = target == nullptr ? "" : target;
  is_file_ = archive_entry_filetype(entry) == AE_IFREG && link_.empty();
  size_ = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
  return true;
}

Result<std::string> TarReader::read() {
  std::string bytes(size_, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const la_ssize_t got =
        archive_read_data(archive_->handle.get(), bytes.data() + done, bytes.size() - done);
    if (got <= 0) return fail(damaged());
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

Result<std::uint64_t> TarReader::unpacked_size() {
  Feed feed{.outer = archive_->handle.get(), .buffer = std::string(kBlockBytes, '\0'), .ready = 0};
  const la_ssize_t got = archive_read_data(feed.outer, feed.buffer.data(), feed.buffer.size());
  if (got < 0) return fail(damaged());
  feed.ready = static_cast<std::size_t>(got);
  if (!is_packed(std::string_view(feed.buffer).substr(0, feed.ready))) return size_;

  const Handle inner(archive_read_new());
  WINDLASS_CHECK(inner != nullptr);
  support_filters(inner.get());
  archive_read_support_format_raw(inner.get());
  archive_entry* entry = nullptr;
  const auto broken = [&] {
    return fail(ErrorCode::kInvalid,
                format("{}: {} cannot be unpacked", printable(path_), printable(name_)));
  };
  if (archive_read_open2(inner.get(), &feed, nullptr, &Feed::read, nullptr, nullptr) !=
          ARCHIVE_OK ||
      archive_read_next_header(inner.get(), &entry) != ARCHIVE_OK)
    return broken();
  std::uint64_t total = 0;
  std::string bytes(kBlockBytes, '\0');
  while (const la_ssize_t count = archive_read_data(inner.get(), bytes.data(), bytes.size())) {
    if (count < 0) return broken();
    total += static_cast<std::uint64_t>(count);
    if (total > kUnpackedBytesMax) return broken();
  }
  return total;
}

}  // namespace windlass::oci
