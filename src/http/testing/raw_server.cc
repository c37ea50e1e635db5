#include "windlass/http/testing/raw_server.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "windlass/base/check.h"
#include "windlass/base/format.h"

namespace windlass::http {

RawServer::RawServer(Script script) : script_(std::move(script)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  WINDLASS_CHECK(bind(listener_, generic, size) == 0 && listen(listener_, 64) == 0);
  WINDLASS_CHECK(getsockname(listener_, generic, &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
}

RawServer::~RawServer() {
  thread_.request_stop();
  shutdown(listener_, SHUT_RDWR);
  thread_.join();
  close(listener_);
}

std::string RawServer::url(const std::string& path) const {
  return format("http://127.0.0.1:{}{}", port_, path);
}

std::vector<std::string> RawServer::heads() const {
  MutexLock lock(mutex_);
  return heads_;
}

void RawServer::serve(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    const std::stop_callback wake(stop, [connection] { shutdown(connection, SHUT_RDWR); });
    talk(connection);
    close(connection);
  }
}

void RawServer::talk(int connection) {
  std::string input;
  std::array<char, 4096> buffer{};
  for (;;) {
    std::size_t end = input.find("\r\n\r\n");
    while (end == std::string::npos) {
      const ssize_t got = read(connection, buffer.data(), buffer.size());
      if (got <= 0) return;
      input.append(buffer.data(), static_cast<std::size_t>(got));
      end = input.find("\r\n\r\n");
    }
    const std::string head = input.substr(0, end + 4);
    input.clear();
    {
      MutexLock lock(mutex_);
      heads_.push_back(head);
    }
    const Reply reply = script_(head);
    if (send(connection, reply.bytes.data(), reply.bytes.size(), MSG_NOSIGNAL) < 0) return;
    if (reply.hang) {
      while (read(connection, buffer.data(), buffer.size()) > 0) continue;
    }
    if (reply.close || reply.hang) return;
  }
}

}  // namespace windlass::http
