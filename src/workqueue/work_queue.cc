#include "windlass/workqueue/work_queue.h"

namespace windlass::workqueue {

template class Item<std::string>;
template class Item<NamespacedName>;
template class WorkQueue<std::string>;
template class WorkQueue<NamespacedName>;
namespace detail {
template class SharedQueue<std::string>;
template class SharedQueue<NamespacedName>;
}  // namespace detail

}  // namespace windlass::workqueue
