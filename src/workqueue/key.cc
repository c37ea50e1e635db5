#include "windlass/workqueue/key.h"

#include "windlass/base/random.h"

namespace windlass::workqueue {

std::string to_string(const NamespacedName& name) {
  return name.ns.empty() ? name.name : name.ns + '/' + name.name;
}

std::uint64_t detail::process_seed() {
  static const std::uint64_t kSeed = random_seed();
  return kSeed;
}

}  // namespace windlass::workqueue

std::size_t std::hash<windlass::workqueue::NamespacedName>::operator()(
    const windlass::workqueue::NamespacedName& name) const noexcept {
  using namespace windlass::workqueue::detail;
  return hash_bytes(name.name, hash_bytes(name.ns, process_seed()));
}
