#include "penalties.h"

#include <utility>

namespace windlass::resolver {

const Penalty* Penalties::find(const std::string& key) const {
  if (!by_key_) return nullptr;
  const auto found = by_key_->find(key);
  return found == by_key_->end() ? nullptr : &found->second;
}

void Penalties::put(const std::string& key, Penalty penalty) {
  if (!by_key_) by_key_ = std::make_unique<std::unordered_map<std::string, Penalty>>();
  by_key_->insert_or_assign(key, std::move(penalty));
}

void Penalties::remove(const std::string& key) {
  if (!by_key_) return;
  by_key_->erase(key);
  if (by_key_->empty()) by_key_.reset();
}

}  // namespace windlass::resolver
