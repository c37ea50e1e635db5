#include "windlass/credentials/section.h"

#include <algorithm>
#include <charconv>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::credentials {
namespace {

struct Unit {
  std::string_view name;
  double nanoseconds;
};

// The longer name first where one begins another.
constexpr Unit kUnits[] = {{"ns", 1},   {"us", 1e3}, {"\u00b5s", 1e3}, {"\u03bcs", 1e3},
                           {"ms", 1e6}, {"s", 1e9},  {"m", 60e9},      {"h", 3600e9}};

// The greatest that fits into 64 bits, as in Go.
constexpr double kNanosecondsMax = 9.2e18;

}  // namespace

std::optional<Duration> parse_go_duration(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return Duration::zero();
  double all = 0;
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    if (text.front() != '.' && (text.front() < '0' || text.front() > '9')) return std::nullopt;
    double number = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const auto* const unit =
        std::ranges::find_if(kUnits, [&](const Unit& u) { return text.starts_with(u.name); });
    if (unit == std::end(kUnits)) return std::nullopt;
    text.remove_prefix(unit->name.size());
    all += number * unit->nanoseconds;
    if (!(all < kNanosecondsMax)) return std::nullopt;
  }
  return Duration(static_cast<Duration::rep>(all));
}

Section::Section(const Value& value, std::string place, std::string path, Problems& problems)
    : value_(value), place_(std::move(place)), path_(std::move(path)), problems_(problems) {
  if (value_.kind != Value::Kind::kMapping) note("", "a mapping is expected");
}

std::string Section::path_of(std::string_view name) const {
  if (name.empty()) return path_;
  return path_.empty() ? std::string(name) : format("{}.{}", path_, name);
}

void Section::note(std::string_view name, std::string_view what) const {
  const Value* const member = name.empty() ? nullptr : value_.find(name);
  const int line = member != nullptr ? member->line : value_.line;
  const std::string path = path_of(name);
  std::string problem = place_;
  if (line > 0) problem += format(":{}", line);
  problems_.push_back(path.empty() ? format("{}: {}", problem, what)
                                   : format("{}: {}: {}", problem, path, what));
}

const Value* Section::scalar(std::string_view name) const {
  const Value* const member = value_.find(name);
  if (member == nullptr || member->kind == Value::Kind::kScalar) return member;
  note(name, "a text is expected");
  return nullptr;
}

std::string Section::text(std::string_view name) const {
  const Value* const member = scalar(name);
  return member == nullptr ? std::string() : std::string(member->text());
}

Secret Section::secret(std::string_view name) const {
  const Value* const member = scalar(name);
  return member == nullptr ? Secret() : member->scalar;
}

bool Section::flag(std::string_view name) const {
  const Value* const member = scalar(name);
  if (member == nullptr || member->text() == "false") return false;
  if (member->text() == "true" && !member->is_string) return true;
  note(name, "true or false is expected");
  return false;
}

std::optional<Duration> Section::duration(std::string_view name) const {
  const Value* const member = scalar(name);
  if (member == nullptr) return std::nullopt;
  const std::optional<Duration> duration = parse_go_duration(member->text());
  if (!duration) note(name, "a duration such as 10m or 1h30m is expected");
  return duration;
}

const Value* Section::sequence(std::string_view name) const {
  const Value* const member = value_.find(name);
  if (member == nullptr || member->kind == Value::Kind::kSequence) return member;
  note(name, "a list is expected");
  return nullptr;
}

std::vector<std::string> Section::texts(std::string_view name) const {
  std::vector<std::string> all;
  const Value* const list = sequence(name);
  if (list == nullptr) return all;
  for (const Value& item : list->items) {
    if (item.kind == Value::Kind::kScalar) {
      all.emplace_back(item.text());
    } else {
      note(name, "a list of texts is expected");
    }
  }
  return all;
}

std::optional<Section> Section::section(std::string_view name) const {
  const Value* const member = value_.find(name);
  if (member == nullptr) return std::nullopt;
  if (member->kind != Value::Kind::kMapping) {
    note(name, "a mapping is expected");
    return std::nullopt;
  }
  return Section(*member, place_, path_of(name), problems_);
}

std::vector<Section> Section::sections(std::string_view name) const {
  std::vector<Section> all;
  const Value* const list = sequence(name);
  if (list == nullptr) return all;
  for (std::size_t i = 0; i < list->items.size(); ++i)
    all.emplace_back(list->items[i], place_, format("{}[{}]", path_of(name), i), problems_);
  return all;
}

std::vector<std::string> Section::others(const std::vector<std::string_view>& known) const {
  std::vector<std::string> all;
  for (const auto& [name, member] : value_.members) {
    if (std::ranges::find(known, name) == known.end()) all.push_back(name);
  }
  return all;
}

}  // namespace windlass::credentials
