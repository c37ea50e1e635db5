// HandleList: a doubly linked list through the `next` and `prev` of the states it links.
//
// Thread safety: none; the owner locks. `states(handle)` is a reference to the handle's state.
#pragma once

#include <cstddef>

#include "windlass/workqueue/detail/slot_table.h"

namespace windlass::workqueue::detail {

class HandleList {
 public:
  bool empty() const { return head_ == kNoHandle; }
  std::size_t size() const { return size_; }
  Handle front() const { return head_; }

  template <class States>
  void push_back(Handle handle, States states) {
    auto& state = states(handle);
    state.next = kNoHandle;
    state.prev = tail_;
    (tail_ == kNoHandle ? head_ : states(tail_).next) = handle;
    tail_ = handle;
    ++size_;
  }

  // `handle` is in this list.
  template <class States>
  void erase(Handle handle, States states) {
    const auto& state = states(handle);
    (state.prev == kNoHandle ? head_ : states(state.prev).next) = state.next;
    (state.next == kNoHandle ? tail_ : states(state.next).prev) = state.prev;
    --size_;
  }

  // Calls `function` with each handle from the front until it returns false.
  template <class States, class Function>
  bool for_each(States states, Function function) const {
    for (Handle handle = head_; handle != kNoHandle; handle = states(handle).next) {
      if (!function(handle)) return false;
    }
    return true;
  }

 private:
  Handle head_ = kNoHandle;
  Handle tail_ = kNoHandle;
  std::size_t size_ = 0;
};

}  // namespace windlass::workqueue::detail
