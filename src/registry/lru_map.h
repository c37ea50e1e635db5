// LruMap: a map with a bound. Inserting beyond it drops the entry that was used longest ago.
//
// Not thread-safe.
#pragma once

#include <list>
#include <unordered_map>
#include <utility>

namespace windlass::registry {

template <class Key, class Value>
class LruMap {
 public:
  explicit LruMap(std::size_t size_max) : size_max_(size_max) {}

  // The entry of `key`, now the one used last; nullptr when there is none. Good until the next
  // call of a member that is not const.
  Value* find(const Key& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->second;
  }

  // The entry of `key`, made if need be.
  Value& operator[](const Key& key) {
    if (Value* value = find(key)) return *value;
    while (!entries_.empty() && entries_.size() >= size_max_) {
      index_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(key, Value{});
    index_.emplace(key, entries_.begin());
    return entries_.front().second;
  }

  void erase(const Key& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return;
    entries_.erase(found->second);
    index_.erase(found);
  }

  std::size_t size() const { return entries_.size(); }

 private:
  const std::size_t size_max_;
  std::list<std::pair<Key, Value>> entries_;
  std::unordered_map<Key, typename std::list<std::pair<Key, Value>>::iterator> index_;
};

}  // namespace windlass::registry
