#include "lookups.h"

#include <algorithm>
#include <utility>

#include "credential_files.h"
#include "input_files.h"
#include "network_settings.h"
#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/http/curl_client.h"
#include "windlass/registry/registry_client.h"

namespace windlass::app {
namespace {

constexpr std::string_view kRegistrySource = "registry";

// As many tries as the time allows.
constexpr int kAttemptsMax = 1'000'000;

void add_trouble(std::vector<Progress::Trouble>& troubles, std::string_view registry,
                 std::string text) {
  const auto known = std::ranges::find(troubles, registry, &Progress::Trouble::registry);
  if (known == troubles.end()) troubles.push_back({std::string(registry), std::move(text)});
}

}  // namespace

resolver::SkipList skip_list_of(const CommonOptions& options) {
  if (options.skip.empty()) return resolver::SkipList::of_local_development();
  auto list = resolver::SkipList::parse(options.skip);
  WINDLASS_CHECK(list.has_value());  // each pattern was looked at when the option was
  return *std::move(list);
}

bool tell_unusable_files(const CommonOptions& options, Console& console) {
  std::vector<Error> errors = check_network_files(options);
  if (!options.authfile.empty()) {
    if (auto usable = check_authfile(options.authfile); !usable)
      errors.insert(errors.begin(), std::move(usable.error()));
  }
  for (const std::string& source : options.sources) {
    if (source == kRegistrySource) continue;
    auto there = check_that_source_exists(*oci::LocalSource::parse(source), source);
    if (!there) errors.push_back(std::move(there.error()));
  }
  for (const Error& error : errors) console.error(error.message);
  return !errors.empty();
}

Lookups::Lookups(const CommonOptions& options, Clock& clock, Console& console,
                 Observation& observation)
    : clock_(clock), console_(console), observation_(observation) {
  // A lookup that runs out of time says what it was waiting for: it gets the first word.
  options_.deadline = options.timeout + std::chrono::milliseconds(100);
  options_.deadline_includes_line = false;
  options_.lookup_timeout = options.timeout;
  options_.span = observation.span();
}

Lookups::~Lookups() = default;

Result<std::shared_ptr<Lookups>> Lookups::create(const CommonOptions& options,
                                                 const Environment& environment, Clock& clock,
                                                 Console& console, Observation& observation) {
  std::shared_ptr<Lookups> lookups(new Lookups(options, clock, console, observation));
  auto registry = registry_settings(options, environment, console);
  if (!registry) return fail(std::move(registry.error()));
  auto keychain =
      keychain_of_user(options.authfile, registry->credential_helpers, environment, clock, console);
  if (!keychain) return fail(std::move(keychain.error()));
  lookups->keychain_ = std::move(*keychain);

  auto network = client_options(options, environment);
  if (!network) return fail(std::move(network.error()));
  auto client = http::CurlClient::create(clock, *std::move(network));
  if (!client) return fail(std::move(client.error()), "--ca-file or --cert-dir");
  lookups->client_ = std::move(*client);
  registry->options.attempts_max = options.retries < 0 ? kAttemptsMax : options.retries + 1;
  registry->options.on_failed_attempt = [lookups =
                                             lookups.get()](const registry::FailedAttempt& failed) {
    lookups->note_retry(failed);
  };
  lookups->registries_ = std::make_unique<registry::RegistryClient>(
      clock, *lookups->client_, lookups->keychain_, console, std::move(registry->options));
  const auto images = lookups->add_sources(options);
  if (!images) return fail(images.error());

  resolver::Options resolver_options;
  resolver_options.in_flight_max = options.in_flight_max;
  resolver_options.registry.in_flight_max = options.in_flight_max;
  // A registry that keeps failing is given up for this run: a person waits for the end of it.
  resolver_options.registry.breaker_pause = 2 * options.timeout;
  resolver_options.registry.breaker_pause_max = 2 * options.timeout;
  resolver_options.registry.per_second = options.rate;
  resolver_options.registry.burst = 1;
  // All tries are the registry client's: none comes after them.
  resolver_options.retry_base = 2 * options.timeout;
  resolver_options.retry_max = 2 * options.timeout;
  resolver_options.skip = skip_list_of(options);
  lookups->resolver_ = std::make_unique<resolver::BackgroundResolver>(
      clock, **images, std::move(resolver_options),
      [lookups = lookups.get()](const std::string& owner) { lookups->note_answer(owner); }, console,
      observation.tracer(), observation.metrics());
  observation.keep(lookups);
  return lookups;
}

Result<registry::ImageResolver*> Lookups::add_sources(const CommonOptions& options) {
  registry::ImageResolver* images = registries_.get();
  std::vector<oci::LocalSource> files;
  std::optional<oci::Platform> platform;
  if (!options.platform.empty()) platform = *oci::Platform::parse(options.platform);
  bool asks_registries = options.sources.empty();
  for (const std::string& source : options.sources) {
    asks_registries = asks_registries || source == kRegistrySource;
    if (source == kRegistrySource) continue;
    files.push_back(*oci::LocalSource::parse(source));
    auto checked = check_source(files.back(), source, platform);
    if (!checked) return fail(std::move(checked.error()));
  }
  if (!files.empty()) {
    sources_ = std::make_unique<LocalSources>(std::move(files), asks_registries ? images : nullptr);
    images = sources_.get();
  }
  if (platform) {
    for_platform_ = std::make_unique<ForPlatform>(*std::move(platform), *images);
    images = for_platform_.get();
  }
  observed_ = observation_.lookups(*images);
  return observed_.get();
}

std::size_t Lookups::ask(const std::string& image) {
  const auto known = tickets_.find(image);
  if (known != tickets_.end()) return known->second;
  const std::size_t ticket = asked_.size();
  asked_.push_back(image);
  const auto reference = image::ImageReference::parse(image);
  names_.push_back(reference ? reference->normalised() : image);
  tickets_.emplace(asked_.back(), ticket);
  resolver_->resolve(std::to_string(ticket), std::span(&asked_.back(), 1), options_);
  return ticket;
}

resolver::ImageResult Lookups::await(std::size_t ticket, const std::stop_token& stop) {
  const std::string owner = std::to_string(ticket);
  const std::span<const std::string> image(&asked_[ticket], 1);
  while (!stop.stop_requested()) {
    if (auto answer = resolver_->resolve(owner, image, options_)) {
      return in_own_words(answer->images.front(), ticket);
    }
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

bool Lookups::failed_by_source(std::size_t ticket) const {
  return sources_ != nullptr && sources_->are_broken_for(names_[ticket]);
}

void Lookups::note_answer(const std::string& owner) {
  {
    MutexLock lock(mutex_);
    answered_.insert(owner);
  }
  answered_changed_.notify_all();
}

void Lookups::note_retry(const registry::FailedAttempt& failed) {
  observation_.count_retry();
  MutexLock lock(mutex_);
  retries_.insert_or_assign(failed.reference.normalised(),
                            Retry{.registry = failed.reference.registry(),
                                  .cause = failed.error.message,
                                  .attempts = failed.attempts,
                                  .next_try = clock_.now() + failed.pause});
}

resolver::ImageResult Lookups::in_own_words(resolver::ImageResult result, std::size_t ticket) {
  if (result.error) {
    const std::string context = printable(names_[ticket], 400) + ": ";
    std::string& message = result.error->message;
    if (message.starts_with(context)) {
      message.replace(0, context.size(), printable(asked_[ticket], 400) + ": ");
    }
  }
  MutexLock lock(mutex_);
  const auto retried = retries_.find(names_[ticket]);
  if (retried != retries_.end() && result.tries > 0) result.tries = retried->second.attempts + 1;
  return result;
}

// What somebody who waits wants to know: who is in trouble, why, and how long it will take.
std::vector<Progress::Trouble> Lookups::troubles_of(const resolver::Status& status) {
  std::vector<Progress::Trouble> troubles;
  for (const resolver::RegistryStatus& registry : status.registries) {
    if (!registry.tripped || registry.lookups == 0) continue;
    std::string text = registry.cause;
    if (registry.opens_in) text += "; next try in " + to_text(*registry.opens_in);
    add_trouble(troubles, registry.host, format("{} waiting; {}", registry.waiting, text));
  }
  const TimePoint now = clock_.now();
  MutexLock lock(mutex_);
  for (std::size_t ticket = 0; ticket < names_.size() && !retries_.empty(); ++ticket) {
    const auto retry = retries_.find(names_[ticket]);
    if (retry == retries_.end() || answered_.contains(std::to_string(ticket))) continue;
    std::string text = retry->second.cause;
    if (retry->second.next_try > now) {
      text += "; next try in " + to_text(retry->second.next_try - now);
    }
    add_trouble(troubles, retry->second.registry, std::move(text));
  }
  return troubles;
}

void Lookups::show_progress() {
  const resolver::Status status = resolver_->status(1);
  const std::size_t pending = status.images.pending;
  const bool is_asking = status.lookups_running > 0 && !status.details.empty();
  console_.show_progress({.done = asked_.size() - std::min(pending, asked_.size()),
                          .total = asked_.size(),
                          .troubles = troubles_of(status),
                          .asking = is_asking ? status.details.front().image : ""});
}

}  // namespace windlass::app
