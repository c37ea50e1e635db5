#include "host_table.h"

#include <algorithm>
#include <utility>

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

void HostTable::rest(const std::string& host, TimePoint until) {
  MutexLock lock(mutex_);
  hosts_[host].resting_until = until;
}

bool HostTable::is_resting(const std::string& host, TimePoint now) {
  MutexLock lock(mutex_);
  const Host* known = hosts_.find(host);
  return known != nullptr && std::max(known->resting_until, known->parked_until) > now;
}

void HostTable::remember_plain(const std::string& host) {
  MutexLock lock(mutex_);
  hosts_[host].plain = true;
}

bool HostTable::is_plain(const std::string& host) {
  MutexLock lock(mutex_);
  const Host* known = hosts_.find(host);
  return known != nullptr && known->plain;
}

bool HostTable::note_rate(const std::string& host, bool is_low) {
  MutexLock lock(mutex_);
  return !std::exchange(hosts_[host].rate_is_low, is_low) && is_low;
}

}  // namespace windlass::registry
