// Finding: one place in a file where an image is named, and what can be done about it.
//
// Values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "windlass/image/image_reference.h"
#include "windlass/manifest/location.h"

namespace windlass::manifest {

enum class FindingState {
  kUnpinned,    // has no digest and may get one
  kPinned,      // has a digest; may get another one, or lose it
  kLeftAlone,   // `reason` says why
  kNotKnown,    // an image whose name a template, an expression or a variable makes: `reason`
  kUnpinnable,  // has no digest and cannot get one where it stands, or no image is named where one
                // must be: `reason`
  kInvalid,     // not a reference: `reason` is the error, with file, line and column
};

// What a Kubernetes object says of itself, and where a KRM function's input says that it came from.
struct ObjectIdentity {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string name_space;  // "" where none is written
  std::string file;        // by the annotations of internal.config.kubernetes.io, or ""
  std::string index;       // in that file, likewise

  friend bool operator==(const ObjectIdentity&, const ObjectIdentity&) = default;
};

struct Finding {
  FindingState state = FindingState::kLeftAlone;
  std::string reason;
  std::optional<image::ImageReference> reference;  // when kUnpinned or kPinned, else where known
  std::string tag_in_comment;                      // behind a digest that has no tag beside it

  std::size_t document = 1;  // in the file, from 1; empty ones count
  std::string path;          // "spec.template.spec.containers[0].image"
  std::string object;        // "Deployment/web"; empty where the format has no objects
  std::optional<ObjectIdentity> identity;  // of that object, with Options::identify_objects
  std::string container;                   // name of the container, volume, service, stage ...
  std::string rule;                        // which rule said that an image stands here, for people

  Span span;             // of the scalar, quotes included
  Location location;     // of its first character
  std::string text;      // the image's name as it stands there; if left alone, the whole value
  std::size_t uses = 1;  // places that read it: more than one for an anchored value

  // What to look up for the image's present digest: its name and tag without the digest. nullopt
  // when there is no reference, or a digest alone, whose tag nobody knows.
  std::optional<image::ImageReference> followed() const;
};

}  // namespace windlass::manifest
