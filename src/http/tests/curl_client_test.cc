// Against a server of this process, over loopback: what comes back for each kind of answer, and how
// a request ends that gets none.
#include "windlass/http/curl_client.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

#include "windlass/http/testing/raw_server.h"

namespace windlass::http {
namespace {

using Reply = RawServer::Reply;

std::string ok(std::string_view body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

std::unique_ptr<CurlClient> make_client(CurlClient::Options options = {}) {
  auto client = CurlClient::create(system_clock(), std::move(options));
  EXPECT_TRUE(client.has_value());
  return *std::move(client);
}

Request get(const RawServer& server, Duration timeout = std::chrono::minutes(5)) {
  return {.url = server.url("/x"), .timeout = timeout};
}

TEST(CurlClient, HandsBackStatusHeadersAndBody) {
  RawServer server([](const std::string&) {
    return Reply{"HTTP/1.1 404 Gone\r\nX-A:  one \r\nx-a: two\r\nContent-Length: 4\r\n\r\nbody"};
  });
  const Result<Response> response = make_client()->send_blocking(get(server));
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->status, 404);
  EXPECT_EQ(response->body, "body");
  EXPECT_EQ(response->headers.all("X-A"), (std::vector<std::string_view>{"one", "two"}));
}

TEST(CurlClient, SendsWhatItWasGivenAndSaysWhoItIs) {
  RawServer server([](const std::string&) { return Reply{ok("")}; });
  Request request = get(server);
  request.method = Method::kPost;
  request.headers.add("X-Empty", "");
  request.headers.add("X-Full", "a: b");
  request.body = "grant=1";
  ASSERT_TRUE(make_client()->send_blocking(std::move(request)).has_value());
  const std::string head = server.heads().at(0);
  EXPECT_TRUE(head.starts_with("POST /x HTTP/1.1\r\n")) << head;
  for (const std::string_view line : {"User-Agent: windlass/", "Accept-Encoding: identity\r\n",
                                      "X-Empty:\r\n", "X-Full: a: b\r\n", "Content-Length: 7\r\n"})
    EXPECT_NE(head.find(line), std::string::npos) << head;
  EXPECT_EQ(head.find("Expect"), std::string::npos);
}

TEST(CurlClient, FollowsNoRedirect) {
  RawServer server([](const std::string&) {
    return Reply{"HTTP/1.1 307 Elsewhere\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n"};
  });
  const Result<Response> response = make_client()->send_blocking(get(server));
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 307);
  EXPECT_EQ(*response->headers.find("location"), "/other");
  EXPECT_EQ(server.heads().size(), 1U);
}

TEST(CurlClient, InterimAnswersLeaveNoHeadersBehind) {
  RawServer server([](const std::string&) {
    return Reply{"HTTP/1.1 103 Early Hints\r\nX-A: early\r\n\r\n" + ok("x")};
  });
  const Result<Response> response = make_client()->send_blocking(get(server));
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->headers.find("x-a"), nullptr);
}

TEST(CurlClient, AFoldedLineIsNoFieldOfItsOwn) {
  RawServer server([](const std::string&) {
    return Reply{
        "HTTP/1.1 200 OK\r\nX-A: one\r\n X-B: forged\r\n\ttwo\r\nContent-Length: 0\r\n\r\n"};
  });
  const Result<Response> response = make_client()->send_blocking(get(server));
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(*response->headers.find("x-a"), "one X-B: forged two");
  EXPECT_EQ(response->headers.find("x-b"), nullptr);
}

TEST(CurlClient, ConnectionIsUsedAgain) {
  RawServer server([](const std::string&) { return Reply{ok("x")}; });
  const auto client = make_client();
  // The server takes one connection at a time: a second one would wait for ever.
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(client->send_blocking(get(server)).has_value());
}

TEST(CurlClient, BrokenAnswersAreNeverTakenForWholeOnes) {
  struct Row {
    Reply reply;
    ErrorCode code;
  };
  const Row table[] = {
      {{"", true}, ErrorCode::kUnavailable},
      {{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort", true}, ErrorCode::kUnavailable},
      {{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n", true},
       ErrorCode::kUnavailable},
      {{"SSH-2.0-OpenSSH\r\n", true}, ErrorCode::kInvalid},
  };
  for (const Row& row : table) {
    RawServer server([&](const std::string&) { return row.reply; });
    const Result<Response> response = make_client()->send_blocking(get(server));
    ASSERT_FALSE(response.has_value()) << row.reply.bytes;
    EXPECT_EQ(response.error().code, row.code) << response.error().message;
  }
}

TEST(CurlClient, BodyOverTheLimitIsRefused) {
  RawServer server([](const std::string&) { return Reply{ok("12345678")}; });
  Request fits = get(server);
  fits.body_bytes_max = 8;
  EXPECT_TRUE(make_client()->send_blocking(std::move(fits)).has_value());
  Request too_long = get(server);
  too_long.body_bytes_max = 7;
  const Result<Response> response = make_client()->send_blocking(std::move(too_long));
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code, ErrorCode::kInvalid);
  EXPECT_NE(response.error().message.find("longer than 7 bytes"), std::string::npos);
}

TEST(CurlClient, HeaderOverTheLimitIsRefused) {
  RawServer server([](const std::string&) {
    return Reply{"HTTP/1.1 200 OK\r\nX-A: " + std::string(2000, 'a') + "\r\n\r\n", true};
  });
  const Result<Response> response =
      make_client({.header_bytes_max = 1000})->send_blocking(get(server));
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code, ErrorCode::kInvalid);
}

TEST(CurlClient, SilenceEndsWithTheTimeout) {
  RawServer server([](const std::string&) { return Reply{"", false, true}; });
  const Result<Response> response =
      make_client()->send_blocking(get(server, std::chrono::milliseconds(20)));
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code, ErrorCode::kTimedOut);
}

