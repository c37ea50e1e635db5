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

  // A mirror that could not be reached is passed over until `until`.
  void rest(const std::string& host, TimePoint until) EXCLUDES(mutex_);
  bool is_resting(const std::string& host, TimePoint now) EXCLUDES(mutex_);  // or parked

  // That an insecure host was found to speak no TLS.
  void remember_plain(const std::string& host) EXCLUDES(mutex_);
  bool is_plain(const std::string& host) EXCLUDES(mutex_);

  // True when `is_low` and it was not so before.
  bool note_rate(const std::string& host, bool is_low) EXCLUDES(mutex_);

 private:
  struct Host {
    std::optional<Challenge> challenge;
    std::string login;
    TimePoint parked_until = TimePoint::min();
    TimePoint resting_until = TimePoint::min();
    bool plain = false;
    bool rate_is_low = false;
  };

  Mutex mutex_;
  LruMap<std::string, Host> hosts_ GUARDED_BY(mutex_);
};

}  // namespace windlass::registry
