#include "windlass/credentials/credential.h"

#include <gtest/gtest.h>

namespace windlass::credentials {
namespace {

TEST(Credential, ShownNeverHoldsTheSecret) {
  const Credential all[] = {
      Credential::anonymous(),
      Credential::password("alice", Secret("canary"), "config.json"),
      Credential::identity_token("alice", Secret("canary"), "config.json"),
      Credential::registry_token(Secret("canary"), "config.json"),
  };
  for (const Credential& credential : all) {
    EXPECT_EQ(credential.shown().find("canary"), std::string::npos);
    EXPECT_EQ(credential.fingerprint().find("canary"), std::string::npos);
  }
  EXPECT_EQ(all[0].shown(), "anonymous");
  EXPECT_EQ(all[1].shown(), "user alice from config.json");
}

TEST(Credential, FingerprintTellsLoginsApartAndNotSources) {
  const Credential alice = Credential::password("alice", Secret("s3cret"), "a");
  EXPECT_EQ(alice.fingerprint(),
            Credential::password("alice", Secret("s3cret"), "b").fingerprint());
  for (const Credential& other :
       {Credential::password("alice", Secret("s3cres"), "a"),
        Credential::password("alices", Secret("3cret"), "a"),
        Credential::identity_token("alice", Secret("s3cret"), "a"),
        Credential::registry_token(Secret("s3cret"), "a"), Credential::anonymous()})
    EXPECT_NE(alice.fingerprint(), other.fingerprint());
}

TEST(Secret, MovesAndCopies) {
  Secret a("one");
  const Secret copy = a;
  const Secret moved = std::move(a);
  EXPECT_EQ(copy, moved);
  EXPECT_EQ(moved.reveal(), "one");
  EXPECT_TRUE(Secret().empty());
}

}  // namespace
}  // namespace windlass::credentials
