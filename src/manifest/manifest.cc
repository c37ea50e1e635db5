#include "windlass/manifest/manifest.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dockerfile_shape.h"
#include "file_ending.h"
#include "in_string.h"
#include "odd_json.h"
#include "proved_edit.h"
#include "reader.h"
#include "site.h"
#include "source_text.h"
#include "splice.h"
#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

// Trees count their bytes in 32 bits.
constexpr std::size_t kBytesMax = std::size_t{256} << 20U;

// "Dockerfile" and "web.dockerfile", where "Dockerfile.web" may also be dockerfile.py.
bool is_surely_dockerfile(std::string_view file_name) {
  const std::string name = to_lower(file_name);
  return name.ends_with("dockerfile") || name.ends_with("containerfile");
}

}  // namespace

Manifest::Manifest() = default;
Manifest::Manifest(const Manifest&) = default;
Manifest::Manifest(Manifest&&) noexcept = default;
Manifest& Manifest::operator=(const Manifest&) = default;
Manifest& Manifest::operator=(Manifest&&) noexcept = default;
Manifest::~Manifest() = default;

Result<Manifest> Manifest::parse(std::string file_name, std::string bytes, const Options& options) {
  const std::size_t bytes_max = std::min(options.bytes_max, kBytesMax);
  if (bytes.size() > bytes_max) {
    return fail(ErrorCode::kInvalid,
                format("{}: {} bytes; at most {} are read", file_name, bytes.size(), bytes_max));
  }
  Manifest manifest;
  manifest.options_ = options;
  manifest.file_name_ = std::move(file_name);
  manifest.bytes_ = std::move(bytes);
  const auto refuse = [&](Error error) -> Result<Manifest> {
    manifest.left_alone_ = reason_to_leave_json(manifest.file_name_, manifest.bytes_);
    if (manifest.left_alone_.empty()) return fail(std::move(error));
    return std::move(manifest);
  };
  const auto source = SourceText::create(manifest.file_name_, manifest.bytes_);
  if (!source) return refuse(source.error());
  manifest.format_ = options.format ? options.format : format_of_name(manifest.file_name_);
  if (!options.format && manifest.format_ == Format::kDockerfile &&
      !is_surely_dockerfile(manifest.file_name_) && has_instructions(*source) &&
      !has_shape_of_dockerfile(*source)) {
    manifest.left_alone_ = "named like a Dockerfile, but its instructions are of something else";
    return manifest;
  }
  if (!manifest.format_ && !has_data_ending(to_lower(manifest.file_name_)) &&
      has_shape_of_dockerfile(*source))
    manifest.format_ = Format::kDockerfile;
  auto reading = read(*source, manifest.format_, options);
  if (!reading) return refuse(std::move(reading.error()));
  manifest.documents_ = reading->documents;
  manifest.left_alone_ = std::move(reading->left_alone);
  manifest.used_rules_ = std::move(reading->used_rules);
  manifest.findings_ = std::move(reading->findings);
  manifest.sites_ = std::move(reading->sites);
  return manifest;
}

std::string Manifest::reference_after(const Edit& edit) const {
  WINDLASS_CHECK(edit.finding < findings_.size() && findings_[edit.finding].reference);
  const image::ImageReference& reference = *findings_[edit.finding].reference;
  return std::string(reference.written_name()) + ending_at(sites_[edit.finding], edit);
}

std::vector<Replacement> Manifest::replacements(std::span<const Edit> edits) const {
  std::vector<Replacement> out;
  out.reserve(edits.size());
  for (const Edit& edit : edits) {
    WINDLASS_CHECK(edit.finding < findings_.size() && findings_[edit.finding].reference);
    for (Replacement& replacement : replacements_at(sites_[edit.finding], edit)) {
      if (replacement.bytes.of(bytes_) != replacement.text) out.push_back(std::move(replacement));
    }
  }
  std::sort(out.begin(), out.end(), [](const Replacement& a, const Replacement& b) {
    return a.bytes.begin < b.bytes.begin;
  });
  return out;
}

Result<std::string> Manifest::edited(std::span<const Edit> edits) const {
  const std::vector<Replacement> replaced = replacements(edits);
  if (replaced.empty()) return bytes_;
  std::vector<ScalarChange> changes;
  changes.reserve(edits.size());
  for (const Edit& edit : edits) {
    const Site& site = sites_[edit.finding];
    if (site.inner == nullptr) changes.push_back(change_at(site, edit));
  }
  auto in_strings = changes_in_strings(edits, sites_);
  if (!in_strings) return fail(std::move(in_strings.error()), file_name_);
  std::ranges::move(*in_strings, std::back_inserter(changes));
  auto text = proved_edit(file_name_, bytes_, format_, replaced, std::move(changes));
  if (!text) return fail(std::move(text.error()), file_name_);
  return text;
}

}  // namespace windlass::manifest
