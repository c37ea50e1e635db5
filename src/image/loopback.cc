#include <arpa/inet.h>

#include <string>

#include "windlass/base/text.h"
#include "windlass/image/image_reference.h"

namespace windlass::image {
namespace {

std::string host_of(std::string_view registry) {
  if (registry.starts_with('[')) {
    const std::size_t end = registry.find(']');
    return end == std::string_view::npos ? std::string() : std::string(registry.substr(1, end - 1));
  }
  return to_lower(registry.substr(0, registry.find(':')));
}

}  // namespace

bool is_loopback_registry(std::string_view registry) {
  const std::string host = host_of(registry);
  if (registry.starts_with('[')) {
    in6_addr address{};
    return inet_pton(AF_INET6, host.c_str(), &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address);
  }
  in_addr address{};
  if (inet_pton(AF_INET, host.c_str(), &address) == 1) return ntohl(address.s_addr) >> 24U == 127;
  return host == "localhost" || host.ends_with(".localhost");
}

}  // namespace windlass::image
