// WaiterList: a list of objects that carry their own links, so that waiting takes no memory and any
// of them can leave at once.
//
// Thread safety: none; the owner locks.
#pragma once

namespace windlass::workqueue::detail {

// Invariant: linked in a circle with the others of its list; alone in it where it is in none.
class WaiterLink {
 public:
  WaiterLink() = default;
  WaiterLink(const WaiterLink&) = delete;
  WaiterLink& operator=(const WaiterLink&) = delete;

  // Leaves its list, if it is in one.
  void unlink() {
    prev_->next_ = next_;
    next_->prev_ = prev_;
    prev_ = next_ = this;
  }

 private:
  friend class WaiterList;

  WaiterLink* prev_ = this;
  WaiterLink* next_ = this;
};

class WaiterList {
 public:
  bool empty() const { return ends_.next_ == &ends_; }
  WaiterLink& front() { return *ends_.next_; }

  // `link` is in no list, and leaves this one before it is destroyed.
  void push_back(WaiterLink& link) {
    link.prev_ = ends_.prev_;
    link.next_ = &ends_;
    ends_.prev_->next_ = &link;
    ends_.prev_ = &link;
  }

 private:
  WaiterLink ends_;
};

}  // namespace windlass::workqueue::detail
