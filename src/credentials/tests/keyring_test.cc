#include "windlass/credentials/keyring.h"

#include <gtest/gtest.h>

namespace windlass::credentials {
namespace {

Credential login(std::string user) {
  return Credential::password(std::move(user), Secret("s3cret"), "test");
}

std::string users(const Found& found) {
  std::string all;
  for (const Credential& candidate : found.candidates) all += candidate.user() + ";";
  return all;
}

Found find(const Keyring& keyring, std::string_view image) {
  return keyring.find(*image::ImageReference::parse(image));
}

TEST(Keyring, MoreSpecificFirstThenInTheOrderAdded) {
  Keyring keyring;
  for (const auto& [pattern, user] : {std::pair{"*.io", "glob"},
                                      {"quay.io", "first"},
                                      {"quay.io/team", "team"},
                                      {"https://quay.io/v1/", "second"},
                                      {"quay.io/other", "other"}})
    keyring.add(*ImagePattern::parse(pattern), login(user));
  EXPECT_EQ(users(find(keyring, "quay.io/team/app")), "team;first;second;glob;");
  EXPECT_EQ(users(find(keyring, "quay.io/app")), "first;second;glob;");
  EXPECT_EQ(users(find(keyring, "gcr.io/app")), "glob;");
  EXPECT_EQ(users(find(keyring, "registry.test/app")), "");
}

TEST(Keyring, EachLoginOnceWhateverItsSource) {
  Keyring keyring;
  keyring.add(*ImagePattern::parse("quay.io"), login("alice"));
  Keyring other;
  other.add(*ImagePattern::parse("quay.io"), login("alice"));
  other.add(*ImagePattern::parse("quay.io"), login("bob"));
  keyring.add_all(other);
  EXPECT_EQ(users(find(keyring, "quay.io/app")), "alice;bob;");
}

TEST(Keyring, AProblemIsToldForItsImagesOnly) {
  Keyring keyring;
  keyring.add_problem(*ImagePattern::parse("quay.io"),
                      {.code = ErrorCode::kInvalid, .message = "x"});
  keyring.add(*ImagePattern::parse("quay.io"), login("alice"));
  const Found found = find(keyring, "quay.io/app");
  EXPECT_EQ(users(found), "alice;");
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_TRUE(find(keyring, "gcr.io/app").problems.empty());
}

}  // namespace
}  // namespace windlass::credentials
