// A name server that does not answer: whoever asks another host is not held up, and the deadline
// and a stop end the wait.
//
// This program's own getaddrinfo() takes the place of the C library's, as libcurl calls it from
// threads of its own; it lets nobody go who asks for a name below "hang.test".
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <netdb.h>

#include <atomic>
#include <latch>
#include <string_view>

#include "windlass/http/curl_client.h"
#include "windlass/http/testing/raw_server.h"

namespace {

std::atomic<int> waiting = 0;
std::atomic<bool> released = false;

}  // namespace

extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints,
                           addrinfo** out) {
  static const auto real =
      reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
  if (name != nullptr && std::string_view(name).ends_with("hang.test")) {
    ++waiting;
    waiting.notify_all();
    released.wait(false);
    --waiting;
    waiting.notify_all();
    return EAI_FAIL;
  }
  return real(name, service, hints, out);
}

namespace windlass::http {
namespace {

TEST(CurlClientNames, ANameServerThatDoesNotAnswerHoldsNobodyElseUp) {
  RawServer server([](const std::string&) {
    return RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"};
  });
  auto client = CurlClient::create(system_clock(), {});
  ASSERT_TRUE(client.has_value());

  constexpr int kHanging = 200;
  constexpr int kNames = 20;
  std::atomic<int> cancelled = 0;
  std::latch all_ended(kHanging);
  std::stop_source stop;
  for (int i = 0; i < kHanging; ++i) {
    (*client)->send({.url = "https://" + std::to_string(i % kNames) + ".hang.test/",
                     .timeout = std::chrono::hours(1)},
                    stop.get_token(), [&](Result<Response> response) {
                      if (!response && response.error().code == ErrorCode::kCancelled) ++cancelled;
                      all_ended.count_down();
                    });
  }
  for (int now = waiting; now < kNames; now = waiting) waiting.wait(now);

  std::string by_name = server.url("/x");
  by_name.replace(by_name.find("127.0.0.1"), 9, "localhost");
  const auto answer = (*client)->send_blocking({.url = by_name});
  EXPECT_TRUE(answer.has_value()) << answer.error().message;

  const auto late = (*client)->send_blocking(
      {.url = "https://late.hang.test/", .timeout = std::chrono::milliseconds(20)});
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().code, ErrorCode::kTimedOut) << late.error().message;

  stop.request_stop();
  all_ended.wait();
  EXPECT_EQ(cancelled, kHanging);
  client->reset();  // nor does the end wait for it

  released = true;
  released.notify_all();
  for (int now = waiting; now > 0; now = waiting) waiting.wait(now);
}

}  // namespace
}  // namespace windlass::http
