// Against a server on loopback, over real connections; pauses are made short.
#include "windlass/kube/api_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>

#include "windlass/base/testing/temporary_folder.h"
#include "windlass/credentials/base64.h"
#include "windlass/kube/testing/fake_cluster.h"

namespace windlass::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const std::string kPath = "/api/v1/namespaces/shop/serviceaccounts/default";

class ApiClientTest : public testing::Test {
 protected:
  ApiClientTest() { cluster_.put_service_account("shop", "default", {}); }

  static ApiOptions quick() {
    return {.backoff_base = milliseconds(1), .backoff_max = milliseconds(2)};
  }

  // "ok", or the error's code and message.
  static std::string get(ApiClient& client, const std::stop_token& stop = {}) {
    const Result<credentials::Value> object = client.get(kPath, "it", stop);
    if (object) return "ok";
    return std::string(to_string(object.error().code)) + ": " + object.error().message;
  }

  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }

  // A plugin that counts its runs and gives the token in the file "token".
  ExecPlugin plugin(const std::string& expires = "") const {
    const std::string more = expires.empty() ? ""
                                             : ",\"expirationTimestamp\":\"'$(date -u -d '" +
                                                   expires + "' +%Y-%m-%dT%H:%M:%SZ)'\"";
    return {.command = {"sh", "-c",
                        "echo >>" + folder_.root() +
                            "/runs; printf '%s' '{\"kind\":\"ExecCredential\"," +
                            "\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":" +
                            "{\"token\":\"'$(cat " + folder_.root() + "/token)'\"" + more + "}}'"},
            .environment = {},
            .api_version = "client.authentication.k8s.io/v1",
            .install_hint = "",
            .cluster_json = ""};
  }

  int runs() const {
    std::ifstream file(folder_.path("runs"));
    return static_cast<int>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
  }

  FakeCluster cluster_;
  TemporaryFolder folder_;
};

TEST_F(ApiClientTest, TransientFailuresAreTriedAgain) {
  ApiClient client(system_clock(), cluster_.connection(), quick(), 1);
  cluster_.fail_next("", 500);
  cluster_.fail_next("", 429);
  cluster_.fail_next("", 503);
  EXPECT_EQ(get(client), "ok");
  EXPECT_EQ(cluster_.paths().size(), 4U);
  cluster_.fail_next("", 500, 100);
  EXPECT_EQ(get(client).find("unavailable: read it from http://127.0.0.1:"), 0U);
  EXPECT_EQ(cluster_.paths().size(), 9U);
}

TEST_F(ApiClientTest, FinalAnswersAreNot) {
  ApiClient client(system_clock(), cluster_.connection(), quick(), 1);
  for (const auto& [status, says] : {std::pair{400, "invalid: "},
                                     {403, "forbidden: "},
                                     {404, "not-found: "},
                                     {302, "invalid: "}}) {
    cluster_.fail_next("", status);
    const std::string error = get(client);
    EXPECT_TRUE(error.starts_with(says)) << error;
    EXPECT_NE(error.find("(the test): status " + std::to_string(status)), std::string::npos)
        << error;
  }
  EXPECT_EQ(cluster_.paths().size(), 4U);
}

TEST_F(ApiClientTest, AWaitLongerThanTheTimeLeftIsNotWaited) {
  ApiClient client(system_clock(), cluster_.connection(), {.timeout = seconds(5)}, 1);
  cluster_.fail_next("", 429, 1, "Retry-After: 60\r\n");
  const auto object = client.get(kPath, "it", {});
  EXPECT_EQ(object.error().code, ErrorCode::kThrottled);
  EXPECT_EQ(object.error().retry_after, seconds(60));
}

TEST_F(ApiClientTest, AStopEndsAPause) {
  ApiClient client(system_clock(), cluster_.connection(), {.timeout = seconds(1000)}, 1);
  cluster_.fail_next("", 503, 1, "Retry-After: 600\r\n");
  std::stop_source source;
  const std::jthread stopper([&] {
    while (cluster_.paths().empty()) std::this_thread::yield();
    source.request_stop();
  });
  EXPECT_TRUE(get(client, source.get_token()).starts_with("cancelled: "));
}

TEST_F(ApiClientTest, ATokenThatCannotChangeIsRefusedOnce) {
  ApiClient client(system_clock(), cluster_.connection("canary"), quick(), 1);
  const std::string error = get(client);
  EXPECT_TRUE(error.starts_with("unauthenticated: ")) << error;
  EXPECT_NE(error.find("log in anew"), std::string::npos);
  EXPECT_EQ(error.find("canary"), std::string::npos);
  EXPECT_EQ(cluster_.paths().size(), 1U);
}

TEST_F(ApiClientTest, ATokenThatWouldBeMoreThanAHeaderIsNotSent) {
  ApiClient client(system_clock(), cluster_.connection("canary\r\nX-Injected: 1"), quick(), 1);
  const std::string error = get(client);
  EXPECT_NE(error.find("the token holds a line break"), std::string::npos) << error;
  EXPECT_EQ(error.find("canary"), std::string::npos);
  EXPECT_TRUE(cluster_.paths().empty());
}

