// Penalties: what one owner has to bear for having asked for images that failed, until it is
// forgotten.
//
// A few bytes while there are none. Not thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include "windlass/base/time.h"
#include "windlass/resolver/answer.h"

namespace windlass::resolver {

// Shared by all who got the same answer; the image is that of nobody in particular.
using Outcome = std::shared_ptr<const ImageResult>;

struct Penalty {
  int failures = 0;      // in a row
  TimePoint not_before;  // of the next try
  Outcome cause;
};

// Invariant: `by_key_` is null or not empty.
class Penalties {
 public:
  bool empty() const { return by_key_ == nullptr; }

  // By lookup key; null when there is none.
  const Penalty* find(const std::string& key) const;
  // With more than `most` of them, >= 1, only the later half stays: those whose pauses last
  // longest.
  void put(const std::string& key, Penalty penalty, std::size_t most);
  void remove(const std::string& key);

 private:
  void drop_earlier_half();

  std::unique_ptr<std::unordered_map<std::string, Penalty>> by_key_;
};

}  // namespace windlass::resolver
