// Images in files that stand as texts: YAML or JSON in a ConfigMap, a Dockerfile in a compose file.
//
// The text is read as a file of its own; places in it become places of the file around it. It is
// edited there, and proved as a file of its own, too.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collector.h"
#include "path_pattern.h"
#include "proof.h"
#include "site.h"
#include "source_text.h"
#include "tree.h"
#include "windlass/manifest/manifest.h"

namespace windlass::manifest {

// A text in which images were found.
struct InString {
  std::size_t ordinal = 0;  // of the scalar around it, in the file
  std::string text;
  std::optional<Format> format;
};

// What an image in a text is there.
struct InnerSite {
  std::shared_ptr<const InString> string;
  Site site;  // its bytes are those of the text
};

// Adds the images in the data of the ConfigMaps of a document. A text that holds images and cannot
// be found in the file byte by byte, or is shared, cannot be pinned.
void find_in_strings(const Tree& tree, const SourceText& source, const Manifest::Options& options,
                     Collector& collector);

// Adds those in texts at places where a format has a file: a compose service's Dockerfile, the
// values of an Argo CD Application or of a HelmChart.
void find_in_known_texts(const Tree& tree, const SourceText& source, Format format,
                         const Manifest::Options& options, VisitBudget& budget,
                         Collector& collector);

// What the scalars of such texts say after `edits`; edits of other sites are passed over. In the
// order of the file. kInternal when a text would not mean what it should.
Result<std::vector<ScalarChange>> changes_in_strings(std::span<const Edit> edits,
                                                     std::span<const Site> sites);

}  // namespace windlass::manifest
