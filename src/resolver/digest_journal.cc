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

std::optional<JournalEntry> parse_line(std::string_view line) {
  if (line.size() < kChecksumSize + 2 || line.size() > kLineBytesMax) return std::nullopt;
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

Result<std::vector<JournalEntry>> DigestJournal::load(WallTime oldest) {
  oldest_ = oldest;
  Result<std::vector<JournalEntry>> entries = read(oldest);
  if (!entries) return fail(std::move(entries.error()));
  if (Result<void> written = rewrite(*entries); !written) return fail(std::move(written.error()));
  return entries;
}

Result<std::vector<JournalEntry>> DigestJournal::read(WallTime oldest) {
  std::vector<JournalEntry> entries;
  errno = 0;
  std::ifstream file(path_, std::ios::binary);
  if (!file) {
    if (errno == ENOENT) return entries;
    return fault(path_, "read", errno);
  }
  bad_lines_ = 0;
  std::unordered_map<std::string, std::size_t> places;
  // A file that somebody else filled is not read to its end.
  const std::size_t lines_max = 4 * entries_max_ + 1000;
  std::string line;
  for (std::size_t i = 0; i < lines_max && std::getline(file, line); ++i) {
    std::optional<JournalEntry> entry = parse_line(line);
    if (!entry) {
      ++bad_lines_;
      continue;
    }
    if (entry->told <= oldest) continue;
    const auto [place, added] = places.try_emplace(entry->key, entries.size());
    if (added) {
      entries.push_back(std::move(*entry));
    } else if (entries[place->second].told <= entry->told) {
      entries[place->second] = std::move(*entry);
    }
  }
  std::ranges::sort(entries, [](const JournalEntry& a, const JournalEntry& b) {
    return std::tie(a.told, a.key) < std::tie(b.told, b.key);
  });
  if (entries.size() > entries_max_) {
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(entries_max_));
  }
  return entries;
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
  if (file_ < 0) {
    if (Result<void> opened = open(); !opened) return opened;
  }
  std::string text;
  for (const JournalEntry& entry : entries) text += line_of(entry);
  if (!write_all(file_, text)) {
    const int number = errno;
    close();
    return fault(path_, "written", number);
  }
  lines_ += entries.size();
  if (lines_ <= 2 * entries_max_) return {};
  Result<std::vector<JournalEntry>> kept = read(oldest_);
  if (!kept) return fail(std::move(kept.error()));
  return rewrite(*kept);
}

}  // namespace windlass::resolver
