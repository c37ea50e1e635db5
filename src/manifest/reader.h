// Reads a file once: which syntax, which format, which images.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "site.h"
#include "source_text.h"
#include "windlass/manifest/finding.h"
#include "windlass/manifest/manifest.h"

namespace windlass::manifest {

struct Reading {
  std::size_t documents = 0;
  std::string left_alone;        // why the whole file is
  std::vector<bool> used_rules;  // as Manifest::uses_rule() has them
  std::vector<Finding> findings;
  std::vector<Site> sites;
};

// `quick`: as Documents::Options has it. `within_text`: the source is a text of another file, and
// the texts in it are left as they are.
Result<Reading> read(const SourceText& source, std::optional<Format> format,
                     const Manifest::Options& options, bool quick = true, bool within_text = false);

}  // namespace windlass::manifest
