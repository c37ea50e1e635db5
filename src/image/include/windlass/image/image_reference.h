// ImageReference: what an image is called: registry, repository, tag and digest, with Docker's
// defaults filled in.
//
// The grammar is that of distribution/reference; what go-containerregistry refuses is refused too.
// It knows nothing of URLs, ports to ask or credentials: those belong to `registry`.
//
// A value. The written text is kept and printed back unchanged; comparison is by meaning, so that
// `nginx` equals `docker.io/library/nginx:latest`.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "windlass/image/digest.h"

namespace windlass::image {

class ImageReference {
 public:
  // kInvalid quotes the text with odd characters made visible, names the offset of the first fault
  // (in bytes, from 0) and what was expected there.
  static Result<ImageReference> parse(std::string_view text);

  // Exactly what was parsed.
  const std::string& written() const { return written_; }

  // The registry's host and, when written, port; Docker Hub under any of its names is "docker.io".
  // Lower case, since host names have no case. IPv6 keeps its brackets.
  const std::string& registry() const { return registry_; }

  // Path below the registry, with Docker Hub's "library/" filled in.
  const std::string& repository() const { return repository_; }

  // "latest" when neither a tag nor a digest was written; nullopt when only a digest was.
  const std::optional<std::string>& tag() const { return tag_; }
  const std::optional<Digest>& digest() const { return digest_; }

  bool has_written_tag() const { return tag_written_; }
  bool is_pinned() const { return digest_.has_value(); }

  // The name as written, without tag and digest: "nginx", "localhost:5000/app".
  std::string_view written_name() const { return std::string_view(written_).substr(0, name_size_); }

  // What a lookup asks the registry for: the digest if there is one, else the tag.
  std::string_view lookup_target() const;

  // "registry/repository:tag@digest" with every default spelt out.
  std::string normalised() const;

  // The name as written (and its tag as written, if any, when `keep_tag`), pinned to `digest`.
  std::string pinned_text(const Digest& digest, bool keep_tag = true) const;

  friend bool operator==(const ImageReference& a, const ImageReference& b) {
    return (a <=> b) == 0;
  }
  friend std::strong_ordering operator<=>(const ImageReference& a, const ImageReference& b);

 private:
  ImageReference() = default;

  std::string written_;
  std::size_t name_size_ = 0;
  bool tag_written_ = false;
  std::string registry_;
  std::string repository_;
  std::optional<std::string> tag_;
  std::optional<Digest> digest_;
};

// True for loopback names and addresses, with or without port: localhost, *.localhost, 127.0.0.0/8,
// [::1]. These and only these are asked over plain http without being told to.
bool is_loopback_registry(std::string_view registry);

// `text` as it may be shown to people: of "user:password@host/app", which is no reference but is
// written now and then, "user:***@host/app". A valid reference stays as it is.
std::string without_password(std::string_view text);

}  // namespace windlass::image
