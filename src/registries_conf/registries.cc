#include "windlass/registries_conf/registries.h"

#include <algorithm>
#include <array>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::registries_conf {
namespace {

constexpr std::array<std::string_view, 3> kHubNames = {"docker.io", "index.docker.io",
                                                       "registry-1.docker.io"};

bool is_hub(std::string_view host) { return std::ranges::find(kHubNames, host) != kHubNames.end(); }

std::string target_of(const image::ImageReference& reference) {
  return (reference.digest() ? '@' : ':') + std::string(reference.lookup_target());
}

// "HOST/PATH:TAG", as prefixes are compared with.
std::string full_name(const image::ImageReference& reference) {
  return reference.registry() + '/' + reference.repository() + target_of(reference);
}

bool is_short(const image::ImageReference& reference) {
  const std::string_view name = reference.written_name();
  return reference.registry() == "docker.io" && !is_hub(to_lower(name.substr(0, name.find('/'))));
}

// The reference `text`, on the very host that it starts with: without a dot or a port the parser
// would take it for a path on Docker Hub.
Result<image::ImageReference> located(const std::string& text, const std::string& place) {
  Result<image::ImageReference> reference = image::ImageReference::parse(text);
  if (!reference) return fail(std::move(reference.error()), place + ": location");
  const std::string host = to_lower(text.substr(0, text.find('/')));
  if (reference->registry() == "docker.io" && !is_hub(host)) {
    return fail(ErrorCode::kInvalid,
                format("{}: location: {} does not start with a registry's host; one without a dot "
                       "needs its port",
                       place, quoted(text)));
  }
  return reference;
}

bool may_ask(const Mirror& mirror, bool by_digest) {
  return mirror.pull_from == PullFrom::kAll ||
         (mirror.pull_from == PullFrom::kDigestOnly) == by_digest;
}

}  // namespace

std::size_t match(std::string_view prefix, std::string_view name) {
  // A host with a port is another registry than the same host without.
  const std::string_view host = name.substr(0, name.find('/'));
  const std::size_t host_size = std::min(prefix.find('/'), prefix.size());
  std::string_view wanted = prefix.substr(0, host_size);
  if (wanted.starts_with("*.")) {
    wanted.remove_prefix(1);
    if (!host.ends_with(wanted) || host.size() == wanted.size()) return 0;
  } else if (host != wanted) {
    return 0;
  }
  const std::string_view path = prefix.substr(host_size);
  const std::string_view rest = name.substr(host.size());
  if (!rest.starts_with(path)) return 0;
  const bool ends_well = rest.size() == path.size() || path.empty() || rest[path.size()] == '/' ||
                         rest[path.size()] == ':' || rest[path.size()] == '@';
  return ends_well ? host.size() + path.size() : 0;
}

const Registry* Registries::find(const image::ImageReference& reference) const {
  const std::string name = full_name(reference);
  const Registry* best = nullptr;
  for (const Registry& registry : registries_) {
    if (best != nullptr && registry.prefix.size() <= best->prefix.size()) continue;
    if (match(registry.prefix, name) > 0) best = &registry;
  }
  return best;
}

Result<void> check_location(const std::string& location, const std::string& place) {
  const auto reference = located(location + "/app", place);
  if (!reference) return fail(reference.error());
  return {};
}

Result<std::vector<Endpoint>> Registries::endpoints_of(
    const image::ImageReference& reference) const {
  const Registry* registry = find(reference);
  if (registry == nullptr) return std::vector{Endpoint{.reference = reference}};
  if (registry->fault) return fail(*registry->fault);
  if (registry->blocked) {
    return fail(ErrorCode::kForbidden,
                format("{} is blocked by {}; name an image elsewhere, or change that file",
                       printable(registry->prefix), registry->place));
  }
  const std::string name = full_name(reference);
  const std::string rest = name.substr(match(registry->prefix, name));
  std::vector<Endpoint> endpoints;
  for (const Mirror& mirror : registry->mirrors) {
    if (!may_ask(mirror, reference.is_pinned())) continue;
    // One that cannot have this image is passed over, as one that does not.
    auto there = located(mirror.location + rest, mirror.place);
    if (!there) continue;
    endpoints.push_back(
        {.reference = *std::move(there), .insecure = mirror.insecure, .is_mirror = true});
  }
  if (registry->location.empty()) {
    endpoints.push_back({.reference = reference, .insecure = registry->insecure});
    return endpoints;
  }
  auto there = located(registry->location + rest, registry->location_place);
  if (!there) return fail(std::move(there.error()));
  endpoints.push_back({.reference = *std::move(there), .insecure = registry->insecure});
  return endpoints;
}

Result<image::ImageReference> Registries::expand(const image::ImageReference& reference) const {
  if (!is_short(reference)) return reference;
  const std::string written(reference.written_name());
  const std::string target = reference.written().substr(written.size());
  if (const auto alias = aliases_.find(written); alias != aliases_.end())
    return image::ImageReference::parse(alias->second + target);
  if (searched_.empty()) return reference;
  if (searched_.size() == 1)
    return image::ImageReference::parse(searched_.front() + '/' + written + target);
  std::string candidates;
  for (const std::string& registry : searched_) {
    if (!candidates.empty()) candidates += ", ";
    candidates += format("{}/{}", registry, written);
  }
  return fail(ErrorCode::kInvalid,
              format("{} is a short name that may mean any of {}; write the one that is meant, or "
                     "give it an alias",
                     quoted(written), printable(candidates, 400)));
}

void Registries::add(Registry registry) {
  const auto at = std::ranges::lower_bound(registries_, registry.prefix, {}, &Registry::prefix);
  if (at != registries_.end() && at->prefix == registry.prefix) {
    *at = std::move(registry);
  } else {
    registries_.insert(at, std::move(registry));
  }
}

void Registries::set_alias(const std::string& name, const std::string& full_name) {
  if (full_name.empty()) {
    aliases_.erase(name);
  } else {
    aliases_[name] = full_name;
  }
}

}  // namespace windlass::registries_conf
