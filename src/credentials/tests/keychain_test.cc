#include "windlass/credentials/keychain.h"

#include <gtest/gtest.h>

#include "windlass/credentials/file_keychain.h"

namespace windlass::credentials {
namespace {

std::shared_ptr<Keychain> file(std::string_view json, std::string place) {
  return std::make_shared<FileKeychain>(*DockerConfig::parse(json, std::move(place)));
}

Found find(Keychain& keychain) {
  Found found;
  keychain.find(*image::ImageReference::parse("registry.test/app"), {},
                [&](Found answer) { found = std::move(answer); });
  return found;
}

TEST(ChainedKeychain, KeepsTheOrderAndEachLoginOnce) {
  ChainedKeychain chain({
      file(R"({"auths":{"registry.test":{"username":"a","password":"1"}}})", "first"),
      std::make_shared<AnonymousKeychain>(),
      file(R"({"auths":{"registry.test":{"username":"a","password":"1"}}})", "second"),
      file(R"({"auths":{"registry.test":{"username":"b","password":"2"}}})", "third"),
  });
  const Found found = find(chain);
  ASSERT_EQ(found.candidates.size(), 2U);
  EXPECT_EQ(found.candidates[0].source(), "first");
  EXPECT_EQ(found.candidates[1].source(), "third");
}

TEST(ChainedKeychain, ProblemsDoNotStopTheSearch) {
  ChainedKeychain chain({
      file(R"({"auths":{"registry.test":{"auth":"!"}}})", "first"),
      file(R"({"auths":{"registry.test":{"username":"b","password":"2"}}})", "second"),
  });
  const Found found = find(chain);
  EXPECT_EQ(found.candidates.size(), 1U);
  EXPECT_EQ(found.problems.size(), 1U);
}

TEST(ChainedKeychain, WithoutLinksNobodyHasALogin) {
  ChainedKeychain chain({});
  EXPECT_TRUE(find(chain).candidates.empty());
}

}  // namespace
}  // namespace windlass::credentials
