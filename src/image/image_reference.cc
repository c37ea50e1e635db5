#include "windlass/image/image_reference.h"

#include <algorithm>
#include <utility>

#include "grammar.h"
#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::image {
namespace {

constexpr std::size_t kRepositorySizeMax = 255;
constexpr std::string_view kDockerHub = "docker.io";
constexpr std::string_view kDockerHubPrefix = "library/";

// Where the parts of a reference stand, before any of them is checked.
struct Split {
  std::optional<Range> registry;
  Range repository{0, 0};
  std::optional<Range> tag;
  std::optional<Range> digest;

  std::size_t name_size() const { return repository.end; }
};

// Docker's rule: the first component is a registry when it could not be a repository: it has a dot,
// has a port, or is localhost.
bool names_registry(std::string_view component) {
  return component.find_first_of(".:[") != std::string_view::npos || component == "localhost";
}

Split split(std::string_view text) {
  Split parts;
  std::size_t end = text.find('@');
  if (end == std::string_view::npos) {
    end = text.size();
  } else {
    parts.digest = Range{end + 1, text.size()};
  }
  const std::string_view name = text.substr(0, end);
  const std::size_t last_slash = name.rfind('/');
  const std::size_t colon = name.find(':', last_slash == std::string_view::npos ? 0 : last_slash);
  if (colon != std::string_view::npos) {
    parts.tag = Range{colon + 1, end};
    end = colon;
  }
  parts.repository = {0, end};
  const std::size_t first_slash = text.substr(0, end).find('/');
  if (first_slash != std::string_view::npos && names_registry(text.substr(0, first_slash))) {
    parts.registry = Range{0, first_slash};
    parts.repository.begin = first_slash + 1;
  }
  return parts;
}

bool is_docker_hub(std::string_view registry) {
  return registry == kDockerHub || registry == "index.docker.io" ||
         registry == "registry-1.docker.io";
}

bool is_hex_identifier(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// What stands behind the last "@" and is no host: sha256:..., or any word and many hex digits.
bool looks_like_digest(std::string_view text) {
  if (text.starts_with("sha256:") || text.starts_with("sha512:")) return true;
  const std::size_t colon = text.find(':');
  constexpr std::size_t kDigitsMin = 16;
  return colon != std::string_view::npos && text.size() - colon > kDigitsMin &&
         text.find_first_not_of("0123456789abcdefABCDEF", colon + 1) == std::string_view::npos;
}

// Where a digest at the end of a text begins, or its size.
std::size_t begin_of_digest(std::string_view text) {
  const std::size_t at = text.rfind('@');
  const bool has_one = at != std::string_view::npos && looks_like_digest(text.substr(at + 1));
  return has_one ? at : text.size();
}

// Whole-text mistakes that deserve a better answer than the first odd character.
std::optional<Fault> check_whole(std::string_view text) {
  if (text.empty()) return Fault{0, "expected an image name such as nginx:1.27"};
  const std::size_t scheme = text.find("://");
  if (scheme != std::string_view::npos &&
      text.substr(0, scheme).find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-+.0123456789") ==
          std::string_view::npos) {
    return Fault{0, format("this is a URL, not an image reference: leave out {}",
                           quoted(text.substr(0, scheme + 3)))};
  }
  if (is_hex_identifier(text))
    return Fault{0, "64 hex digits alone are an image ID: write name@sha256:..."};
  return std::nullopt;
}

// Docker itself takes an upper-case first component for a registry, other tools for a mistake.
std::optional<Fault> check_first_component(std::string_view text, Range name) {
  const std::string_view first = name.of(text).substr(0, name.of(text).find('/'));
  const auto upper =
      std::find_if(first.begin(), first.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (upper == first.end() || first.size() == name.of(text).size()) return std::nullopt;
  Fault fault = must_be_lower(text, name, static_cast<std::size_t>(upper - first.begin()));
  fault.what += fault.what.ends_with('?') ? " " : "; ";
  fault.what += "a registry has a dot or a port, or is localhost";
  return fault;
}

std::optional<Fault> check(std::string_view text, const Split& parts) {
  if (auto fault = check_whole(text)) return fault;
  if (parts.registry) {
    if (auto fault = check_registry(text, *parts.registry)) return fault;
  } else if (text.starts_with('[')) {
    return Fault{0, "expected a repository: [address]:port/name"};
  } else if (auto fault = check_first_component(text, parts.repository)) {
    return fault;
  }
  if (auto fault = check_repository(text, parts.repository)) return fault;
  if (parts.tag) {
    if (auto fault = check_tag(text, *parts.tag)) return fault;
  }
  return parts.digest ? check_digest(text, *parts.digest) : std::nullopt;
}

}  // namespace

Result<ImageReference> ImageReference::parse(std::string_view text) {
  const Split parts = split(text);
  const auto refuse = [&](const Fault& fault) {
    return fail(ErrorCode::kInvalid,
                format("invalid image reference {} at offset {}: {}",
                       windlass::quoted(without_password(text)), fault.offset, fault.what));
  };
  if (const auto fault = check(text, parts)) return refuse(*fault);

  ImageReference reference;
  reference.written_ = text;
  reference.name_size_ = parts.name_size();
  reference.registry_ = parts.registry ? to_lower(parts.registry->of(text)) : kDockerHub;
  if (is_docker_hub(reference.registry_)) {
    reference.registry_ = kDockerHub;
    if (!parts.repository.of(text).contains('/')) reference.repository_ = kDockerHubPrefix;
  }
  const std::size_t added = reference.repository_.size();
  reference.repository_ += parts.repository.of(text);
  if (reference.repository_.size() > kRepositorySizeMax) {
    return refuse({parts.repository.begin + kRepositorySizeMax - added,
                   format("a repository name has at most {} characters", kRepositorySizeMax)});
  }
  reference.tag_written_ = parts.tag.has_value();
  if (parts.tag) reference.tag_ = parts.tag->of(text);
  if (parts.digest) {
    auto digest = Digest::parse(parts.digest->of(text));
    WINDLASS_CHECK(digest.has_value());
    reference.digest_ = std::move(*digest);
  }
  if (!parts.tag && !parts.digest) reference.tag_ = "latest";
  return reference;
}

std::string without_password(std::string_view text) {
  const std::size_t at = text.substr(0, begin_of_digest(text)).rfind('@');
  if (at == std::string_view::npos) return std::string(text);
  // A variable where the digest would stand.
  const std::string_view behind = text.substr(at + 1);
  if (behind.starts_with('$') && !behind.contains('/')) return std::string(text);
  const std::size_t scheme = text.find("://");
  const std::size_t begin = scheme < at ? scheme + 3 : 0;
  // A name without a password may be a token, when a host follows.
  const std::size_t colon = text.substr(0, at).find(':', begin);
  const bool has_password = colon != std::string_view::npos;
  if (!has_password && !text.substr(at).contains('/')) return std::string(text);
  std::string shown(text.substr(0, has_password ? colon + 1 : begin));
  return shown.append("***").append(text.substr(at));
}

std::string_view ImageReference::lookup_target() const {
  if (digest_) return digest_->to_string();
  return tag_ ? std::string_view(*tag_) : std::string_view();
}

std::string ImageReference::normalised() const {
  std::string text = registry_ + '/' + repository_;
  if (tag_) text.append(":").append(*tag_);
  if (digest_) text.append("@").append(digest_->to_string());
  return text;
}

std::string ImageReference::pinned_text(const Digest& digest, bool keep_tag) const {
  std::string text(written_name());
  if (keep_tag && tag_written_ && tag_) text.append(":").append(*tag_);
  return text.append("@").append(digest.to_string());
}

std::strong_ordering operator<=>(const ImageReference& a, const ImageReference& b) {
  if (const auto order = a.registry_ <=> b.registry_; order != 0) return order;
  if (const auto order = a.repository_ <=> b.repository_; order != 0) return order;
  if (const auto order = a.tag_ <=> b.tag_; order != 0) return order;
  return a.digest_ <=> b.digest_;
}

}  // namespace windlass::image
