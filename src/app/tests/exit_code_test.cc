#include "windlass/app/exit_code.h"

#include <gtest/gtest.h>

namespace windlass::app {
namespace {

TEST(ExitCode, WhenSeveralApplyTheOrderIsInputThenGoneThenNoThenCheck) {
  using enum ExitCode;
  const ExitCode order[] = {kInternal,   kInterrupted, kInput,      kRegistryGone,
                            kRegistryNo, kCheckFailed, kReaderGone, kDone};
  for (std::size_t i = 0; i < std::size(order); ++i) {
    for (std::size_t j = i; j < std::size(order); ++j) {
      EXPECT_EQ(worse(order[i], order[j]), order[i]);
      EXPECT_EQ(worse(order[j], order[i]), order[i]);
    }
  }
}

TEST(ExitCode, LookupsThatMayPassLaterAreToldFromThoseThatWillNot) {
  EXPECT_EQ(exit_code_of_lookup(ErrorCode::kNotFound), ExitCode::kRegistryNo);
  EXPECT_EQ(exit_code_of_lookup(ErrorCode::kUnauthenticated), ExitCode::kRegistryNo);
  EXPECT_EQ(exit_code_of_lookup(ErrorCode::kForbidden), ExitCode::kRegistryNo);
  EXPECT_EQ(exit_code_of_lookup(ErrorCode::kCorrupt), ExitCode::kRegistryNo);
  EXPECT_EQ(exit_code_of_lookup(ErrorCode::kThrottled), ExitCode::kRegistryGone);
  EXPECT_EQ(exit_code_of_lookup(ErrorCode::kUnavailable), ExitCode::kRegistryGone);
  EXPECT_EQ(exit_code_of_lookup(ErrorCode::kTimedOut), ExitCode::kRegistryGone);
  EXPECT_EQ(exit_code_of_lookup(ErrorCode::kInvalid), ExitCode::kRegistryGone);
  EXPECT_EQ(exit_code_of_lookup(ErrorCode::kCancelled), ExitCode::kInterrupted);
}

}  // namespace
}  // namespace windlass::app
