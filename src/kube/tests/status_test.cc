#include "status.h"

#include <gtest/gtest.h>

namespace windlass::kube {
namespace {

TEST(Status, TheCodeNamesTheNextStep) {
  const std::pair<int, ErrorCode> table[] = {
      {401, ErrorCode::kUnauthenticated}, {403, ErrorCode::kForbidden},
      {404, ErrorCode::kNotFound},        {409, ErrorCode::kConflict},
      {429, ErrorCode::kThrottled},       {500, ErrorCode::kUnavailable},
      {503, ErrorCode::kUnavailable},     {504, ErrorCode::kTimedOut},
      {400, ErrorCode::kInvalid},         {302, ErrorCode::kInvalid}};
  for (const auto& [status, code] : table)
    EXPECT_EQ(describe_status({.status = status}).code, code) << status;
}

TEST(Status, TheServersMessageAndWhatToDo) {
  const http::Response response{
      .status = 403,
      .body = R"({"kind":"Status","message":"secrets \"x\" is forbidden\n","code":403})"};
  EXPECT_EQ(
      describe_status(response).message,
      "status 403: secrets \\\"x\\\" is forbidden\\n; a Role and a RoleBinding have to allow it");
  EXPECT_EQ(describe_status({.status = 500, .body = "<html>"}).message, "status 500");
  EXPECT_NE(describe_status({.status = 302}).message.find("check the server's address"),
            std::string::npos);
}

TEST(Status, HowLongToWait) {
  http::Response response{.status = 429};
  EXPECT_FALSE(describe_status(response).retry_after);
  response.body = R"({"kind":"Status","message":"m","details":{"retryAfterSeconds":7}})";
  EXPECT_EQ(describe_status(response).retry_after, std::chrono::seconds(7));
  response.headers.add("Retry-After", "3");
  EXPECT_EQ(describe_status(response).retry_after, std::chrono::seconds(3));
  for (const char* text : {"", "-1", "x", "Sun, 06 Nov 1994 08:49:37 GMT"}) {
    http::Response odd{.status = 429};
    odd.headers.add("Retry-After", text);
    EXPECT_FALSE(describe_status(odd).retry_after) << text;
  }
  http::Response far{.status = 429};
  far.headers.add("Retry-After", "99999999999");
  EXPECT_EQ(describe_status(far).retry_after, std::chrono::hours(1));
}

}  // namespace
}  // namespace windlass::kube
