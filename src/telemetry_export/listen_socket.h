// A TCP socket that listens.
#pragma once

#include <string>
#include <string_view>

#include "windlass/base/result.h"

namespace windlass::telemetry_export {

// Closes what it holds.
class ListenSocket {
 public:
  // See MetricsServer::start() for the forms of `address` and the errors.
  static Result<ListenSocket> open(std::string_view address);

  ListenSocket(ListenSocket&& other) noexcept;
  ListenSocket& operator=(ListenSocket&&) = delete;
  ListenSocket(const ListenSocket&) = delete;
  ListenSocket& operator=(const ListenSocket&) = delete;
  ~ListenSocket();

  int file() const { return file_; }

  // Where it really listens: "127.0.0.1:41234", "[::]:9464".
  std::string address() const;

 private:
  explicit ListenSocket(int file) : file_(file) {}

  int file_;
};

}  // namespace windlass::telemetry_export
