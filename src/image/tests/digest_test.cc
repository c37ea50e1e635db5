#include "windlass/image/digest.h"

#include <gtest/gtest.h>

namespace windlass::image {
namespace {

// The empty text's digests, as published with the algorithms.
constexpr std::string_view kEmpty256 =
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view kEmpty512 =
    "sha512:cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e";

TEST(Digest, SplitsIntoAlgorithmAndHex) {
  const auto digest = Digest::parse(kEmpty256);
  ASSERT_TRUE(digest.has_value());
  EXPECT_EQ(digest->algorithm(), "sha256");
  EXPECT_EQ(digest->hex(), kEmpty256.substr(7));
  EXPECT_EQ(digest->to_string(), kEmpty256);
}

TEST(Digest, NamesWhatIsWrong) {
  const std::pair<std::string, std::string> table[] = {
      {"", "at offset 0: expected a digest: sha256: or sha512: and hex digits"},
      {"sha256", "at offset 0: expected a digest: sha256: or sha512: and hex digits"},
      {"sha1:ab", "at offset 0: digest algorithm \"sha1\" is not known: expected sha256 or sha512"},
      {"Sha256:ab", "at offset 0: digest algorithms are lower case: write sha256"},
      {"sha256:", "at offset 7: sha256 takes 64 hex digits, found 0"},
      {"sha256:" + std::string(63, 'a'), "at offset 70: sha256 takes 64 hex digits, found 63"},
      {"sha256:" + std::string(64, 'F'), "at offset 7: the hex digits of a digest are lower case"},
      {"sha256:ag" + std::string(62, 'a'), "at offset 8: expected a hex digit, found 'g'"},
      {"sha256:" + std::string(65, 'a'),
       "at offset 71: expected the end after 64 hex digits, found 'a'"},
  };
  for (const auto& [text, ending] : table) {
    const auto digest = Digest::parse(text);
    ASSERT_FALSE(digest.has_value()) << text;
    EXPECT_EQ(digest.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(digest.error().message.ends_with(ending)) << digest.error().message;
  }
}

TEST(Digest, HashesBytes) {
  EXPECT_EQ(Digest::sha256_of("").to_string(), kEmpty256);
  EXPECT_EQ(Digest::sha256_of("abc").to_string(),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Digest, MatchesOnlyItsOwnBytesUnderItsOwnAlgorithm) {
  for (const std::string_view empty : {kEmpty256, kEmpty512}) {
    const auto digest = Digest::parse(empty);
    ASSERT_TRUE(digest.has_value());
    EXPECT_TRUE(digest->matches(""));
    EXPECT_FALSE(digest->matches("x"));
  }
}

}  // namespace
}  // namespace windlass::image
