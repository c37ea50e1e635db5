// Reads a file once: which syntax, which format, which images.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "event.h"
#include "site.h"
#include "source_text.h"
#include "windlass/manifest/finding.h"
#include "windlass/manifest/manifest.h"

namespace windlass::manifest {

struct Reading {
  std::size_t documents = 0;
  std::string left_alone;  // why the whole file is
  std::vector<Finding> findings;
  std::vector<Site> sites;
};

// The events of the file in the syntax that `format` is written in. The SourceText must outlive
// them.
std::unique_ptr<EventSource> open_events(const SourceText& source, std::optional<Format> format);

Result<Reading> read(const SourceText& source, std::optional<Format> format,
                     const Manifest::Options& options);

}  // namespace windlass::manifest
