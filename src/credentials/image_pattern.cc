#include "windlass/credentials/image_pattern.h"

#include <algorithm>

#include "glob.h"
#include "registry_key.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::credentials {
namespace {

struct HostAndPort {
  std::string_view host;
  std::string_view port;
};

HostAndPort split_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  // The colons of an address in brackets belong to it.
  if (colon == std::string_view::npos || text.find(']', colon) != std::string_view::npos)
    return {.host = text, .port = {}};
  return {.host = text.substr(0, colon), .port = text.substr(colon + 1)};
}

std::vector<std::string_view> labels_of(std::string_view host) {
  std::vector<std::string_view> labels;
  for (;;) {
    const std::size_t dot = std::min(host.find('.'), host.size());
    labels.push_back(host.substr(0, dot));
    if (dot == host.size()) return labels;
    host.remove_prefix(dot + 1);
  }
}

// "[::1]" is an address, whatever wildcards make of brackets.
bool is_address(std::string_view host) { return host.starts_with('[') && host.contains(':'); }

}  // namespace

Result<ImagePattern> ImagePattern::parse(std::string_view text) {
  const RegistryKey key = parse_registry_key(text);
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kInvalid, format("{} {}", quoted(text, 100), why));
  };
  const HostAndPort parts = split_port(key.host);
  if (parts.host.empty()) return refuse("names no registry");
  ImagePattern pattern;
  if (is_address(parts.host)) {
    pattern.labels_.emplace_back(parts.host);
  } else {
    for (const std::string_view label : labels_of(parts.host)) {
      if (!is_glob(label)) return refuse("holds a wildcard that is not closed");
      pattern.labels_.emplace_back(label);
    }
  }
  pattern.port_ = parts.port;
  pattern.path_ = key.path;
  pattern.text_ = key.path.empty() ? key.host : key.host + '/' + key.path;
  return pattern;
}

bool ImagePattern::covers_host(std::string_view registry) const {
  const HostAndPort parts = split_port(registry);
  if (parts.port != port_) return false;
  if (is_address(parts.host)) return labels_.size() == 1 && labels_.front() == parts.host;
  const std::vector<std::string_view> labels = labels_of(parts.host);
  return std::ranges::equal(labels_, labels, &glob_matches);
}

bool ImagePattern::covers(const image::ImageReference& reference) const {
  const std::string& repository = reference.repository();
  if (!path_.empty() && !(repository.starts_with(path_) &&
                          (repository.size() == path_.size() || repository[path_.size()] == '/')))
    return false;
  if (reference.registry() != "docker.io") return covers_host(reference.registry());
  return std::ranges::any_of(docker_hub_names(),
                             [this](std::string_view name) { return covers_host(name); });
}

}  // namespace windlass::credentials
