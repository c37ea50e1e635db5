// IgnorePatterns: one .gitignore file, and which paths it names.
//
// Git's rules: "#" comments, "!" takes back, a slash in front or in the middle ties a pattern to
// the file's folder, a slash at the end means folders only, "*" and "?" stop at slashes, "**" does
// not; the last pattern that fits decides. It does not know what git tracks.
//
// A value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace windlass::app {

class IgnorePatterns {
 public:
  static IgnorePatterns parse(std::string_view text);

  // Whether `path`, relative to the file's folder and without a slash at its ends, is ignored.
  // nullopt when no pattern fits: then a file further up decides.
  std::optional<bool> ignores(std::string_view path, bool is_directory) const;

 private:
  struct Pattern {
    std::string glob;  // of the whole path, or of the last component
    bool whole_path = false;
    bool directories_only = false;
    bool takes_back = false;
  };

  std::vector<Pattern> patterns_;
};

// True when `glob` fits all of `text`. "**" between slashes or at an end is any number of folders.
bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace windlass::app
