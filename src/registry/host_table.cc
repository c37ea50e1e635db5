#include "host_table.h"

#include <algorithm>

namespace windlass::registry {

std::optional<Challenge> HostTable::challenge(const std::string& host) {
  MutexLock lock(mutex_);
  const Host* known = hosts_.find(host);
  return known == nullptr ? std::nullopt : known->challenge;
}

void HostTable::remember(const std::string& host, Challenge challenge) {
  MutexLock lock(mutex_);
  hosts_[host].challenge = std::move(challenge);
}

std::string HostTable::login(const std::string& host) {
  MutexLock lock(mutex_);
  const Host* known = hosts_.find(host);
  return known == nullptr ? std::string() : known->login;
}

void HostTable::remember_login(const std::string& host, std::string fingerprint) {
  MutexLock lock(mutex_);
  hosts_[host].login = std::move(fingerprint);
}

void HostTable::park(const std::string& host, TimePoint until) {
  MutexLock lock(mutex_);
  Host& known = hosts_[host];
  known.parked_until = std::max(known.parked_until, until);
}

TimePoint HostTable::parked_until(const std::string& host) {
  MutexLock lock(mutex_);
  const Host* known = hosts_.find(host);
  return known == nullptr ? TimePoint::min() : known->parked_until;
}

}  // namespace windlass::registry
