// To which token service a login may be sent. A registry names its token service itself; one that
// may name any host could have every login sent to itself through a stranger's registry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "windlass/http/url.h"

namespace windlass::registry {

// True when `realm` belongs to the registry: the same host, a host of the same site (not one that
// merely shares a public suffix, as co.uk), a pair known to belong together, or a host in
// `trusted`. Over plain http only when the registry itself is asked that way, and the realm is on
// the same host or trusted.
bool may_receive_login(const http::Url& registry, const http::Url& realm,
                       const std::vector<std::string>& trusted);

// True when strangers share the last labels of both names, so that they prove nothing.
bool is_public_suffix(std::string_view name);

}  // namespace windlass::registry
