// An outside program that links the upper layers, and with them every library they need.
#include <iostream>

#include "windlass/image/image_reference.h"

int main() {
  const auto reference = windlass::image::ImageReference::parse("nginx:1.27");
  if (!reference) return 1;
  std::cout << reference->normalised() << '\n';
}
