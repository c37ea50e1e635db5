#include "windlass/credentials/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace windlass::credentials {
namespace {

TEST(Base64, KnownValues) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [bytes, text] : table) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), bytes);
  }
  EXPECT_EQ(base64_decode("Zm8"), "fo");
}

TEST(Base64, RefusesEverythingElse) {
  for (const std::string_view text :
       {"Z", "Zg=", "Zg===", "Zm8==", "Zm9v=", "Zm 8", "Zm-_", "=", "Zg==Zg==", "ZÄ=="})
    EXPECT_EQ(base64_decode(text), std::nullopt) << text;
}

RC_GTEST_PROP(Base64, DecodingUndoesEncoding, (const std::string& bytes)) {
  RC_ASSERT(base64_decode(base64_encode(bytes)) == bytes);
}

}  // namespace
}  // namespace windlass::credentials
