#include "digest_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "windlass/base/file.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::resolver {
namespace {

namespace json = boost::json;

constexpr std::size_t kChecksumSize = 16;
constexpr std::size_t kLineBytesMax = std::size_t{16} << 10U;

std::string checksum_of(std::string_view text) {
  return std::string(image::Digest::sha256_of(text).hex().substr(0, kChecksumSize));
}

std::string line_of(const JournalEntry& entry) {
  const registry::Resolution& told = entry.resolution;
  json::object object = {{"key", entry.key},
                         {"digest", told.digest.to_string()},
                         {"told", entry.told.time_since_epoch().count()},
                         {"media_type", told.media_type},
                         {"source", told.credential_source}};
  if (told.size) object["size"] = *told.size;
  if (!told.mirror.empty()) object["mirror"] = told.mirror;
  const std::string text = json::serialize(object);
  return checksum_of(text) + ' ' + text + '\n';
}

std::string text_at(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

std::optional<JournalEntry> entry_of(const json::object& object) {
  const std::string key = text_at(object, "key");
  auto reference = image::ImageReference::parse(key.substr(0, key.find('\n')));
  auto digest = image::Digest::parse(text_at(object, "digest"));
  const json::value* told = object.if_contains("told");
  if (!reference || !digest || told == nullptr || !told->is_int64()) return std::nullopt;
  JournalEntry entry{.key = key,
                     .resolution = {.reference = std::move(*reference),
                                    .digest = std::move(*digest),
                                    .media_type = text_at(object, "media_type"),
                                    .size = std::nullopt,
                                    .credential_source = text_at(object, "source"),
                                    .mirror = text_at(object, "mirror")},
                     .told = WallTime(Duration(told->as_int64()))};
  const json::value* size = object.if_contains("size");
  if (size != nullptr && size->is_int64() && size->as_int64() >= 0)
    entry.resolution.size = static_cast<std::uint64_t>(size->as_int64());
  return entry;
}

// A line, or a piece of one that is longer than any of ours.
struct Line {
  std::string_view text;  // until the next is read
  bool begins = true;
  bool ends = true;
};

// Holds no more than one such piece, however long a line is.
class LineReader {
 public:
  explicit LineReader(std::istream& file) : file_(file), buffer_(kLineBytesMax + 1, '\0') {}

  std::optional<Line> next() {
    file_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    const auto taken = static_cast<std::size_t>(file_.gcount());
    if (taken == 0) return std::nullopt;
    const bool full = file_.fail() && !file_.eof() && !file_.bad();
    if (full) file_.clear();
    const std::size_t size = full || file_.eof() ? taken : taken - 1;
    return Line{.text = std::string_view(buffer_).substr(0, size),
                .begins = std::exchange(ended_, !full),
                .ends = !full};
  }

 private:
  std::istream& file_;
  std::string buffer_;
  bool ended_ = true;
};

std::optional<JournalEntry> parse_line(std::string_view line) {
  if (line.size() < kChecksumSize + 2) return std::nullopt;
  const std::string_view text = line.substr(kChecksumSize + 1);
  if (line.substr(0, kChecksumSize) != checksum_of(text)) return std::nullopt;
  boost::system::error_code error;
  const json::value value = json::parse(text, error);
  if (error || !value.is_object()) return std::nullopt;
  return entry_of(value.as_object());
}

std::unexpected<Error> fault(const std::string& path, const char* what, int number) {
  return fail(ErrorCode::kUnavailable,
              format("{}: the journal of digests cannot be {}: {}", printable(path), what,
                     std::generic_category().message(number)));
}

}  // namespace

std::string journal_key(std::string_view lookup_key) {
  const std::size_t end = std::min(lookup_key.find('\n'), lookup_key.size());
  std::string key(lookup_key.substr(0, end));
  key += "\n#";  // no lookup key goes on like that
  key += image::Digest::sha256_of(lookup_key.substr(end)).hex().substr(0, 32);
  return key;
}

JournalContents DigestJournal::load(WallTime oldest) {
  oldest_ = oldest;
  JournalContents contents = read();
  if (contents.trouble) return contents;
  if (Result<void> written = rewrite(contents.entries); !written)
    contents.trouble = std::move(written.error());
  return contents;
}

JournalContents DigestJournal::read() {
  JournalContents contents;
  std::vector<JournalEntry>& entries = contents.entries;
  torn_ = true;  // for all that is known
  errno = 0;
  std::ifstream file(path_, std::ios::binary);
  if (!file) {
    if (errno != ENOENT) contents.trouble = fault(path_, "read", errno).error();
    return contents;
  }
  lines_ = 0;
  LineReader lines(file);
  std::unordered_map<std::string, std::size_t> places;
  // A file that somebody else filled is not read to its end.
  while (lines_ < lines_max()) {
    const std::optional<Line> line = lines.next();
    if (!line) break;
    ++lines_;
    if (line->text.empty()) continue;
    std::optional<JournalEntry> entry =
        line->begins && line->ends ? parse_line(line->text) : std::nullopt;
    if (!entry) {
      if (line->begins) ++contents.bad_lines;
      continue;
    }
    if (entry->told <= oldest_) continue;
    const auto [place, added] = places.try_emplace(entry->key, entries.size());
    if (added) {
      entries.push_back(std::move(*entry));
    } else if (entries[place->second].told <= entry->told) {
      entries[place->second] = std::move(*entry);
    }
  }
  if (file.bad()) contents.trouble = fault(path_, "read", errno).error();
  std::ranges::sort(entries, [](const JournalEntry& a, const JournalEntry& b) {
    return std::tie(a.told, a.key) < std::tie(b.told, b.key);
  });
  if (entries.size() > entries_max_) {
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(entries_max_));
  }
  return contents;
}

