// What must hold for every reference and for every text. Valid references are put together from
// the grammar; broken ones by changing bytes of valid ones, which reaches deeper than noise does.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "windlass/image/image_reference.h"

namespace windlass::image {
namespace {

rc::Gen<std::string> text_of(const std::string& alphabet, int size_min, int size_max) {
  return rc::gen::mapcat(rc::gen::inRange(size_min, size_max + 1), [alphabet](int size) {
    return rc::gen::container<std::string>(static_cast<std::size_t>(size),
                                           rc::gen::elementOf(alphabet));
  });
}

rc::Gen<std::string> digest_text() {
  return rc::gen::mapcat(rc::gen::arbitrary<bool>(), [](bool is_long) {
    const int size = is_long ? 128 : 64;
    return rc::gen::map(text_of("0123456789abcdef", size, size), [is_long](const std::string& hex) {
      return (is_long ? "sha512:" : "sha256:") + hex;
    });
  });
}

rc::Gen<std::string> reference_text() {
  const auto component = rc::gen::map(
      rc::gen::tuple(text_of("abcxyz019", 1, 4), rc::gen::element("", ".", "_", "__", "-", "---"),
                     text_of("abcxyz019", 1, 4)),
      [](const auto& parts) {
        return std::get<0>(parts) + std::get<1>(parts) + std::get<2>(parts);
      });
  const auto registry = rc::gen::element<std::string>(
      "", "", "docker.io/", "Index.Docker.io/", "registry-1.docker.io/", "localhost/", "ghcr.io/",
      "Registry.Test:5000/", "[::1]:80/", "[2001:DB8::1]/", "10.0.0.1/");
  const auto path =
      rc::gen::map(rc::gen::mapcat(rc::gen::inRange(1, 4),
                                   [component](int count) {
                                     return rc::gen::container<std::vector<std::string>>(
                                         static_cast<std::size_t>(count), component);
                                   }),
                   [](const std::vector<std::string>& parts) {
                     // A dot would make a registry of the first of several components.
                     std::string text = parts.size() > 1 ? "x" : parts[0];
                     for (std::size_t i = 1; i < parts.size(); ++i) text += "/" + parts[i];
                     return text;
                   });
  const auto tag = rc::gen::map(text_of("aZ0_.-", 0, 127), [](const std::string& rest) {
    return rest.empty() ? rest : ":v" + rest;
  });
  const auto digest =
      rc::gen::oneOf(rc::gen::just(std::string()),
                     rc::gen::map(digest_text(), [](const std::string& d) { return "@" + d; }));
  return rc::gen::map(rc::gen::tuple(registry, path, tag, digest), [](const auto& parts) {
    return std::get<0>(parts) + std::get<1>(parts) + std::get<2>(parts) + std::get<3>(parts);
  });
}

RC_GTEST_PROP(ImageReferenceProperties, WrittenTextIsKeptAndParsesToTheSame, ()) {
  const std::string text = *reference_text();
  const auto reference = ImageReference::parse(text);
  RC_ASSERT(reference.has_value());
  RC_ASSERT(reference->written() == text);
  RC_ASSERT((ImageReference::parse(reference->written()) == reference));
}

RC_GTEST_PROP(ImageReferenceProperties, NormalisedTextMeansTheSameAndIsItsOwnNormalForm, ()) {
  const auto reference = ImageReference::parse(*reference_text());
  const auto again = ImageReference::parse(reference->normalised());
  RC_ASSERT((again == reference));
  RC_ASSERT(again->normalised() == reference->normalised());
}

RC_GTEST_PROP(ImageReferenceProperties, PinningKeepsNameAndTagAndIsRepeatable, ()) {
  const auto reference = ImageReference::parse(*reference_text());
  const Digest digest = *Digest::parse(*digest_text());
  for (const bool keep_tag : {true, false}) {
    const auto pinned = ImageReference::parse(reference->pinned_text(digest, keep_tag));
    RC_ASSERT(pinned.has_value());
    RC_ASSERT(pinned->written_name() == reference->written_name());
    RC_ASSERT(pinned->repository() == reference->repository());
    RC_ASSERT((pinned->digest() == digest));
    RC_ASSERT(pinned->has_written_tag() == (keep_tag && reference->has_written_tag()));
    if (pinned->has_written_tag()) RC_ASSERT((pinned->tag() == reference->tag()));
    RC_ASSERT(pinned->pinned_text(digest, keep_tag) == pinned->written());
  }
}

void either_parses_or_says_why(const std::string& text) {
  const auto reference = ImageReference::parse(text);
  if (reference) {
    RC_ASSERT(reference->written() == text);
    RC_ASSERT((ImageReference::parse(reference->normalised()) == reference));
  } else {
    RC_ASSERT((reference.error().code == ErrorCode::kInvalid));
    RC_ASSERT(reference.error().message.starts_with("invalid image reference \""));
  }
}

RC_GTEST_PROP(ImageReferenceProperties, AnyBytesEitherParseOrGetAnError,
              (const std::string& text)) {
  either_parses_or_says_why(text);
}

RC_GTEST_PROP(ImageReferenceProperties, AReferenceWithChangedBytesParsesOrGetsAnError, ()) {
  std::string text = *reference_text();
  const int changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    const char c = *rc::gen::oneOf(rc::gen::elementOf(std::string("/:@.[]-_ %AZaz09")),
                                   rc::gen::arbitrary<char>());
    if (at < text.size() && *rc::gen::arbitrary<bool>()) {
      text[at] = c;
    } else {
      text.insert(at, 1, c);
    }
  }
  either_parses_or_says_why(text);
}

}  // namespace
}  // namespace windlass::image
