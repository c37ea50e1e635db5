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

TEST(ChainedKeychain, TheFirstThatHasALoginMayBeEnough) {
  ChainedKeychain chain(
      {
          std::make_shared<AnonymousKeychain>(),
          file(R"({"auths":{"registry.test":{"auth":"!"}}})", "first"),
          file(R"({"auths":{"registry.test":{"username":"b","password":"2"}}})", "second"),
          file(R"({"auths":{"registry.test":{"username":"c","password":"3"}}})", "third"),
      },
      ChainedKeychain::Take::kFirst);
  const Found found = find(chain);
  ASSERT_EQ(found.candidates.size(), 1U);
  EXPECT_EQ(found.candidates[0].source(), "second");
  EXPECT_EQ(found.problems.size(), 1U);
}

// Keeps its callback, as one that runs a program does.
struct Slow final : Keychain {
  void find(const image::ImageReference&, std::stop_token, Callback done) override {
    kept = std::move(done);
  }
  Callback kept;
};

TEST(ChainedKeychain, GoesWithItsLinksThoughSomethingIsBeingAsked) {
  auto slow = std::make_shared<Slow>();
  const std::weak_ptr<Slow> slow_is_alive = slow;
  auto second = file(R"({"auths":{"registry.test":{"username":"b","password":"2"}}})", "second");
  auto chain = std::make_unique<ChainedKeychain>(
      std::vector<std::shared_ptr<Keychain>>{slow, std::move(second)});
  Found found;
  chain->find(*image::ImageReference::parse("registry.test/app"), {},
              [&](Found answer) { found = std::move(answer); });
  Keychain::Callback late = std::move(slow->kept);
  slow.reset();
  EXPECT_FALSE(slow_is_alive.expired());
  chain.reset();
  EXPECT_TRUE(slow_is_alive.expired());
  // Whoever waits still gets an answer.
  late({.candidates = {Credential::password("a", Secret("1"), "first")}, .problems = {}});
  ASSERT_EQ(found.candidates.size(), 1U);
  EXPECT_EQ(found.problems.at(0).code, ErrorCode::kCancelled);
}

TEST(ChainedKeychain, AsksNobodyAfterAStop) {
  auto slow = std::make_shared<Slow>();
  auto next = std::make_shared<Slow>();
  ChainedKeychain chain({slow, next});
  std::stop_source stop;
  Found found;
  chain.find(*image::ImageReference::parse("registry.test/app"), stop.get_token(),
             [&](Found answer) { found = std::move(answer); });
  stop.request_stop();
  slow->kept({});
  EXPECT_TRUE(next->kept == nullptr);
  EXPECT_EQ(found.problems.at(0).code, ErrorCode::kCancelled);
}

TEST(ChainedKeychain, WithoutLinksNobodyHasALogin) {
  ChainedKeychain chain({});
  EXPECT_TRUE(find(chain).candidates.empty());
}

}  // namespace
}  // namespace windlass::credentials
