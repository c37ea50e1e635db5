// Digest: the name of exact bytes, "sha256:" + 64 or "sha512:" + 128 lower-case hex digits (OCI
// image spec).
//
// A value. Parsing is strict; a Digest that exists is well formed.
#pragma once

#include <string>
#include <string_view>

#include "windlass/base/result.h"

namespace windlass::image {

class Digest {
 public:
  // kInvalid names what is wrong: the algorithm, the length, or the first character that is not
  // lower-case hex.
  static Result<Digest> parse(std::string_view text);

  // The SHA-256 of `bytes`.
  static Digest sha256_of(std::string_view bytes);

  // True when `bytes` hash to this digest under its own algorithm.
  bool matches(std::string_view bytes) const;

  std::string_view algorithm() const;  // "sha256" or "sha512"
  std::string_view hex() const;
  const std::string& to_string() const { return text_; }

  friend bool operator==(const Digest&, const Digest&) = default;
  friend auto operator<=>(const Digest&, const Digest&) = default;

 private:
  explicit Digest(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

}  // namespace windlass::image
