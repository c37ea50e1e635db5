#include "exec_credential.h"

#include <gtest/gtest.h>

namespace windlass::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

ExecPlugin plugin(std::vector<std::string> command = {"sh"}) {
  return {.command = std::move(command),
          .environment = {{"NAME", "value"}},
          .api_version = "client.authentication.k8s.io/v1",
          .install_hint = "install it from your shop\n",
          .cluster_json = ""};
}

std::string answer(std::string_view status) {
  return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)" +
         std::string(status) + "}";
}

TEST(Timestamp, Rfc3339) {
  using namespace std::chrono;
  const sys_seconds t = sys_days(2026y / 1 / 2) + hours(3) + minutes(4) + seconds(5);
  for (const std::string_view text : {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678Z",
                                      "2026-01-02T05:04:05+02:00", "2026-01-01T23:34:05-03:30"})
    EXPECT_EQ(parse_timestamp(text), t) << text;
  for (const std::string_view text :
       {"", "2026-01-02", "2026-13-02T03:04:05Z", "2026-02-30T03:04:05Z", "2026-01-02T25:04:05Z",
        "2026-01-02T03:04:05", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05Zx",
        "-026-01-02T03:04:05Z"})
    EXPECT_FALSE(parse_timestamp(text)) << text;
}

TEST(ExecCredential, TokensAndCertificates) {
  const auto token = read_exec_credential(
      answer(R"({"token":"t","expirationTimestamp":"2026-01-02T03:04:05Z"})"), plugin());
  ASSERT_TRUE(token.has_value()) << token.error().message;
  EXPECT_EQ(token->token.reveal(), "t");
  EXPECT_TRUE(token->expires.has_value());
  const auto certificate = read_exec_credential(
      answer(R"({"clientCertificateData":"c","clientKeyData":"k"})"), plugin());
  ASSERT_TRUE(certificate.has_value());
  EXPECT_EQ(certificate->client_key_pem.reveal(), "k");
}

TEST(ExecCredential, WhatIsNoAnswerIsRefusedAndNeverQuoted) {
  const std::string table[] = {
      "",
      "canary",
      R"({"kind":"canary"})",
      R"({"kind":"ExecCredential","apiVersion":"canary"})",
      answer("null"),
      answer("{}"),
      answer(R"({"token":["canary"]})"),
      answer(R"({"clientKeyData":"canary"})"),
      answer(R"({"clientCertificateData":"canary"})"),
      answer(R"({"token":"canary","expirationTimestamp":"canary"})"),
  };
  for (const std::string& text : table) {
    const auto credential = read_exec_credential(text, plugin());
    ASSERT_FALSE(credential.has_value()) << text;
    EXPECT_EQ(credential.error().code, ErrorCode::kUnauthenticated);
    EXPECT_TRUE(credential.error().message.starts_with("exec plugin sh: its answer "));
    EXPECT_EQ(credential.error().message.find("canary"), std::string::npos)
        << credential.error().message;
  }
}

TEST(ExecCredential, ThePluginIsToldWhatItNeeds) {
  ExecPlugin asks =
      plugin({"sh", "-c",
              "test \"$NAME\" = value || exit 1; "
              "case $KUBERNETES_EXEC_INFO in *'\"interactive\":false'*) ;; *) exit 2;; esac; "
              "printf '%s' '" +
                  answer(R"({"token":"t"})") + "'"});
  const auto credential = run_exec_plugin(asks, seconds(60), system_clock(), {});
  ASSERT_TRUE(credential.has_value()) << credential.error().message;
  asks.cluster_json = R"({"server":"x"})";
  EXPECT_EQ(exec_info(asks),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
            R"("spec":{"cluster":{"server":"x"},"interactive":false}})");
}

TEST(ExecCredential, OnesThatFailAreNamedWithTheirHint) {
  const auto run = [](std::vector<std::string> command) {
    return run_exec_plugin(plugin(std::move(command)), milliseconds(200), system_clock(), {})
        .error()
        .message;
  };
  EXPECT_EQ(run({"/no/such/plugin"}),
            "exec plugin /no/such/plugin: there is no such program: install it from your shop");
  EXPECT_EQ(run({"sh", "-c", "echo canary >&2; echo canary; exit 3"}),
            "exec plugin sh: it ended with status 3; run it by hand to see more: install it from "
            "your shop");
  EXPECT_EQ(run({"sh", "-c", "sleep 1000"}), "exec plugin sh: it took longer than 200 ms");
  EXPECT_EQ(run({"sh", "-c", "head -c 1000000 /dev/zero"}),
            "exec plugin sh: it says more than 262144 bytes");
}

}  // namespace
}  // namespace windlass::kube
