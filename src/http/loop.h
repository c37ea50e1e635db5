// Loop: the transfers of a CurlClient, and the one thread that drives them.
//
// Invariant: a transfer is in the mailbox, waiting, or active, and leaves with exactly one call of
// its callback. All but the mailbox belongs to the loop's thread and needs no lock.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "connection_budget.h"
#include "poller.h"
#include "transfer.h"
#include "windlass/base/mutex.h"
#include "windlass/http/curl_client.h"

namespace windlass::http {

class Loop {
 public:
  Loop(Clock& clock, CurlClient::Options options, std::shared_ptr<const TlsContext> tls);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void send(Request request, std::stop_token stop, Callback done) EXCLUDES(mail_mutex_);

  // Works until `stop` is requested, then answers everything that is left with kCancelled.
  void run(const std::stop_token& stop) EXCLUDES(mail_mutex_);

 private:
  using Id = std::uint64_t;

  // One host, port and scheme: what waits for it and how much is on the wire.
  struct Host {
    std::deque<Id> waiting;  // ids that are no longer known have ended while they waited
    std::size_t active = 0;
    bool multiplexes = false;  // many requests share a connection, as an answer has shown
    bool is_changed = false;   // stands in changed_
    bool is_short = false;     // stands in short_

    std::size_t connections() const { return multiplexes && active > 0 ? 1 : active; }
  };

  using Hosts = std::map<std::string, Host>;  // by origin

  struct Known {
    std::unique_ptr<Transfer> transfer;
    Hosts::iterator host;
  };

  struct Mail {
    std::vector<std::unique_ptr<Transfer>> arrivals;
    std::vector<std::pair<Callback, Error>> refusals;  // of requests that are never started
    std::vector<Id> cancelled;

    bool empty() const { return arrivals.empty() && refusals.empty() && cancelled.empty(); }
  };

  void post(std::move_only_function<void(Mail&)> put) EXCLUDES(mail_mutex_);
  void refuse(Callback done, Error error) EXCLUDES(mail_mutex_);
  void take_mail() EXCLUDES(mail_mutex_);
  bool mail_waits() const EXCLUDES(mail_mutex_);
  void admit(std::unique_ptr<Transfer> transfer);
  void note_change(Hosts::iterator host);
  void change(Host& host, std::size_t active, bool multiplexes);
  void start_waiting();
  bool start_some(Host& host);
  bool has_room(const Host& host) const;
  bool budget_is_short(const Host& host) const;
  void start(Known& known);
  Result<std::shared_ptr<const TlsContext>> tls_of(const Url& url);
  void harvest();
  void expire(TimePoint now);
  void end(Id id, Result<Response> result);  // nothing when the id is not known
  void end_all();
  TimePoint next_deadline() const;

  Clock& clock_;
  const CurlClient::Options options_;
  const TransferSettings settings_;
  const std::shared_ptr<const TlsContext> default_tls_;

  CURLM* const multi_;
  std::optional<Poller> poller_;          // ends before the library's side does
  Hosts hosts_;                           // only those in use
  std::vector<Hosts::iterator> changed_;  // those that may have room for what waits
  std::vector<Hosts::iterator> short_;    // those that wait for other hosts' connections, in turn
  ConnectionBudget budget_;
  std::unordered_map<Id, Known> known_;
  std::set<std::pair<TimePoint, Id>> deadlines_;
  std::unordered_map<std::string, std::shared_ptr<const TlsContext>> tls_of_host_;
  std::vector<Easy> spare_;

  mutable Mutex mail_mutex_;
  Mail mail_ GUARDED_BY(mail_mutex_);
  Id next_id_ GUARDED_BY(mail_mutex_) = 1;
  std::size_t pending_ GUARDED_BY(mail_mutex_) = 0;
};

}  // namespace windlass::http