TEST(CurlClient, StopEndsARequestThatHangs) {
  std::latch arrived(1);
  RawServer server([&](const std::string&) {
    arrived.count_down();
    return Reply{"", false, true};
  });
  const auto client = make_client();
  std::stop_source stop;
  std::latch ended(1);
  client->send(get(server), stop.get_token(), [&](const Result<Response>& response) {
    EXPECT_EQ(response.error().code, ErrorCode::kCancelled);
    ended.count_down();
  });
  arrived.wait();
  stop.request_stop();
  ended.wait();
}

TEST(CurlClient, StoppedBeforeItIsSentIsNeverSent) {
  RawServer server([](const std::string&) { return Reply{ok("x")}; });
  std::stop_source stop;
  stop.request_stop();
  const Result<Response> response = make_client()->send_blocking(get(server), stop.get_token());
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(server.heads().empty());
}

TEST(CurlClient, DestructionAnswersWhatIsPending) {
  RawServer server([](const std::string&) { return Reply{"", false, true}; });
  int cancelled = 0;
  {
    const auto client = make_client({.requests_per_host_max = 2});
    for (int i = 0; i < 10; ++i) {
      client->send(get(server), {}, [&](const Result<Response>& response) {
        cancelled += response.error().code == ErrorCode::kCancelled ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(cancelled, 10);
}

TEST(CurlClient, MoreRequestsThanTheWireTakesAllGetTheirAnswer) {
  RawServer server([](const std::string&) { return Reply{ok("x")}; });
  const auto client = make_client({.connections_per_host_max = 1, .requests_per_host_max = 3});
  constexpr int kRequests = 200;
  std::latch answered(kRequests);
  std::atomic<int> good = 0;
  for (int i = 0; i < kRequests; ++i) {
    client->send(get(server), {}, [&](const Result<Response>& response) {
      good += response.has_value() ? 1 : 0;
      answered.count_down();
    });
  }
  answered.wait();
  EXPECT_EQ(good, kRequests);
}

TEST(CurlClient, ServersThatNeverAnswerLeaveConnectionsForOthers) {
  const auto silent = [](const std::string&) { return Reply{"", false, true}; };
  RawServer first(silent);
  RawServer second(silent);
  RawServer healthy([](const std::string&) { return Reply{ok("x")}; });
  const auto client = make_client({.connections_max = 6});
  for (int i = 0; i < 10; ++i) {
    for (const RawServer* server : {&first, &second})
      client->send(get(*server), {}, [](const Result<Response>&) {});
  }
  for (int i = 0; i < 3; ++i) {
    const auto response = client->send_blocking(get(healthy, std::chrono::seconds(20)));
    ASSERT_TRUE(response.has_value()) << response.error().message;
  }
}

TEST(CurlClient, ManyHostsTakeTurnsWithFewConnections) {
  std::vector<std::unique_ptr<RawServer>> servers;
  for (int i = 0; i < 5; ++i)
    servers.push_back(
        std::make_unique<RawServer>([](const std::string&) { return Reply{ok("x"), true}; }));
  const auto client = make_client({.connections_max = 2});
  constexpr int kRequests = 100;
  std::latch answered(kRequests);
  std::atomic<int> good = 0;
  for (std::size_t i = 0; i < kRequests; ++i) {
    client->send(get(*servers[i % servers.size()]), {}, [&](const Result<Response>& response) {
      good += response.has_value() ? 1 : 0;
      answered.count_down();
    });
  }
  answered.wait();
  EXPECT_EQ(good, kRequests);
}

TEST(CurlClient, OneRequestTooManyIsRefused) {
  RawServer server([](const std::string&) { return Reply{"", false, true}; });
  const auto client = make_client({.requests_max = 1});
  client->send(get(server), {}, [](const Result<Response>&) {});
  const Result<Response> response = client->send_blocking(get(server));
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
}

TEST(CurlClient, RefusedConnectionIsUnavailable) {
  std::string url;
  {
    const RawServer gone([](const std::string&) { return Reply{}; });
    url = gone.url("/");
  }
  const Result<Response> response = make_client()->send_blocking({.url = url});
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(response.error().message.find("connection refused"), std::string::npos)
      << response.error().message;
}

TEST(CurlClient, LineBreaksInHeadersAreNotSent) {
  RawServer server([](const std::string&) { return Reply{ok("x")}; });
  Request request = get(server);
  request.headers.add("Authorization", "Bearer a\r\nX-Injected: 1");
  const Result<Response> response = make_client()->send_blocking(std::move(request));
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(server.heads().empty());
}

TEST(CurlClient, FilesThatCannotBeUsedAreNamed) {
  const auto client =
      CurlClient::create(system_clock(), {.tls = {.ca_files = {"/nowhere/ca.pem"}}});
  ASSERT_FALSE(client.has_value());
  EXPECT_EQ(client.error().code, ErrorCode::kInvalid);
  EXPECT_NE(client.error().message.find("/nowhere/ca.pem"), std::string::npos);
}

}  // namespace
}  // namespace windlass::http
