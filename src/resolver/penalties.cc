#include "penalties.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace windlass::resolver {

const Penalty* Penalties::find(const std::string& key) const {
  if (!by_key_) return nullptr;
  const auto found = by_key_->find(key);
  return found == by_key_->end() ? nullptr : &found->second;
}

void Penalties::put(const std::string& key, Penalty penalty, std::size_t most) {
  if (!by_key_) by_key_ = std::make_unique<std::unordered_map<std::string, Penalty>>();
  by_key_->insert_or_assign(key, std::move(penalty));
  // Half at a time, so that it is not searched for each one more.
  if (by_key_->size() > most) drop_earlier_half();
}

void Penalties::drop_earlier_half() {
  std::vector<std::pair<TimePoint, const std::string*>> pauses;
  pauses.reserve(by_key_->size());
  for (const auto& [key, penalty] : *by_key_) pauses.emplace_back(penalty.not_before, &key);
  const auto middle = pauses.begin() + static_cast<std::ptrdiff_t>(pauses.size() / 2);
  std::ranges::nth_element(pauses, middle);
  for (const auto& pause : std::span(pauses.begin(), middle)) by_key_->erase(*pause.second);
}

void Penalties::remove(const std::string& key) {
  if (!by_key_) return;
  by_key_->erase(key);
  if (by_key_->empty()) by_key_.reset();
}

}  // namespace windlass::resolver
