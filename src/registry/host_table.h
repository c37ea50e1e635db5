// HostTable: what is remembered about each registry from one lookup to the next: what it asked for,
// which login it took, and until when it wants to be left alone. Bounded; losing an entry costs a
// request.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <optional>
#include <string>

#include "challenge.h"
#include "lru_map.h"
#include "windlass/base/mutex.h"
#include "windlass/base/time.h"

namespace windlass::registry {

class HostTable {
 public:
  explicit HostTable(std::size_t hosts_max) : hosts_(hosts_max) {}

  // Hosts are named by Url::authority().
  std::optional<Challenge> challenge(const std::string& host) EXCLUDES(mutex_);
  void remember(const std::string& host, Challenge challenge) EXCLUDES(mutex_);

  // Fingerprint of the login the host took last; "" when there is none.
  std::string login(const std::string& host) EXCLUDES(mutex_);
  void remember_login(const std::string& host, std::string fingerprint) EXCLUDES(mutex_);

  // Everybody leaves `host` alone until `until`. A later time wins.
  void park(const std::string& host, TimePoint until) EXCLUDES(mutex_);
  TimePoint parked_until(const std::string& host) EXCLUDES(mutex_);  // TimePoint::min(): not parked

 private:
  struct Host {
    std::optional<Challenge> challenge;
    std::string login;
    TimePoint parked_until = TimePoint::min();
  };

  Mutex mutex_;
  LruMap<std::string, Host> hosts_ GUARDED_BY(mutex_);
};

}  // namespace windlass::registry
