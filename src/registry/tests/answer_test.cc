#include "answer.h"

#include <gtest/gtest.h>

#include "harness.h"

namespace windlass::registry {
namespace {

const std::string kDigest = "sha256:" + std::string(64, 'a');

TEST(ReadHead, TakesTheDigestFromItsHeader) {
  const auto read = read_head(status(200, {{"Docker-Content-Digest", kDigest},
                                           {"Content-Type", "Application/X; charset=utf-8"},
                                           {"Content-Length", "42"}}));
  ASSERT_TRUE(read.has_value() && read->has_value());
  EXPECT_EQ((*read)->digest.to_string(), kDigest);
  EXPECT_EQ((*read)->media_type, "application/x");
  EXPECT_EQ((*read)->size, 42U);
}

TEST(ReadHead, LeavesToGetWhatItCannotTell) {
  for (const int code : {400, 403, 404, 405, 406, 415, 501})
    EXPECT_FALSE(read_head(status(code)).has_value()) << code;
  for (const std::string& digest :
       {std::string(), std::string("sha256:abc"), "sha256:" + std::string(64, 'A'),
        "md5:" + std::string(32, 'a'), kDigest + "x", kDigest + " "})
    EXPECT_FALSE(read_head(status(200, {{"Docker-Content-Digest", digest}})).has_value()) << digest;
  EXPECT_FALSE(read_head(status(200, {{"ETag", kDigest}})).has_value());
}

TEST(ReadHead, OtherStatusesAreFinal) {
  const std::pair<int, ErrorCode> table[] = {
      {401, ErrorCode::kUnauthenticated}, {429, ErrorCode::kThrottled},
      {500, ErrorCode::kUnavailable},     {503, ErrorCode::kUnavailable},
      {418, ErrorCode::kForbidden},       {204, ErrorCode::kInvalid},
  };
  for (const auto& [code, expected] : table) {
    const auto read = read_head(status(code));
    ASSERT_TRUE(read.has_value() && !read->has_value()) << code;
    EXPECT_EQ(read->error().code, expected) << code;
  }
}

TEST(ReadGet, HashesTheBodyWhateverTheHeaderSays) {
  http::Response response = get_answer();
  response.headers.add("Docker-Content-Digest", kDigest);
  const auto read = read_get(response);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->digest, manifest_digest());
  EXPECT_EQ(read->size, kManifestBody.size());
  EXPECT_EQ(read->media_type, "application/vnd.oci.image.manifest.v1+json");
}

TEST(ReadGet, WhatIsNoManifestHasNoDigest) {
  for (const std::string body : {"", "<html></html>", "[]", "{}", "\"x\"", "{\"schemaVersion\":2",
                                 "Your session has expired"}) {
    const auto read = read_get(status(200, {{"Content-Type", "text/html"}}, body));
    ASSERT_FALSE(read.has_value()) << body;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(read.error().message.starts_with("the answer is not a manifest (text/html): "));
  }
}

TEST(ReadGet, EncodedBodiesAreNotHashed) {
  for (const std::string encoding : {"gzip", "x-gzip", "deflate", "br"}) {
    http::Response response = get_answer();
    response.headers.add("Content-Encoding", encoding);
    EXPECT_FALSE(read_get(response).has_value()) << encoding;
  }
  http::Response response = get_answer();
  response.headers.add("Content-Encoding", "Identity");
  EXPECT_TRUE(read_get(response).has_value());
}

TEST(ReadGet, SchemaOneIsRefused) {
  for (const http::Response& response :
       {status(200, {{"Content-Type", "application/vnd.docker.distribution.manifest.v1+prettyjws"}},
               R"({"schemaVersion":1})"),
        status(200, {}, R"({"schemaVersion":1})")}) {
    const auto read = read_get(response);
    ASSERT_FALSE(read.has_value());
    EXPECT_NE(read.error().message.find("schema 1"), std::string::npos);
  }
}

TEST(RegistryMessage, IsOneShortSafeLine) {
  struct Row {
    std::string_view type;
    std::string body;
    std::string_view shown;
  };
  const Row table[] = {
      {"application/json", R"({"errors":[{"code":"NAME_UNKNOWN","message":"no such repo"}]})",
       "NAME_UNKNOWN: no such repo"},
      {"application/json", R"({"errors":[{"code":"DENIED"}]})", "DENIED"},
      {"", R"({"message":"pull rate limit"})", "pull rate limit"},
      {"", R"({"details":"incorrect username"})", "incorrect username"},
      {"", R"({"errors":[]})", ""},
      {"text/plain", "no such thing\nat all\n", "no such thing"},
      {"text/html", "<html>lots</html>", "a web page"},
      {"", "<!DOCTYPE html>", "a web page"},
      {"text/plain", "\x1b[31mforged\rline 100%s", "\\x1b[31mforged\\rline 100%s"},
      {"", "", ""},
  };
  for (const Row& row : table) {
    EXPECT_EQ(registry_message(status(404, {{"Content-Type", std::string(row.type)}}, row.body)),
              row.shown);
  }
  EXPECT_LT(registry_message(status(404, {}, std::string(10'000, 'x'))).size(), 250U);
}

TEST(RetryAfter, IsSecondsOrADate) {
  const http::Headers::Field date{"Date", "Sun, 06 Nov 1994 08:49:37 GMT"};
  const auto wait = [&](std::string value) {
    return retry_after(status(429, {date, {"Retry-After", std::move(value)}}));
  };
  EXPECT_EQ(wait("3"), std::chrono::seconds(3));
  EXPECT_EQ(wait("0"), std::chrono::seconds(0));
  EXPECT_EQ(wait("86400"), std::chrono::hours(24));
  EXPECT_EQ(wait("Sun, 06 Nov 1994 08:49:47 GMT"), std::chrono::seconds(10));
  EXPECT_EQ(wait("Sun, 06 Nov 1994 08:00:00 GMT"), std::chrono::seconds(0));
  EXPECT_EQ(wait("Sun, 06 Nov 3988 08:49:37 GMT"), std::chrono::hours(24 * 366));
  for (const char* junk : {"", "-1", "soon", "1.5", "99999999999999999999"})
    EXPECT_EQ(wait(junk), std::nullopt) << junk;
  EXPECT_EQ(retry_after(status(429)), std::nullopt);
}

TEST(DescribeStatus, WhoIsInTheWayIsNotTakenForTheRegistry) {
  http::Response tls;
  tls.status = 400;
  tls.body = "Client sent an HTTP request to an HTTPS server.\n";
  EXPECT_EQ(describe_status(tls).code, ErrorCode::kInvalid);
  EXPECT_TRUE(describe_status(tls).message.contains("--tls HOST"));
  http::Response proxy;
  proxy.status = 407;
  EXPECT_EQ(describe_status(proxy).code, ErrorCode::kInvalid);
  EXPECT_TRUE(describe_status(proxy).message.contains("proxy"));
}

}  // namespace
}  // namespace windlass::registry
