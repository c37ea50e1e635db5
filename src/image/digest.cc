#include "windlass/image/digest.h"

#include <openssl/evp.h>

#include <array>

#include "grammar.h"
#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::image {
namespace {

std::string hash(const EVP_MD* algorithm, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
  unsigned size = 0;
  WINDLASS_CHECK(EVP_Digest(bytes.data(), bytes.size(), raw.data(), &size, algorithm, nullptr) ==
                 1);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string hex;
  hex.reserve(std::size_t{size} * 2);
  for (std::size_t i = 0; i < size; ++i) {
    hex += kHex[raw[i] >> 4U];
    hex += kHex[raw[i] & 0xFU];
  }
  return hex;
}

}  // namespace

Result<Digest> Digest::parse(std::string_view text) {
  if (const auto fault = check_digest(text, {0, text.size()})) {
    return fail(ErrorCode::kInvalid, format("invalid digest {} at offset {}: {}", quoted(text),
                                            fault->offset, fault->what));
  }
  return Digest(std::string(text));
}

Digest Digest::sha256_of(std::string_view bytes) {
  return Digest("sha256:" + hash(EVP_sha256(), bytes));
}

bool Digest::matches(std::string_view bytes) const {
  return hex() == hash(algorithm() == "sha256" ? EVP_sha256() : EVP_sha512(), bytes);
}

std::string_view Digest::algorithm() const {
  return std::string_view(text_).substr(0, text_.find(':'));
}

std::string_view Digest::hex() const { return std::string_view(text_).substr(text_.find(':') + 1); }

}  // namespace windlass::image
