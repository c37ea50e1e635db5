#include "windlass/workqueue/key.h"

namespace windlass::workqueue {

std::string to_string(const NamespacedName& name) {
  return name.ns.empty() ? name.name : name.ns + '/' + name.name;
}

}  // namespace windlass::workqueue

std::size_t std::hash<windlass::workqueue::NamespacedName>::operator()(
    const windlass::workqueue::NamespacedName& name) const noexcept {
  using namespace windlass::workqueue::detail;
  const std::uint64_t ns = hash_bytes(name.ns, kOdd1);
  return ns << 32U | hash_bytes(name.name, ns);
}
