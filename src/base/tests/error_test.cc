#include "windlass/base/error.h"

#include <gtest/gtest.h>

#include "windlass/base/result.h"

namespace windlass {
namespace {

TEST(Error, ContextGoesInFrontAndKeepsTheRest) {
  const Error error{ErrorCode::kThrottled, "too many requests", std::chrono::seconds(2)};
  const Error outer = error.with_context("fetch token").with_context("resolve nginx:1.27");
  EXPECT_EQ(outer.message, "resolve nginx:1.27: fetch token: too many requests");
  EXPECT_EQ(outer.code, ErrorCode::kThrottled);
  EXPECT_EQ(outer.retry_after, std::chrono::seconds(2));
}

TEST(Error, OnlyCodesThatMayPassByThemselvesAreRetryable) {
  const std::pair<ErrorCode, bool> table[] = {
      {ErrorCode::kInvalid, false},         {ErrorCode::kNotFound, false},
      {ErrorCode::kUnauthenticated, false}, {ErrorCode::kForbidden, false},
      {ErrorCode::kThrottled, true},        {ErrorCode::kUnavailable, true},
      {ErrorCode::kTimedOut, true},         {ErrorCode::kConflict, true},
      {ErrorCode::kCancelled, false},       {ErrorCode::kCorrupt, false},
      {ErrorCode::kInternal, false},
  };
  for (const auto& [code, retryable] : table)
    EXPECT_EQ(is_retryable(code), retryable) << to_string(code);
}

TEST(Result, FailPutsContextInFront) {
  const Result<int> result = fail(Error{ErrorCode::kInvalid, "no tag"}, "read a.yaml");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "read a.yaml: no tag");
}

}  // namespace
}  // namespace windlass