TEST_F(ApiClientTest, ARotatedTokenFileIsReadAgain) {
  Connection connection = cluster_.connection("");
  connection.identity.token_file = write("token", "s3cret\n");
  ApiClient client(system_clock(), connection, quick(), 1);
  EXPECT_EQ(get(client), "ok");
  write("token", "another");
  cluster_.set_token("another");
  EXPECT_EQ(get(client), "ok");
  EXPECT_EQ(cluster_.paths().size(), 2U);
}

TEST_F(ApiClientTest, UserPasswordAndImpersonationAreSent) {
  Connection connection = cluster_.connection("");
  connection.identity.user = "alice";
  connection.identity.password = credentials::Secret("p:w");
  connection.identity.impersonation = {{"Impersonate-User", "eve"}};
  ApiClient client(system_clock(), connection, quick(), 1);
  get(client);
  const std::string head = cluster_.heads().at(0);
  EXPECT_NE(head.find("Authorization: Basic " + credentials::base64_encode("alice:p:w") + "\r\n"),
            std::string::npos);
  EXPECT_NE(head.find("Impersonate-User: eve\r\n"), std::string::npos);
  EXPECT_NE(head.find("Accept: application/json\r\n"), std::string::npos);
}

TEST_F(ApiClientTest, AnExecPluginIsRunOnceUntilItsTokenExpiresOrIsRefused) {
  Connection connection = cluster_.connection("");
  connection.identity.exec = plugin("+1 hour");
  write("token", "s3cret");
  ApiClient client(system_clock(), connection, quick(), 1);
  EXPECT_EQ(get(client), "ok");
  EXPECT_EQ(get(client), "ok");
  EXPECT_EQ(runs(), 1);
  cluster_.set_token("another");
  write("token", "another");
  EXPECT_EQ(get(client), "ok");
  EXPECT_EQ(runs(), 2);
}

TEST_F(ApiClientTest, AnExpiredExecTokenIsNotUsed) {
  Connection connection = cluster_.connection("");
  connection.identity.exec = plugin("+5 seconds");
  write("token", "s3cret");
  ApiClient client(system_clock(), connection, quick(), 1);
  EXPECT_EQ(get(client), "ok");
  EXPECT_EQ(get(client), "ok");
  EXPECT_EQ(runs(), 2);
}

TEST_F(ApiClientTest, ManyWaitForOneRunOfThePlugin) {
  Connection connection = cluster_.connection("");
  connection.identity.exec = plugin();
  connection.identity.exec->command[2] += "; sleep 0.1";
  write("token", "s3cret");
  ApiClient client(system_clock(), connection, quick(), 1);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(get(client), "ok"); });
  }
  threads.clear();
  EXPECT_EQ(runs(), 1);
}

TEST_F(ApiClientTest, AnExecPluginThatFailsIsTheError) {
  Connection connection = cluster_.connection("");
  connection.identity.exec = plugin();
  connection.identity.exec->command = {"sh", "-c", "echo canary; exit 3"};
  ApiClient client(system_clock(), connection, quick(), 1);
  const std::string error = get(client);
  EXPECT_NE(error.find("exec plugin sh: it ended with status 3"), std::string::npos) << error;
  EXPECT_EQ(error.find("canary"), std::string::npos);
  EXPECT_TRUE(cluster_.paths().empty());
}

TEST_F(ApiClientTest, WhatConnectionsAreMadeWith) {
  Connection connection = cluster_.connection();
  connection.server = "https://cluster.test:6443";
  connection.ca_pem = "a CA";
  connection.server_name = "kubernetes";
  connection.proxy = "socks5h://proxy.test:1080";
  connection.identity.client_certificate_file = write("cert", "a certificate");
  connection.identity.client_key_pem = credentials::Secret("a key");
  http::CurlClient::Options seen;
  ApiClient client(system_clock(), connection, quick(), 1, [&](http::CurlClient::Options options) {
    seen = std::move(options);
    return Result<std::unique_ptr<http::Client>>(fail(ErrorCode::kInvalid, "no network here"));
  });
  EXPECT_NE(get(client).find("no network here"), std::string::npos);
  EXPECT_EQ(seen.tls, (http::TlsSettings{.ca_pem = "a CA",
                                         .system_roots = false,
                                         .client_certificate_pem = "a certificate",
                                         .client_key_pem = "a key",
                                         .server_name = "kubernetes"}));
  EXPECT_EQ(seen.proxies.for_host.at("cluster.test:6443"), "socks5h://proxy.test:1080");
}

TEST_F(ApiClientTest, AServerThatIsNoneIsTold) {
  http::RawServer web([](const std::string&) {
    return http::RawServer::Reply{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>",
                                  .close = true};
  });
  Connection connection = cluster_.connection();
  connection.server = web.url("");
  ApiClient client(system_clock(), connection, quick(), 1);
  EXPECT_NE(get(client).find("is this an API server?"), std::string::npos);
  connection.server = "http://127.0.0.1:1";
  ApiClient nobody(system_clock(), connection, quick(), 1);
  EXPECT_TRUE(get(nobody).starts_with("unavailable: "));
}

}  // namespace
}  // namespace windlass::kube
