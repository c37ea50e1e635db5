#include "challenge.h"

#include <gtest/gtest.h>

namespace windlass::registry {
namespace {

std::vector<Challenge> parse(std::string_view header) { return parse_challenges({header}); }

TEST(Challenge, EverySpellingOfBearerIsRead) {
  for (
      const std::string_view header : {
          R"(Bearer realm="https://a.test/t",service="s",scope="x:y:pull,push")",
          R"(bearer REALM="https://a.test/t",Service="s",scope="x:y:pull,push")",
          "  BEARER   realm = \"https://a.test/t\" , service\t=\t\"s\",  scope=\"x:y:pull,push\"  "
          ",",
          R"(Bearer realm=https://a.test/t,service=s,scope="x:y:pull,push")",
          R"(Bearer realm="https:\/\/a.test/\t",service="s",scope="x:y:pull,push")",
          R"(Bearer service="s",scope="x:y:pull,push",realm="https://a.test/t",error="invalid_token")",
          R"(,, Bearer realm="https://a.test/t",,service="s", scope="x:y:pull,push",,)",
      }) {
    const std::vector<Challenge> challenges = parse(header);
    ASSERT_EQ(challenges.size(), 1U) << header;
    EXPECT_EQ(challenges[0].scheme, "bearer");
    EXPECT_EQ(*challenges[0].find("realm"), "https://a.test/t") << header;
    EXPECT_EQ(*challenges[0].find("service"), "s") << header;
    EXPECT_EQ(*challenges[0].find("scope"), "x:y:pull,push") << header;
  }
}

TEST(Challenge, EmptyValuesDoNotEndTheReading) {
  const std::vector<Challenge> challenges = parse(R"(Bearer service="",realm="https://a.test/t")");
  ASSERT_EQ(challenges.size(), 1U);
  EXPECT_EQ(*challenges[0].find("service"), "");
  EXPECT_EQ(*challenges[0].find("realm"), "https://a.test/t");
  EXPECT_EQ(challenges[0].find("scope"), nullptr);
}

TEST(Challenge, SeveralInOneHeaderOrInSeveral) {
  const std::vector<Challenge> one =
      parse(R"(Basic realm="a, b", Negotiate YII=, Bearer realm="https://a.test/t",service=s)");
  ASSERT_EQ(one.size(), 3U);
  EXPECT_EQ(*one[0].find("realm"), "a, b");
  EXPECT_EQ(one[1].scheme, "negotiate");
  EXPECT_EQ(*one[2].find("service"), "s");

  const std::vector<Challenge> two =
      parse_challenges({R"(Basic realm="a")", R"(Bearer realm="https://a.test/t")"});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(choose(two)->scheme, "bearer");
}

TEST(Challenge, TheUsableSchemeIsChosen) {
  const std::tuple<std::string_view, std::string_view> table[] = {
      {R"(Negotiate, Basic realm="x")", "basic"},
      {R"(Bearer service="s", Basic realm="x")", "basic"},
      {R"(Basic realm="x", Bearer realm="https://a.test/t")", "bearer"},
      {"Basic", "basic"},
      {"Negotiate", ""},
      {R"(Bearer realm="")", ""},
      {"", ""},
      {R"(realm="x")", ""},
  };
  for (const auto& [header, scheme] : table) {
    const std::optional<Challenge> chosen = choose(parse(header));
    EXPECT_EQ(chosen ? chosen->scheme : "", scheme) << header;
  }
}

TEST(Challenge, JunkIsLeftOutAndNeverLoops) {
  for (const std::string_view header :
       {R"("""""")", "=====", "Bearer realm=\"unterminated", "Bearer \\", "@@@ Bearer", "a=b=c=d",
        "\x80\xFF", "Bearer realm"})
    parse(header);
  EXPECT_EQ(*parse("Bearer realm=\"unterminated")[0].find("realm"), "unterminated");
}

TEST(Challenge, SchemesAreShownSafely) {
  EXPECT_EQ(schemes(parse("Negotiate, Digest realm=x")), "negotiate, digest");
  EXPECT_EQ(schemes(parse("Bearer service=x")), "bearer without realm");
  EXPECT_EQ(schemes({}), "none");
}

}  // namespace
}  // namespace windlass::registry
