// Answers of token services: a token that is taken can stand in a header.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "token.h"
#include "windlass/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windlass;
  static const http::Url realm = *http::Url::parse("https://auth.test/token");
  const http::Response response{.status = 200,
                                .headers = {{"Date", "Thu, 01 Jan 2026 10:01:00 GMT"}},
                                .body = {reinterpret_cast<const char*>(data), size}};
  const auto token = registry::parse_token(response, realm);
  if (!token) return 0;
  WINDLASS_CHECK(!token->value.empty() && token->lifetime >= Duration::zero());
  for (const char c : token->value.reveal()) WINDLASS_CHECK(c > ' ' && c < '\x7f');
  return 0;
}
