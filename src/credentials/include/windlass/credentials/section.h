// Section: a mapping of a document while it is read: its members by name and type, with what is
// wrong noted as "PLACE:LINE: path.to.key: what was expected".
//
// A view: the document, and the list of problems, outlive it. No problem shows a scalar's text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/time.h"
#include "windlass/credentials/document.h"

namespace windlass::credentials {

class Section {
 public:
  using Problems = std::vector<std::string>;

  // Notes a problem when `value` is not a mapping; all members are missing then.
  Section(const Value& value, std::string place, std::string path, Problems& problems);

  // "" when the member is missing, null, or (noted) no scalar.
  std::string text(std::string_view name) const;
  Secret secret(std::string_view name) const;

  bool flag(std::string_view name) const;  // false when missing, or (noted) not true or false
  std::optional<Duration> duration(std::string_view name) const;  // as Go writes them
  std::vector<std::string> texts(std::string_view name) const;    // of a sequence of scalars

  std::optional<Section> section(std::string_view name) const;  // a member that is a mapping
  std::vector<Section> sections(std::string_view name) const;   // a sequence of mappings

  const Value& value() const { return value_; }
  bool has(std::string_view name) const { return value_.find(name) != nullptr; }

  // The names of members that are not among `known`.
  std::vector<std::string> others(const std::vector<std::string_view>& known) const;

  // Notes that `name` (or, when "", the section) is wrong.
  void note(std::string_view name, std::string_view what) const;

  // "clusters[0].cluster"
  const std::string& path() const { return path_; }

 private:
  const Value* scalar(std::string_view name) const;
  const Value* sequence(std::string_view name) const;
  std::string path_of(std::string_view name) const;

  const Value& value_;
  std::string place_;
  std::string path_;
  Problems& problems_;
};

// "10m", "1h30m", "0", "1.5s": Go's notation, not negative. None for anything else.
std::optional<Duration> parse_go_duration(std::string_view text);

}  // namespace windlass::credentials
