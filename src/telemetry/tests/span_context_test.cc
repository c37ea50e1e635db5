#include "windlass/telemetry/span_context.h"

#include <gtest/gtest.h>

namespace windlass::telemetry {
namespace {

constexpr std::string_view kGood = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

TEST(SpanContext, ReadsAndWritesTraceparent) {
  const auto context = parse_traceparent(kGood);
  ASSERT_TRUE(context);
  EXPECT_EQ(context->trace_id.to_hex(), "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(context->span_id.to_hex(), "b7ad6b7169203331");
  EXPECT_TRUE(context->sampled);
  EXPECT_TRUE(context->remote);
  EXPECT_EQ(to_traceparent(*context), kGood);
  EXPECT_EQ(to_traceparent({}), "");
}

TEST(SpanContext, OnlyTheLowestFlagMeansSampled) {
  const std::string base(kGood.substr(0, 53));
  for (const auto& [flags, sampled] :
       {std::pair{"00", false}, {"01", true}, {"02", false}, {"03", true}, {"ff", true}}) {
    const auto context = parse_traceparent(base + flags);
    ASSERT_TRUE(context) << flags;
    EXPECT_EQ(context->sampled, sampled) << flags;
  }
}

TEST(SpanContext, AcceptsWhatALaterVersionAppends) {
  const std::string rest(kGood.substr(2));
  EXPECT_TRUE(parse_traceparent("cc" + rest));
  EXPECT_TRUE(parse_traceparent("cc" + rest + "-what-the-future-brings"));
  EXPECT_FALSE(parse_traceparent("cc" + rest + ".what-the-future-brings"));
  EXPECT_FALSE(parse_traceparent("00" + rest + "-x"));
}

TEST(SpanContext, RefusesWhatTheStandardRefuses) {
  const std::string table[] = {
      "",
      "00",
      std::string(kGood.substr(0, 54)),
      "ff" + std::string(kGood.substr(2)),
      "0G" + std::string(kGood.substr(2)),
      "00-00000000000000000000000000000000-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
      "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
      "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
  };
  for (const std::string& text : table) {
    const auto context = parse_traceparent(text);
    ASSERT_FALSE(context) << text;
    EXPECT_EQ(context.error().code, ErrorCode::kInvalid) << text;
  }
}

TEST(SpanContext, KeepsATracestateThatIsWellFormed) {
  const std::pair<std::string, bool> table[] = {
      {"rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", true},
      {"tenant@vendor=a b", true},
      {"a=1,,b=2", true},
      {"", true},
      {"a", false},
      {"A=1", false},
      {"a=", false},
      {"a=b=c", false},
      {"a=\x01", false},
      {"a=" + std::string(600, 'x'), false},
  };
  for (const auto& [state, kept] : table) {
    const auto context = parse_traceparent(kGood, state);
    ASSERT_TRUE(context) << state;
    EXPECT_EQ(context->trace_state, kept ? state : "") << state;
  }
}

}  // namespace
}  // namespace windlass::telemetry
