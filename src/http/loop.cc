#include "loop.h"

#include <algorithm>
#include <utility>

#include "windlass/base/check.h"
#include "windlass/base/format.h"

namespace windlass::http {
namespace {

constexpr std::size_t kSpareHandlesMax = 128;
constexpr std::size_t kTlsHostsMax = 1'000;  // whose settings are kept

CURLM* make_multi(const CurlClient::Options& options) {
  CURLM* const multi = curl_multi_init();
  WINDLASS_CHECK(multi != nullptr);
  const auto set = [&](CURLMoption option, std::size_t value) {
    curl_multi_setopt(multi, option, static_cast<long>(value));
  };
  set(CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
  set(CURLMOPT_MAX_TOTAL_CONNECTIONS, options.connections_max);
  set(CURLMOPT_MAX_HOST_CONNECTIONS, options.connections_per_host_max);
  set(CURLMOPT_MAXCONNECTS, options.connections_max);  // idle ones that are kept
  return multi;
}

// A field that could end its line would let whoever wrote it add fields of their own.
bool breaks_a_line(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

Result<Url> check_request(const Request& request) {
  for (const auto& [name, value] : request.headers) {
    if (name.empty() || breaks_a_line(name) || breaks_a_line(value))
      return fail(ErrorCode::kInvalid, "a header field with a line break in it is not sent");
  }
  return Url::parse(request.url);
}

std::string origin(const Url& url) {
  return format("{}{}:{}", url.is_https() ? "https://" : "http://", url.host(), url.port());
}

Error cancelled() { return {.code = ErrorCode::kCancelled, .message = "cancelled"}; }

}  // namespace

Loop::Loop(Clock& clock, CurlClient::Options options, std::shared_ptr<const TlsContext> tls)
    : clock_(clock),
      options_(std::move(options)),
      settings_{.user_agent = options_.user_agent,
                .connect_timeout = options_.connect_timeout,
                .header_bytes_max = options_.header_bytes_max},
      default_tls_(std::move(tls)),
      multi_(make_multi(options_)),
      poller_(std::in_place, clock_, multi_),
      budget_(options_.connections_max) {}

Loop::~Loop() {
  WINDLASS_CHECK(known_.empty());
  spare_.clear();
  poller_.reset();
  curl_multi_cleanup(multi_);
}

void Loop::post(std::move_only_function<void(Mail&)> put) {
  bool was_empty = false;
  {
    MutexLock lock(mail_mutex_);
    was_empty = mail_.empty();
    put(mail_);
  }
  if (was_empty) poller_->wake();
}

void Loop::refuse(Callback done, Error error) {
  post([&](Mail& mail) { mail.refusals.emplace_back(std::move(done), std::move(error)); });
}

void Loop::send(Request request, std::stop_token stop, Callback done) {
  Result<Url> url = check_request(request);
  if (!url) return refuse(std::move(done), std::move(url.error()));
  Id id = 0;
  {
    MutexLock lock(mail_mutex_);
    if (pending_ < options_.requests_max) {
      ++pending_;
      id = next_id_++;
    }
  }
  if (id == 0) {
    return refuse(std::move(done),
                  {.code = ErrorCode::kUnavailable,
                   .message = format("{} requests are pending already", options_.requests_max)});
  }
  const TimePoint deadline = saturating_add(clock_.now(), request.timeout);
  auto transfer = std::make_unique<Transfer>(id, std::move(request), *std::move(url), deadline,
                                             std::move(stop), std::move(done));
  // Watched before it is posted: once posted it is the loop's. A stop that comes first names an id
  // the loop does not know yet; the loop therefore also looks at the token itself.
  transfer->watch([this, id] { post([id](Mail& mail) { mail.cancelled.push_back(id); }); });
  post([&](Mail& mail) { mail.arrivals.push_back(std::move(transfer)); });
}

void Loop::run(const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] { poller_->wake(); });
  while (!stop.stop_requested()) {
    take_mail();
    expire(clock_.now());
    start_waiting();
    poller_->work_due();
    harvest();
    // Where an end has made room for what waits, that need not wait for the network.
    poller_->wait(changed_.empty() ? next_deadline() : TimePoint::min());
    harvest();
  }
  end_all();
}

bool Loop::mail_waits() const {
  MutexLock lock(mail_mutex_);
  return !mail_.empty();
}

void Loop::take_mail() {
  Mail mail;
  {
    MutexLock lock(mail_mutex_);
    std::swap(mail, mail_);
  }
  for (auto& [done, error] : mail.refusals) done(fail(std::move(error)));
  for (auto& transfer : mail.arrivals) admit(std::move(transfer));
  for (const Id id : mail.cancelled) end(id, fail(cancelled()));
}

void Loop::admit(std::unique_ptr<Transfer> transfer) {
  const Id id = transfer->id();
  const bool stopped = transfer->stop().stop_requested();
  const Hosts::iterator host = hosts_.try_emplace(origin(transfer->url())).first;
  deadlines_.emplace(transfer->deadline(), id);
  known_.emplace(id, Known{std::move(transfer), host});
  host->second.waiting.push_back(id);
  note_change(host);
  if (stopped) end(id, fail(cancelled()));
}

void Loop::note_change(Hosts::iterator host) {
  if (!std::exchange(host->second.is_changed, true)) changed_.push_back(host);
}

void Loop::change(Host& host, std::size_t active, bool multiplexes) {
  const std::size_t before = host.connections();
  host.active = active;
  host.multiplexes = multiplexes;
  budget_.change(before, host.connections());
  if (host.connections() >= before) return;
  for (const Hosts::iterator& waiting : std::exchange(short_, {})) {
    waiting->second.is_short = false;
    note_change(waiting);
  }
}

void Loop::start_waiting() {
  // A start may fail and change its host again.
  while (!changed_.empty()) {
    std::vector<Hosts::iterator> hosts;
    std::swap(hosts, changed_);
    for (const Hosts::iterator& entry : hosts) entry->second.is_changed = false;
    // Those who got something this time come after those who did not.
    std::vector<Hosts::iterator> fed;
    for (const Hosts::iterator& entry : hosts) {
      Host& host = entry->second;
      const bool has_started = start_some(host);
      if (host.waiting.empty() || !budget_is_short(host)) continue;
      if (std::exchange(host.is_short, true)) continue;
      (has_started ? fed : short_).push_back(entry);
    }
    short_.insert(short_.end(), fed.begin(), fed.end());
    for (const Hosts::iterator& entry : hosts) {
      const Host& host = entry->second;
      if (!host.waiting.empty() || host.active > 0 || host.is_changed) continue;
      if (host.is_short) std::erase(short_, entry);
      hosts_.erase(entry);
    }
  }
}

// True when something was started.
bool Loop::start_some(Host& host) {
  bool any = false;
  while (!host.waiting.empty()) {
    const auto next = known_.find(host.waiting.front());
    if (next != known_.end() && !has_room(host)) break;
    host.waiting.pop_front();
    if (next == known_.end()) continue;
    start(next->second);
    any = true;
  }
  return any;
}

// What waits for a connection waits here: the library looks at all that wait in it each time that
// one of them ends.
bool Loop::has_room(const Host& host) const {
  const std::size_t most = host.multiplexes ? options_.requests_per_host_max
                                            : std::min(options_.requests_per_host_max,
                                                       options_.connections_per_host_max);
  return host.active < most && !budget_is_short(host);
}

bool Loop::budget_is_short(const Host& host) const {
  const bool needs_one = !host.multiplexes || host.active == 0;
  return needs_one && !budget_.allows(host.connections());
}

void Loop::start(Known& known) {
  Transfer& transfer = *known.transfer;
  Result<std::shared_ptr<const TlsContext>> tls = tls_of(transfer.url());
  if (!tls) return end(transfer.id(), fail(std::move(tls.error())));
  Easy easy;
  if (spare_.empty()) {
    easy.reset(curl_easy_init());
    WINDLASS_CHECK(easy != nullptr);
  } else {
    easy = std::move(spare_.back());
    spare_.pop_back();
  }
  transfer.prepare(std::move(easy), settings_, options_.proxies.proxy_of(transfer.url()),
                   *std::move(tls));
  Host& host = known.host->second;
  change(host, host.active + 1, host.multiplexes);
  curl_multi_add_handle(multi_, transfer.easy());
}

Result<std::shared_ptr<const TlsContext>> Loop::tls_of(const Url& url) {
  if (!url.is_https() || !options_.tls_of_host) return default_tls_;
  const std::string host = url.authority();
  if (const auto found = tls_of_host_.find(host); found != tls_of_host_.end()) return found->second;
  Result<TlsSettings> own = options_.tls_of_host(host);
  if (!own) return fail(std::move(own.error()));
  std::shared_ptr<const TlsContext> context = default_tls_;
  if (*own != TlsSettings{}) {
    own->version_min = std::max(own->version_min, options_.tls.version_min);
    own->ca_files.insert(own->ca_files.end(), options_.tls.ca_files.begin(),
                         options_.tls.ca_files.end());
    own->ca_pem += options_.tls.ca_pem;
    own->system_roots = own->system_roots && options_.tls.system_roots;
    Result<std::shared_ptr<const TlsContext>> loaded = TlsContext::load(*own);
    if (!loaded) return fail(std::move(loaded.error()));
    context = *std::move(loaded);
  }
  if (tls_of_host_.size() >= kTlsHostsMax) tls_of_host_.clear();
  tls_of_host_.emplace(host, context);
  return context;
}

void Loop::harvest() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    Transfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    long version = 0;
    curl_easy_getinfo(message->easy_handle, CURLINFO_HTTP_VERSION, &version);
    Host& host = known_.at(transfer->id()).host->second;
    if (version >= CURL_HTTP_VERSION_2_0) change(host, host.active, true);
    end(transfer->id(), transfer->result(message->data.result));
  }
}

void Loop::expire(TimePoint now) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const Id id = deadlines_.begin()->second;
    end(id, fail(known_.at(id).transfer->timed_out()));
  }
}

void Loop::end(Id id, Result<Response> result) {
  auto node = known_.extract(id);
  if (node.empty()) return;
  Transfer& transfer = *node.mapped().transfer;
  deadlines_.erase({transfer.deadline(), id});
  if (transfer.easy() != nullptr) {
    curl_multi_remove_handle(multi_, transfer.easy());
    Host& host = node.mapped().host->second;
    change(host, host.active - 1, host.multiplexes);
    Easy easy = transfer.release();
    if (spare_.size() < kSpareHandlesMax) spare_.push_back(std::move(easy));
  }
  note_change(node.mapped().host);  // after those who wait for what it gave back
  {
    MutexLock lock(mail_mutex_);
    --pending_;
  }
  transfer.finish(std::move(result));
}

void Loop::end_all() {
  do {
    take_mail();
    while (!known_.empty()) end(known_.begin()->first, fail(cancelled()));
  } while (mail_waits());
}

TimePoint Loop::next_deadline() const {
  return deadlines_.empty() ? TimePoint::max() : deadlines_.begin()->first;
}

}  // namespace windlass::http
