// The kinds of Kubernetes objects whose images stand in known places.
//
// Data only; kubernetes.cc applies it.
#pragma once

#include <span>
#include <string_view>

namespace windlass::manifest {

// What stands at a path.
enum class Shape {
  kImage,            // a reference
  kPodSpec,          // containers and volumes
  kTektonTask,       // steps and sidecars
  kArgoWorkflow,     // templates
  kHelmValues,       // as the values of a chart
  kKustomizeImage,   // name, newName, newTag and digest under keys of their own
  kKustomizeOption,  // name=newName:newTag@digest, as the command line of kustomize takes it
  kDockerUrl,        // a reference behind docker://
};

struct KindRule {
  std::string_view group;  // of apiVersion; empty for any
  std::string_view kind;
  Shape shape;
  std::string_view path;  // a path pattern
};

std::span<const KindRule> kind_rules();

// Where a shape names one image, or more as the shape says.
struct ImagePlace {
  std::string_view pattern;  // of its path within the shape
  bool must_name = false;    // nothing there is refused by the API server, or never runs
};

std::span<const ImagePlace> images_in(Shape shape);

// True for kinds that hold text and schemas of others: no image of theirs is ever run.
bool holds_no_images(std::string_view kind);

}  // namespace windlass::manifest
