#include "lookups.h"

#include <utility>

#include "credential_files.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/http/curl_client.h"
#include "windlass/registry/registry_client.h"

namespace windlass::app {
namespace {

// Lookups looked at for what a progress line says of trouble.
constexpr std::size_t kDetailsMax = 64;

Result<resolver::SkipList> skip_list(const CommonOptions& options) {
  if (options.skip.empty()) return resolver::SkipList::of_local_development();
  auto list = resolver::SkipList::parse(options.skip);
  if (!list) return fail(std::move(list.error()), "--skip");
  return list;
}

// What somebody who waits wants to know: who is in trouble, why, and how long it will take.
std::string trouble_of(const resolver::Status& status) {
  for (const resolver::LookupStatus& lookup : status.details) {
    if (lookup.last_cause.empty()) continue;
    if (!lookup.next_try_in) return lookup.last_cause;
    return format("{}; next try in {}", lookup.last_cause, to_text(*lookup.next_try_in));
  }
  if (status.lookups_running > 0 && !status.details.empty()) return status.details.front().image;
  return {};
}

}  // namespace

Lookups::Lookups(const CommonOptions& options, Clock& clock, Console& console)
    : clock_(clock), console_(console) {
  // A lookup that runs out of time says what it was waiting for: it gets the first word.
  options_.deadline = options.timeout + std::chrono::milliseconds(100);
  options_.deadline_includes_line = false;
  options_.lookup_timeout = options.timeout;
}

Lookups::~Lookups() = default;

Result<std::unique_ptr<Lookups>> Lookups::create(const CommonOptions& options,
                                                 const Environment& environment, Clock& clock,
                                                 Console& console) {
  std::unique_ptr<Lookups> lookups(new Lookups(options, clock, console));
  auto keychain = keychain_of_user(options.authfile, environment, clock, console);
  if (!keychain) return fail(std::move(keychain.error()));
  lookups->keychain_ = std::move(*keychain);

  http::CurlClient::Options client_options;
  client_options.tls.ca_files = {options.ca_files.begin(), options.ca_files.end()};
  auto client = http::CurlClient::create(clock, std::move(client_options));
  if (!client) return fail(std::move(client.error()));
  lookups->client_ = std::move(*client);
  lookups->registries_ = std::make_unique<registry::RegistryClient>(
      clock, *lookups->client_, lookups->keychain_, console,
      registry::RegistryOptions{.plain_http = options.plain_http, .tls = options.tls});

  auto skip = skip_list(options);
  if (!skip) return fail(std::move(skip.error()));
  resolver::Options resolver_options;
  resolver_options.in_flight_max = options.in_flight_max;
  resolver_options.registry.in_flight_max = options.in_flight_max;
  // A registry that keeps failing is given up for this run: a person waits for the end of it.
  resolver_options.registry.breaker_pause = 2 * options.timeout;
  resolver_options.registry.breaker_pause_max = 2 * options.timeout;
  resolver_options.skip = std::move(*skip);
  lookups->resolver_ = std::make_unique<resolver::BackgroundResolver>(
      clock, *lookups->registries_, std::move(resolver_options),
      [lookups = lookups.get()](const std::string& owner) { lookups->note_answer(owner); },
      console);
  return lookups;
}

std::size_t Lookups::ask(const std::string& image) {
  const std::size_t ticket = asked_.size();
  asked_.push_back(image);
  resolver_->resolve(std::to_string(ticket), std::span(&asked_.back(), 1), options_);
  return ticket;
}

resolver::ImageResult Lookups::await(std::size_t ticket, const std::stop_token& stop) {
  const std::string owner = std::to_string(ticket);
  const std::span<const std::string> image(&asked_[ticket], 1);
  while (!stop.stop_requested()) {
    if (auto answer = resolver_->resolve(owner, image, options_)) return answer->images.front();
    show_progress();
    MutexLock lock(mutex_);
    clock_.wait_until(mutex_, answered_changed_, clock_.now() + Progress::kLineEvery, stop, [&] {
      mutex_.assert_held();
      return answered_.contains(owner);
    });
  }
  return {.image = asked_[ticket],
          .verdict = resolver::Verdict::kFailed,
          .error = Error{ErrorCode::kCancelled, "interrupted"}};
}

void Lookups::note_answer(const std::string& owner) {
  {
    MutexLock lock(mutex_);
    answered_.insert(owner);
  }
  answered_changed_.notify_all();
}

void Lookups::show_progress() {
  const resolver::Status status = resolver_->status(kDetailsMax);
  const std::size_t pending = status.images.pending;
  console_.show_progress(
      {.done = asked_.size() - pending, .total = asked_.size(), .waiting_for = trouble_of(status)});
}

}  // namespace windlass::app
