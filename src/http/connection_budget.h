// ConnectionBudget: how the connections of a client are shared among its hosts.
//
// Any host may have its first connection; more than one per host only as long as those beyond the
// first are fewer than half of all. So hosts that take connections and never answer, be they many,
// leave some for the others.
//
// Passive, not thread-safe.
#pragma once

#include <cstddef>

namespace windlass::http {

class ConnectionBudget {
 public:
  explicit ConnectionBudget(std::size_t connections_max) : max_(connections_max) {}

  // May a host that has `own` connections open another?
  bool allows(std::size_t own) const {
    if (hosts_ + beyond_first_ >= max_) return false;
    return own == 0 || beyond_first_ < max_ / 2;
  }

  // A host now has `now` connections instead of `before`.
  void change(std::size_t before, std::size_t now) {
    hosts_ = hosts_ - (before > 0 ? 1 : 0) + (now > 0 ? 1 : 0);
    beyond_first_ = beyond_first_ - (before > 0 ? before - 1 : 0) + (now > 0 ? now - 1 : 0);
  }

 private:
  const std::size_t max_;
  std::size_t hosts_ = 0;         // that have any
  std::size_t beyond_first_ = 0;  // of all hosts
};

}  // namespace windlass::http
