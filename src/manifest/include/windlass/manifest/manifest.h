// Manifest: a file that names images, where it names them, and the same file with digests.
//
// Only the text of references changes: comments, quotes, line ends, anchors and order stay byte for
// byte. An edited file is parsed again and compared; a difference anywhere but at the edited places
// is our bug and gives no file.
//
// It reads no files and asks no registry. A value: copies and compares nothing behind the scenes;
// const members may be called from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/image/digest.h"
#include "windlass/manifest/finding.h"
#include "windlass/manifest/format.h"
#include "windlass/manifest/rules.h"

namespace windlass::manifest {

struct Site;

// Where the tag stands beside a digest. A tag under a key of its own stays there in every style.
enum class Style {
  kAsWritten,     // where it stands now; of an unpinned image, as kTagAndDigest
  kTagAndDigest,  // name:tag@digest
  kDigest,        // name@digest: the tag is gone
  kComment,       // name@digest  # tag: 1.27; as kTagAndDigest where no comment can stand
};

// What to do with one finding that is kUnpinned or kPinned.
struct Edit {
  std::size_t finding = 0;  // index into Manifest::findings()

  // nullopt takes the digest out and leaves name:tag. Of a digest without a known tag only the name
  // is left, which then means "latest".
  std::optional<image::Digest> digest;
  Style style = Style::kAsWritten;
};

// Bytes of the file, and what stands there instead after the edits.
struct Replacement {
  Span bytes;
  std::string text;

  friend bool operator==(const Replacement&, const Replacement&) = default;
};

class Manifest {
 public:
  struct Options {
    std::size_t bytes_max = std::size_t{64} << 20U;  // of a file; at most 256 MiB
    bool allow_duplicate_keys = false;               // then the last one counts
    bool list_possible = false;                      // texts that look like images, too: left alone
    bool in_strings = false;        // also in YAML and JSON that stand as texts in a ConfigMap
    bool identify_objects = false;  // Finding::identity, as a KRM function needs it
    std::vector<PathRule> rules;    // the user's, for Kubernetes objects
    std::optional<Format> format;   // nullopt: told by the file's name and content
  };

  // kInvalid, with file:line:column, for what is not UTF-8, not YAML, or has duplicate keys.
  static Result<Manifest> parse(std::string file_name, std::string bytes, const Options& options);
  static Result<Manifest> parse(std::string file_name, std::string bytes) {
    return parse(std::move(file_name), std::move(bytes), Options());
  }

  Manifest(const Manifest&);
  Manifest(Manifest&&) noexcept;
  Manifest& operator=(const Manifest&);
  Manifest& operator=(Manifest&&) noexcept;
  ~Manifest();

  const std::string& file_name() const { return file_name_; }
  const std::string& bytes() const { return bytes_; }

  // Documents in the file, empty ones included; 0 for an empty file.
  std::size_t documents() const { return documents_; }

  // Why the whole file is left alone, such as "looks like a Go template (line 1)"; else "".
  const std::string& left_alone() const { return left_alone_; }

  // False when rule `number` of the options leads to nothing in this file.
  bool uses_rule(std::size_t number) const {
    return number < used_rules_.size() && used_rules_[number];
  }

  // In the order of the file.
  std::span<const Finding> findings() const { return findings_; }

  // The reference as a reader of the file puts it together after `edit`, comments left out.
  std::string reference_after(const Edit& edit) const;

  // The edits as bytes to replace, in the order of the file. At most one edit for a finding.
  std::vector<Replacement> replacements(std::span<const Edit> edits) const;

  // The file after the edits, proved to differ at the edited references only. kInternal otherwise.
  Result<std::string> edited(std::span<const Edit> edits) const;

 private:
  Manifest();

  Options options_;
  std::string file_name_;
  std::optional<Format> format_;  // as told before reading: it decides about the syntax
  std::string bytes_;
  std::size_t documents_ = 0;
  std::string left_alone_;
  std::vector<bool> used_rules_;
  std::vector<Finding> findings_;
  std::vector<Site> sites_;  // one for each finding
};

}  // namespace windlass::manifest