Result<void> DigestJournal::rewrite(std::span<const JournalEntry> entries) {
  close();
  std::string text;
  for (const JournalEntry& entry : entries) text += line_of(entry);
  const std::string fresh = path_ + ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return fault(fresh, "written", errno);
  // What is renamed must be on the disk first, or a crash leaves an empty file for a good one.
  int number = write_all(file, text) && ::fsync(file) == 0 ? 0 : errno;
  if (::close(file) != 0 && number == 0) number = errno;
  if (number == 0 && ::rename(fresh.c_str(), path_.c_str()) != 0) number = errno;
  if (number != 0) {
    ::unlink(fresh.c_str());
    return fault(path_, "written", number);
  }
  lines_ = entries.size();
  torn_ = false;
  return open();
}

Result<void> DigestJournal::open() {
  file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file_ < 0) return fault(path_, "opened", errno);
  return {};
}

void DigestJournal::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

Result<void> DigestJournal::append(std::span<const JournalEntry> entries) {
  patience_ -= std::min(patience_, entries.size());
  Result<void> compacted;
  if (lines_ > 2 * entries_max_ && patience_ == 0) compacted = compact();
  if (lines_ + entries.size() > lines_max()) {
    if (!compacted) return compacted;
    return fail(ErrorCode::kUnavailable,
                format("{}: the journal of digests is full and could not be written anew; check "
                       "its folder's permissions and the disk",
                       printable(path_)));
  }
  if (file_ < 0) {
    if (Result<void> opened = open(); !opened) return opened;
  }
  std::string text;
  if (torn_) text += '\n';
  for (const JournalEntry& entry : entries) text += line_of(entry);
  lines_ += entries.size() + (torn_ ? 1 : 0);
  torn_ = !write_all(file_, text);
  if (torn_) {
    const int number = errno;
    close();
    return fault(path_, "written", number);
  }
  return compacted;
}

Result<void> DigestJournal::compact() {
  JournalContents contents = read();
  Result<void> written;
  if (contents.trouble) {
    written = fail(std::move(*contents.trouble));
  } else {
    written = rewrite(contents.entries);
  }
  if (!written) patience_ = entries_max_;
  return written;
}

}  // namespace windlass::resolver
