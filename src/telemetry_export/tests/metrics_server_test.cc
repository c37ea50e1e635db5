#include "windlass/telemetry_export/metrics_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <latch>
#include <thread>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/http/curl_client.h"
#include "windlass/telemetry_export/prometheus_text.h"

namespace windlass::telemetry_export {
namespace {

using telemetry::Metrics;

std::unique_ptr<MetricsServer> serve(const Metrics& metrics, MetricsServer::Options options = {}) {
  auto server = MetricsServer::start(system_clock(), "127.0.0.1:0", metrics, options);
  EXPECT_TRUE(server) << server.error().message;
  return std::move(*server);
}

Result<http::Response> ask(const std::string& address, const std::string& path,
                           http::Method method = http::Method::kGet) {
  auto client = http::CurlClient::create(system_clock(), {});
  return (*client)->send_blocking({.method = method,
                                   .url = "http://" + address + path,
                                   .headers = {},
                                   .body = "",
                                   .body_bytes_max = std::size_t{64} << 20U});
}

// A connection that asks and does not read.
class SlowScraper {
 public:
  explicit SlowScraper(const std::string& address) : file_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const int small = 4096;
    ::setsockopt(file_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int port = std::stoi(address.substr(address.rfind(':') + 1));
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    EXPECT_EQ(::connect(file_, std::bit_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  ~SlowScraper() { ::close(file_); }
  SlowScraper(const SlowScraper&) = delete;
  SlowScraper& operator=(const SlowScraper&) = delete;

  void send(std::string_view text) const {
    EXPECT_EQ(::send(file_, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }

  std::string read_to_end() const {
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::recv(file_, buffer, sizeof buffer, 0)) > 0;)
      text.append(buffer, static_cast<std::size_t>(count));
    return text;
  }

 private:
  const int file_;
};

// Far more than the buffers of a connection hold.
Metrics::Registration publish_much(Metrics& metrics) {
  return metrics.on_collect([](telemetry::MetricWriter& writer) {
    for (int i = 0; i < 2; ++i)
      writer.gauge("big", "Big.", {{"n", std::to_string(i) + std::string(1U << 20U, 'x')}}, 1);
  });
}

TEST(MetricsServer, AnswersWithTheMetricsOfTheMoment) {
  Metrics metrics;
  const auto server = serve(metrics);
  const auto counter = metrics.counter("runs_total", "Runs.");
  for (int i = 0; i < 2; ++i) {
    counter.add();
    const auto answer = ask(server->address(), "/metrics?name=x");
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(*answer->headers.find("Content-Type"), kPrometheusContentType);
    EXPECT_EQ(answer->body, prometheus_text(metrics.collect()));
  }
}

TEST(MetricsServer, KnowsOnePathAndTwoMethods) {
  const Metrics metrics;
  const auto server = serve(metrics);
  EXPECT_EQ(ask(server->address(), "/")->status, 404);
  EXPECT_EQ(ask(server->address(), "/metrics", http::Method::kHead)->status, 200);
  EXPECT_EQ(ask(server->address(), "/metrics", http::Method::kPost)->status, 405);
}

TEST(MetricsServer, ASlowScraperBlocksNobody) {
  Metrics metrics;
  const auto much = publish_much(metrics);
  const auto server = serve(metrics, {.stop_patience = Duration::zero()});
  const SlowScraper half_a_request(server->address());
  half_a_request.send("GET /metr");
  const SlowScraper not_reading(server->address());
  not_reading.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  for (int i = 0; i < 3; ++i) {
    const auto answer = ask(server->address(), "/metrics");
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_GT(answer->body.size(), std::size_t{2} << 20U);
  }
}

// One that sends or reads byte by byte is never idle. With room for one connection only, whoever
// comes next is served when it has been cut off.
TEST(MetricsServer, ARequestThatTakesForEverIsCutOff) {
  Metrics metrics;
  const auto much = publish_much(metrics);
  for (const char* begun : {"GET /metr", "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
                            "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"}) {
    FakeClock clock;
    const auto server = MetricsServer::start(
        clock, "127.0.0.1:0", metrics,
        {.connections_max = 1, .idle_timeout = std::chrono::hours(1), .stop_patience = {}});
    ASSERT_TRUE(server);
    const SlowScraper slow((*server)->address());
    slow.send(begun);
    while (clock.next_deadline() == TimePoint::max()) std::this_thread::yield();
    std::jthread mover([&] { clock.advance(std::chrono::seconds(30)); });
    const auto answer = ask((*server)->address(), "/metrics");
    ASSERT_TRUE(answer) << begun << ": " << answer.error().message;
    EXPECT_EQ(answer->status, 200) << begun;
  }
}

TEST(MetricsServer, ABodyIsRefusedBeforeItIsRead) {
  const Metrics metrics;
  const auto server = serve(metrics);
  for (const char* body : {"Content-Length: 1000000", "Transfer-Encoding: chunked"}) {
    const SlowScraper sender(server->address());
    sender.send("POST /metrics HTTP/1.1\r\nHost: x\r\n" + std::string(body) + "\r\n\r\n");
    const std::string answer = sender.read_to_end();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 413 ")) << answer;
  }
}

TEST(MetricsServer, FinishesTheAnswerThatIsUnderWay) {
  Metrics metrics;
  std::latch asked(1);
  std::latch go_on(1);
  const auto registration = metrics.on_collect([&](telemetry::MetricWriter&) {
    asked.count_down();
    go_on.wait();
  });
  auto server = serve(metrics, {.stop_patience = std::chrono::minutes(1)});
  Result<http::Response> answer = http::Response{};
  {
    std::jthread scraper([&, address = server->address()] { answer = ask(address, "/metrics"); });
    asked.wait();
    std::jthread stopper([&] { server.reset(); });
    go_on.count_down();
  }
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 200);
}

TEST(MetricsServer, EndsThoughAConnectionIsOpen) {
  const Metrics metrics;
  auto server = serve(metrics);
  const SlowScraper idle(server->address());
  idle.send("GET /metrics HTTP/1.1\r\n");
  const std::string address = server->address();
  server.reset();
  EXPECT_FALSE(ask(address, "/metrics"));
}

TEST(MetricsServer, AnswersRubbishWithoutHarm) {
  const Metrics metrics;
  const auto server = serve(metrics);
  const SlowScraper rubbish(server->address());
  rubbish.send(std::string(100'000, '\xff'));
  EXPECT_EQ(ask(server->address(), "/metrics")->status, 200);
}

TEST(MetricsServer, TellsTheRealPortAndWhoHasIt) {
  const Metrics metrics;
  const auto server = serve(metrics);
  EXPECT_TRUE(server->address().starts_with("127.0.0.1:"));
  EXPECT_FALSE(server->address().ends_with(":0"));
  const auto second = MetricsServer::start(system_clock(), server->address(), metrics, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_EQ(second.error().message,
            "metrics: cannot listen on " + server->address() + ": Address already in use");
}

TEST(MetricsServer, ListensOnWhatIsWritten) {
  const Metrics metrics;
  for (const char* address : {"localhost:0", ":0"}) {
    const auto server = MetricsServer::start(system_clock(), address, metrics, {});
    ASSERT_TRUE(server) << server.error().message;
    const std::string& real = (*server)->address();
    EXPECT_EQ(ask("127.0.0.1" + real.substr(real.rfind(':')), "/metrics")->status, 200) << address;
  }
}

TEST(MetricsServer, RefusesWhatIsNoAddress) {
  const Metrics metrics;
  for (const char* address : {"", "9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "host:1",
                              "[::1:1", "[127.0.0.1]:1", "[]:1", "::1:9464", "127.0.0.1:+1"}) {
    const auto server = MetricsServer::start(system_clock(), address, metrics, {});
    ASSERT_FALSE(server) << address;
    EXPECT_EQ(server.error().code, ErrorCode::kInvalid) << address;
  }
}

}  // namespace
}  // namespace windlass::telemetry_export
