// ImagePattern: which images a login or a plugin is meant for, as the kubelet reads the keys of
// pull secrets and matchImages: "registry.test", "*.registry.test:5000", "registry.test/team".
//
// Wildcards (* ? [a-z]) stand within one label of the host; the number of labels and the port have
// to be the same; a path is a prefix that ends at a slash. All of Docker Hub's names are one.
//
// A value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/image/image_reference.h"

namespace windlass::credentials {

class ImagePattern {
 public:
  // A scheme, and /v1/ or /v2/ behind the host, are left out. kInvalid when no host is named or a
  // wildcard is malformed.
  static Result<ImagePattern> parse(std::string_view text);

  bool covers(const image::ImageReference& reference) const;

  // "host[:port][/path]", the host in lower case. Sorted in descending order, the more specific of
  // two patterns that cover the same image comes first: longer paths, then names before wildcards.
  const std::string& text() const { return text_; }

 private:
  bool covers_host(std::string_view registry) const;

  std::string text_;
  std::vector<std::string> labels_;
  std::string port_;  // as written
  std::string path_;
};

}  // namespace windlass::credentials
