#include "windlass/resolver/skip_list.h"

#include <algorithm>

#include "windlass/base/text.h"

namespace windlass::resolver {
namespace {

// Docker Hub goes by several names; ImageReference folds them into the first.
std::string fold_hub(std::string host) {
  if (host == "index.docker.io" || host == "registry-1.docker.io") return "docker.io";
  return host;
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || std::string_view("-._:[]").contains(c);
}

bool is_below(std::string_view repository, std::string_view path) {
  return repository.starts_with(path) &&
         (repository.size() == path.size() || repository[path.size()] == '/');
}

}  // namespace

SkipList SkipList::of_local_development() {
  SkipList list;
  list.patterns_ = {{"kind.local", ""}, {"ko.local", ""}, {"dev.local", ""}};
  return list;
}

Result<SkipList::Pattern> SkipList::parse_pattern(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  std::string host = fold_hub(to_lower(text.substr(0, slash)));
  std::string_view path = text.substr(slash);
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);

  if (host.starts_with("*.")) host.erase(0, 1);
  const bool well_formed =
      !host.empty() && host != "." && std::ranges::all_of(host, is_host_character);
  if (!well_formed || text.contains("://")) {
    return fail(ErrorCode::kInvalid, "skip pattern " + quoted(text) +
                                         ": expected host[:port], *.suffix, or either followed by "
                                         "/path, such as registry.test:5000/team");
  }
  return Pattern{std::move(host), std::string(path)};
}

Result<SkipList> SkipList::parse(std::span<const std::string> patterns) {
  SkipList list;
  for (const std::string& written : patterns) {
    const std::string_view text = trim(written);
    if (text.empty()) continue;
    Result<Pattern> pattern = parse_pattern(text);
    if (!pattern) return fail(std::move(pattern.error()));
    list.patterns_.push_back(std::move(*pattern));
  }
  return list;
}

Result<SkipList> SkipList::parse_list(std::string_view patterns) {
  std::vector<std::string> parts;
  while (!patterns.empty()) {
    const std::size_t comma = std::min(patterns.find(','), patterns.size());
    parts.emplace_back(patterns.substr(0, comma));
    patterns.remove_prefix(std::min(comma + 1, patterns.size()));
  }
  return parse(parts);
}

bool SkipList::matches(const image::ImageReference& reference) const {
  return std::ranges::any_of(patterns_, [&](const Pattern& pattern) {
    const bool host_fits = pattern.host.starts_with('.')
                               ? reference.registry().ends_with(pattern.host)
                               : reference.registry() == pattern.host;
    return host_fits && (pattern.path.empty() || is_below(reference.repository(), pattern.path));
  });
}

}  // namespace windlass::resolver
