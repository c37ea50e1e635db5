#include "windlass/oci/platform.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::oci {
namespace {

struct Alias {
  std::string_view name;
  std::string_view architecture;
  std::string_view variant;
};

constexpr std::array<Alias, 7> kAliases = {{{"x86_64", "amd64", ""},
                                            {"x86-64", "amd64", ""},
                                            {"i386", "386", ""},
                                            {"i686", "386", ""},
                                            {"aarch64", "arm64", ""},
                                            {"armhf", "arm", "v7"},
                                            {"armel", "arm", "v6"}}};

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  });
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t slash = text.find('/');
    parts.push_back(text.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    text.remove_prefix(slash + 1);
  }
}

// 7 for "v7"; 0 for anything else.
int version_of(std::string_view variant) {
  int version = 0;
  if (variant.starts_with('v'))
    std::from_chars(variant.data() + 1, variant.data() + variant.size(), version);
  return std::clamp(version, 0, 1000);
}

}  // namespace

Result<Platform> Platform::parse(std::string_view text) {
  const std::string lower = to_lower(text);
  const std::vector<std::string_view> parts = split(lower);
  if (parts.size() < 2 || parts.size() > 3 || !std::ranges::all_of(parts, is_word)) {
    return fail(ErrorCode::kInvalid,
                format("{} is not a platform: expected OS/ARCHITECTURE or OS/ARCHITECTURE/VARIANT, "
                       "such as linux/amd64 or linux/arm/v7",
                       quoted(text)));
  }
  return Platform{.os = std::string(parts[0]),
                  .architecture = std::string(parts[1]),
                  .variant = parts.size() == 3 ? std::string(parts[2]) : std::string()}
      .normalised();
}

Platform Platform::normalised() const {
  Platform out{
      .os = to_lower(os), .architecture = to_lower(architecture), .variant = to_lower(variant)};
  if (out.os == "macos") out.os = "darwin";
  for (const Alias& alias : kAliases) {
    if (out.architecture != alias.name) continue;
    out.architecture = alias.architecture;
    if (out.variant.empty()) out.variant = alias.variant;
    break;
  }
  if (!out.variant.empty() && out.variant.front() >= '0' && out.variant.front() <= '9')
    out.variant.insert(0, 1, 'v');
  const bool is_the_only_one = (out.architecture == "arm64" && out.variant == "v8") ||
                               (out.architecture == "amd64" && out.variant == "v1");
  if (is_the_only_one) out.variant.clear();
  return out;
}

std::string Platform::to_string() const {
  return os + '/' + architecture + (variant.empty() ? "" : '/' + variant);
}

int fitness(const Platform& wanted, const Platform& offered) {
  const Platform want = wanted.normalised();
  const Platform offer = offered.normalised();
  if (want.os != offer.os || want.architecture != offer.architecture) return 0;
  // Attestations say "unknown"; they are no image of any platform.
  if (offer.os == "unknown" || offer.architecture == "unknown") return 0;
  if (want.variant == offer.variant) return 2000;
  if (!want.variant.empty()) return 0;
  // Newer machines of amd64 and arm64 run the plain image; which others can is not known.
  const bool plain_exists = want.architecture == "amd64" || want.architecture == "arm64";
  return 1 + (plain_exists ? 1000 - version_of(offer.variant) : version_of(offer.variant));
}

}  // namespace windlass::oci
