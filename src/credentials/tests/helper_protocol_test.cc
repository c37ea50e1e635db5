#include "helper_protocol.h"

#include <gtest/gtest.h>

namespace windlass::credentials {
namespace {

using Kind = Credential::Kind;

auto read(int status, std::string output) {
  return read_helper_answer({.status = status, .output = std::move(output)}, "docker-credential-x",
                            "registry.test");
}

TEST(HelperProtocol, LoginsAndIdentityTokens) {
  const auto login = read(0, R"({"ServerURL":"x","Username":"alice","Secret":"s3cret"})");
  ASSERT_TRUE(login && *login);
  EXPECT_EQ((*login)->kind(), Kind::kPassword);
  EXPECT_EQ((*login)->user(), "alice");
  EXPECT_EQ((*login)->secret().reveal(), "s3cret");
  EXPECT_EQ((*login)->source(), "docker-credential-x");

  const auto token = read(0, R"({"Username":"<token>","Secret":"refresh-1"})");
  ASSERT_TRUE(token && *token);
  EXPECT_EQ((*token)->kind(), Kind::kIdentityToken);
}

TEST(HelperProtocol, NotFoundIsNoError) {
  for (const auto& answer :
       {read(1, "credentials not found in native keychain\n"),
        read(1, "  credentials not found in native keychain \r\n\n"),
        read(0, R"({"ServerURL":"","Username":"","Secret":""})"), read(0, "{}")}) {
    ASSERT_TRUE(answer.has_value());
    EXPECT_FALSE(answer->has_value());
  }
}

TEST(HelperProtocol, FailuresNeverQuoteTheOutput) {
  for (const auto& answer :
       {read(1, "canary"), read(1, "no credentials server URL"), read(1, "no credentials username"),
        read(0, "canary"), read(0, R"(["canary"])"),
        read(0, R"({"Username":"a","Secret":["canary"]})"),
        read(0, R"({"Username":"a","Secret":"canary)"), read(137, "")}) {
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::kUnauthenticated);
    EXPECT_TRUE(answer.error().message.starts_with("docker-credential-x get for registry.test: "));
    EXPECT_EQ(answer.error().message.find("canary"), std::string::npos);
  }
}

TEST(HelperProtocol, NamesArePlain) {
  EXPECT_EQ(*helper_program("ecr-login"), "docker-credential-ecr-login");
  for (const char* name : {"", "a b", "../x", "a;b", "$x", "a\nb", "-\xC3\xA4"})
    EXPECT_FALSE(helper_program(name).has_value()) << name;
}

}  // namespace
}  // namespace windlass::credentials
