#include "listen_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "windlass/base/format.h"
#include "windlass/base/number.h"
#include "windlass/base/text.h"

namespace windlass::telemetry_export {
namespace {

constexpr int kBacklog = 64;

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

template <class Family>
Address address_of(const Family& family) {
  Address address;
  std::memcpy(&address.storage, &family, sizeof family);
  address.size = sizeof family;
  return address;
}

// Names are not looked up, so that the answer of a name server decides nothing here.
std::optional<Address> parse(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto port = parse_number<std::uint16_t>(text.substr(colon + 1));
  std::string host(text.substr(0, colon));
  if (!port) return std::nullopt;
  if (host == "localhost") host = "127.0.0.1";
  const bool brackets = host.starts_with('[') && host.ends_with(']');
  if (brackets) host = host.substr(1, host.size() - 2);

  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(*port);
  v6.sin6_addr = in6addr_any;
  if (host.empty() && !brackets) return address_of(v6);
  if (brackets && ::inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) == 1) return address_of(v6);
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(*port);
  if (!brackets && ::inet_pton(AF_INET, host.c_str(), &v4.sin_addr) == 1) return address_of(v4);
  return std::nullopt;
}

// An address without a host takes IPv4 too, where the machine has no IPv6 only that.
int bind_to(const Address& address, bool any) {
  const int file =
      ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0) return -1;
  const int on = 1;
  const int v6_only = any ? 0 : 1;
  ::setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address.storage.ss_family == AF_INET6)
    ::setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &v6_only, sizeof v6_only);
  if (::bind(file, std::bit_cast<const sockaddr*>(&address.storage), address.size) == 0 &&
      ::listen(file, kBacklog) == 0)
    return file;
  const int number = errno;
  ::close(file);
  errno = number;
  return -1;
}

}  // namespace

Result<ListenSocket> ListenSocket::open(std::string_view text) {
  auto address = parse(text);
  if (!address) {
    return fail(ErrorCode::kInvalid,
                format("{} is no address to listen on: expected ADDRESS:PORT, [IPV6]:PORT or "
                       ":PORT, such as 127.0.0.1:9464",
                       quoted(text)));
  }
  const bool any = text.starts_with(':');
  int file = bind_to(*address, any);
  if (file < 0 && any && errno == EAFNOSUPPORT) {
    address = parse("0.0.0.0" + std::string(text));
    file = bind_to(*address, false);
  }
  if (file >= 0) return ListenSocket(file);
  const int number = errno;
  const ErrorCode code = number == EADDRINUSE      ? ErrorCode::kConflict
                         : number == EACCES        ? ErrorCode::kForbidden
                         : number == EADDRNOTAVAIL ? ErrorCode::kInvalid
                                                   : ErrorCode::kUnavailable;
  return fail(code, format("cannot listen on {}: {}", printable(text),
                           std::generic_category().message(number)));
}

ListenSocket::ListenSocket(ListenSocket&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

ListenSocket::~ListenSocket() {
  if (file_ >= 0) ::close(file_);
}

std::string ListenSocket::address() const {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  ::getsockname(file_, std::bit_cast<sockaddr*>(&storage), &size);
  char text[INET6_ADDRSTRLEN] = {};
  if (storage.ss_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &storage, sizeof v6);
    ::inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
    return format("[{}]:{}", text, ntohs(v6.sin6_port));
  }
  sockaddr_in v4{};
  std::memcpy(&v4, &storage, sizeof v4);
  ::inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
  return format("{}:{}", text, ntohs(v4.sin_port));
}

}  // namespace windlass::telemetry_export
