#include "failure.h"

#include <gtest/gtest.h>

namespace windlass::http {
namespace {

TEST(Failure, CodeNamesTheNextStep) {
  struct Row {
    CURLcode code;
    std::string_view detail;
    ErrorCode expected;
    std::string_view says;
  };
  const Row table[] = {
      {CURLE_COULDNT_RESOLVE_HOST, "Could not resolve host: registry.test", ErrorCode::kUnavailable,
       "registry.test: no such host name"},
      {CURLE_COULDNT_CONNECT, "Failed to connect", ErrorCode::kUnavailable, "connect to"},
      {CURLE_OPERATION_TIMEDOUT, "", ErrorCode::kTimedOut, "no connection"},
      {CURLE_GOT_NOTHING, "Empty reply from server", ErrorCode::kUnavailable, "broke off"},
      {CURLE_PARTIAL_FILE, "transfer closed with 5 bytes remaining", ErrorCode::kUnavailable,
       "5 bytes remaining"},
      {CURLE_PEER_FAILED_VERIFICATION,
       "SSL certificate problem: unable to get local issuer certificate", ErrorCode::kInvalid,
       "not trusted: unable to get local issuer certificate; if the server is the right one, name "
       "the certificate of its CA with --ca-file"},
      {CURLE_PEER_FAILED_VERIFICATION,
       "SSL: no alternative certificate subject name matches target host name 'registry.test'",
       ErrorCode::kInvalid, "for another name"},
      {CURLE_SSL_CONNECT_ERROR, "error:0A00010B:SSL routines::wrong version number",
       ErrorCode::kInvalid, "--plain-http registry.test:5000"},
      {CURLE_SSL_CONNECT_ERROR, "error:0A00042E:SSL routines::tlsv1 alert protocol version",
       ErrorCode::kInvalid, "new enough"},
      {CURLE_SSL_CONNECT_ERROR, "OpenSSL SSL_connect: Connection reset by peer",
       ErrorCode::kUnavailable, "handshake"},
      {CURLE_RECV_ERROR, "SSL_read: tlsv13 alert certificate required", ErrorCode::kInvalid,
       "client certificate"},
      {CURLE_UNSUPPORTED_PROTOCOL, "Received HTTP/0.9 when not allowed", ErrorCode::kInvalid,
       "not answer in HTTP"},
  };
  const Url url = *Url::parse("https://registry.test:5000/v2/");
  for (const Row& row : table) {
    const Error error = describe({.code = row.code, .detail = row.detail}, url);
    EXPECT_EQ(error.code, row.expected) << error.message;
    EXPECT_NE(error.message.find(row.says), std::string::npos) << error.message;
  }
}

TEST(Failure, WhatIsNotTriedAgainSaysWhatToDo) {
  for (const Failure& failure :
       {Failure{.code = CURLE_SSL_CONNECT_ERROR, .detail = "tlsv1 alert protocol version"},
        Failure{.code = CURLE_SSL_CONNECT_ERROR, .detail = "sslv3 alert handshake failure"},
        Failure{.code = CURLE_RECV_ERROR, .detail = "tlsv13 alert certificate required"},
        Failure{.code = CURLE_SSL_CERTPROBLEM}, Failure{.code = CURLE_SSL_CACERT_BADFILE},
        Failure{.code = CURLE_WEIRD_SERVER_REPLY}, Failure{.code = CURLE_OUT_OF_MEMORY},
        Failure{.code = CURLE_RECV_ERROR, .proxy = "p.test", .proxy_status = 403}}) {
    for (const char* url : {"https://a.test/", "http://a.test/"}) {
      const Error error = describe(failure, *Url::parse(url));
      EXPECT_EQ(error.code, ErrorCode::kInvalid) << error.message;
      EXPECT_TRUE(error.message.contains("; ")) << error.message;
    }
  }
}

TEST(Failure, EachFaultOfACertificateHasItsOwnNextStep) {
  struct Row {
    int error;
    int depth;
    std::string_view says;
  };
  const Row table[] = {
      {X509_V_ERR_CERT_HAS_EXPIRED, 0,
       "its certificate expired on B; who runs it has to renew it; if the date here is wrong, set "
       "this machine's clock"},
      {X509_V_ERR_CERT_HAS_EXPIRED, 1,
       "the certificate of its CA \"ca\\x1b\" expired on B; who runs it has to get a certificate "
       "of a CA that is in force; if the date here is wrong, set this machine's clock"},
      {X509_V_ERR_CERT_NOT_YET_VALID, 0,
       "its certificate is valid from A only; who runs it has to renew it; if the date here is "
       "wrong, set this machine's clock"},
      {X509_V_ERR_CERT_REVOKED, 0, "its certificate is revoked; who runs it has to renew it"},
      {X509_V_ERR_EE_KEY_TOO_SMALL, 0,
       "its certificate is too weak: so; who runs it has to renew it"},
      {X509_V_ERR_CA_MD_TOO_WEAK, 1,
       "the certificate of its CA \"ca\\x1b\" is too weak: so; who runs it has to get a "
       "certificate of a CA that is in force"},
      {X509_V_ERR_INVALID_PURPOSE, 0,
       "its certificate is not made for this: so; who runs it has to get another"},
      {X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, 0,
       "the certificate is not trusted: so; if the server is the right one, name the certificate "
       "of its CA with --ca-file"},
  };
  for (const Row& row : table) {
    Failure failure{.code = CURLE_PEER_FAILED_VERIFICATION,
                    .detail = "SSL certificate problem: so",
                    .certificate = {.error = row.error,
                                    .depth = row.depth,
                                    .subject = "ca\x1b",
                                    .not_before = "A",
                                    .not_after = "B",
                                    .names = {}}};
    const Url url = *Url::parse("https://a.test/");
    EXPECT_EQ(describe(failure, url).message, "a.test: " + std::string(row.says));
    failure.proxy = "https://p.test:1";
    failure.is_proxys_certificate = true;
    EXPECT_EQ(
        describe(failure, url).message,
        "the proxy https://p.test:1: " + std::string(row.says) + " (via proxy https://p.test:1)");
  }
}

TEST(Failure, TheNamesOfACertificateForAnotherAreShown) {
  const auto says = [](std::vector<std::string> names) {
    return describe({.code = CURLE_PEER_FAILED_VERIFICATION,
                     .detail = "SSL: no alternative certificate subject name matches target host",
                     .certificate = {.names = std::move(names)}},
                    *Url::parse("https://a.test/"))
        .message;
  };
  EXPECT_TRUE(says({"b.test", "::1"}).contains("for another name: b.test, ::1; ask the server"));
  EXPECT_TRUE(says({"1", "2", "3", "4", "5"}).contains("for another name: 1, 2, 3, 4 and others;"));
}

TEST(Failure, WhoeverSpeaksAnotherWayThanWasAskedIsAskedTheOtherWay) {
  const Url plain = *Url::parse("http://registry.test:5000/v2/");
  const std::string with_tls = "; if it speaks TLS, ask it that way: --tls registry.test:5000";
  for (const CURLcode code : {CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
                              CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY}) {
    EXPECT_TRUE(describe({.code = code}, plain).message.contains(with_tls)) << code;
    EXPECT_FALSE(describe({.code = code, .proxy = "p.test"}, plain).message.contains("--tls"));
    const Url tls = *Url::parse("https://registry.test:5000/v2/");
    EXPECT_FALSE(describe({.code = code}, tls).message.contains("--tls")) << code;
  }
  const Failure shut{.code = CURLE_SSL_CONNECT_ERROR,
                     .detail =
                         "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to "
                         "registry.test:5000 "};
  EXPECT_EQ(describe(shut, *Url::parse("https://registry.test:5000/v2/")).message,
            "registry.test:5000: TLS handshake failed: OpenSSL SSL_connect: SSL_ERROR_SYSCALL in "
            "connection to registry.test:5000; if the server is meant to be asked without "
            "encryption, allow that with --plain-http registry.test:5000 (and no --tls)");
}

TEST(Failure, AProxysSchemeIsNotTriedAgainAndItsLoginNotShown) {
  const Error error = describe({.code = CURLE_COULDNT_CONNECT,
                                .detail = "Unsupported proxy scheme for 'ftp://u:s3cr@t@p.test:1'"},
                               *Url::parse("https://a.test/"));
  EXPECT_EQ(error.code, ErrorCode::kInvalid);
  EXPECT_EQ(error.message,
            "a.test: unsupported proxy scheme for 'ftp://***@p.test:1'; a proxy's URL begins with "
            "http://, https://, socks5:// or is HOST:PORT");
}

TEST(Failure, AProxyThatDoesNotConnectIsNotTakenForTheServer) {
  const auto refused = [](long status) {
    return describe({.code = CURLE_RECV_ERROR,
                     .detail = "CONNECT tunnel failed, response 407",
                     .proxy = "proxy.test:3128",
                     .proxy_status = status},
                    *Url::parse("https://registry.test/"));
  };
  EXPECT_EQ(
      refused(407).message,
      "registry.test: the proxy on the way wants a login (407); write it into the proxy's URL "
      "(via proxy proxy.test:3128)");
  EXPECT_EQ(refused(503).message,
            "registry.test: the proxy on the way answered 503 instead of connecting; ask who runs "
            "the proxy, or name the host in no_proxy (via proxy proxy.test:3128)");
  for (const long status : {407, 403, 404}) EXPECT_EQ(refused(status).code, ErrorCode::kInvalid);
  for (const long status : {408, 429, 502, 503})
    EXPECT_EQ(refused(status).code, ErrorCode::kUnavailable);
}

TEST(Failure, NamesTheProxyItWentThrough) {
  const Error error = describe({.code = CURLE_COULDNT_CONNECT,
                                .detail = "",
                                .os_error = ECONNREFUSED,
                                .proxy = "proxy.test:3128"},
                               *Url::parse("https://registry.test/"));
  EXPECT_EQ(error.message,
            "connect to proxy.test:3128: connection refused (via proxy proxy.test:3128)");
}

}  // namespace
}  // namespace windlass::http
