// Platforms, verification, what a redirect's target asks for, and the registry's limits.
#include "inquiry.h"

#include <gtest/gtest.h>

#include "harness.h"

namespace windlass::registry {
namespace {

const std::string kImage = "registry.test/app:v1";
const std::string kIndexType = "application/vnd.oci.image.index.v1+json";

std::string digest(char c) { return "sha256:" + std::string(64, c); }

std::string index_body() {
  const auto entry = [](char c, const std::string& os, const std::string& machine) {
    return R"({"digest":")" + digest(c) + R"(","size":7,"mediaType":"application/vnd.oci.image.)" +
           R"(manifest.v1+json","platform":{"os":")" + os + R"(","architecture":")" + machine +
           R"("}})";
  };
  return R"({"schemaVersion":2,"manifests":[)" + entry('0', "unknown", "unknown") + "," +
         entry('a', "linux", "amd64") + "," + entry('b', "linux", "arm64") + "]}";
}

http::Response index_answer(const std::string& type = kIndexType) {
  const std::string body = index_body();
  return status(200,
                {{"Content-Type", type},
                 {"Docker-Content-Digest", image::Digest::sha256_of(body).to_string()}},
                body);
}

LookupOptions platform(std::string_view text) { return {.platform = *oci::Platform::parse(text)}; }

TEST(Inquiry, APlatformsImageIsTakenFromTheIndex) {
  for (const std::string& type : {kIndexType, std::string("application/json"), std::string()}) {
    Harness harness([&](const Asked&) { return index_answer(type); });
    const auto result = harness.resolve(kImage, platform("linux/arm64/v8"));
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_EQ(result->digest.to_string(), digest('b'));
    EXPECT_EQ(result->size, 7U);
    EXPECT_EQ(harness.log().size(), 2U);
    const auto whole = harness.resolve(kImage);
    EXPECT_EQ(whole->digest, image::Digest::sha256_of(index_body()));
  }
}

TEST(Inquiry, APlatformThatIsNotThereIsNotFoundAndTheOthersAreListed) {
  Harness harness([](const Asked&) { return index_answer(); });
  const auto result = harness.resolve(kImage, platform("windows/amd64"));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_NE(result.error().message.find("not there for windows/amd64: it is there for linux/amd64, "
                                        "linux/arm64"),
            std::string::npos)
      << result.error().message;
}

TEST(Inquiry, AnImageForOnePlatformIsAnsweredAsItIs) {
  Harness harness([](const Asked&) { return head_answer(); });
  const auto result = harness.resolve(kImage, platform("linux/arm64"));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->digest, manifest_digest());
  EXPECT_EQ(harness.log().size(), 1U);
}

TEST(Inquiry, VerifyingHashesTheBytesAndTellsOfAWrongHeader) {
  Harness harness([](const Asked& asked) {
    EXPECT_FALSE(asked.is_head());
    http::Response answer = get_answer();
    answer.headers.erase("Docker-Content-Digest");
    answer.headers.add("Docker-Content-Digest", digest('f'));
    return answer;
  });
  const auto result = harness.resolve(kImage, {.verify = true});
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->digest, manifest_digest());
  EXPECT_EQ(harness.logger.lines().size(), 1U);
}

TEST(Inquiry, ADigestWhoseBytesAreOthersIsCorruptAndNotAskedAgain) {
  Harness harness([](const Asked&) { return get_answer(); });
  const std::string good = "registry.test/app@" + manifest_digest().to_string();
  EXPECT_TRUE(harness.resolve(good, {.verify = true}).has_value());
  const auto result = harness.resolve("registry.test/app@" + digest('f'), {.verify = true});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(harness.log().size(), 2U);
}

TEST(Inquiry, DigestHeadersThatDisagreeAreNotBelieved) {
  Harness harness([](const Asked& asked) {
    if (!asked.is_head()) return get_answer();
    return status(200, {{"Docker-Content-Digest", digest('a')},
                        {"Docker-Content-Digest", manifest_digest().to_string()}});
  });
  EXPECT_EQ(harness.resolve(kImage)->digest, manifest_digest());
}

TEST(Inquiry, StorageThatGivesATokenToAnybodyIsAskedForOneWithoutALogin) {
  Harness harness(
      [](const Asked& asked) {
        if (asked.goes_to("https://tokens.test/")) {
          EXPECT_EQ(asked.authorization, "");
          return token_answer("guest");
        }
        if (asked.goes_to("https://storage.test/")) {
          if (asked.authorization == "Bearer guest") return head_answer();
          EXPECT_EQ(asked.authorization, "");
          return challenge("Bearer realm=\"https://tokens.test/t\"");
        }
        if (asked.authorization.empty()) return challenge("Basic realm=\"x\"");
        return status(307, {{"Location", "https://storage.test/x"}});
      },
      {}, logins({"alice:s3cret"}));
  const auto result = harness.resolve(kImage);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->digest, manifest_digest());
}

TEST(Inquiry, TheRegistrysLimitIsToldAndItsEndWarnedOfOnce) {
  Harness harness([](const Asked& asked) {
    http::Response answer = head_answer();
    answer.headers.add("RateLimit-Limit", "100;w=21600");
    answer.headers.add("RateLimit-Remaining", std::to_string(12 - 2 * asked.count) + ";w=21600");
    return answer;
  });
  const auto first = harness.resolve(kImage);
  ASSERT_TRUE(first->rate_limit.has_value());
  EXPECT_EQ(first->rate_limit->limit, 100);
  EXPECT_EQ(first->rate_limit->remaining, 12);
  EXPECT_EQ(first->rate_limit->window, std::chrono::hours(6));
  EXPECT_TRUE(harness.logger.lines().empty());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.logger.lines().size(), 1U);
}

}  // namespace
}  // namespace windlass::registry
