#include "lookups.h"

#include <atomic>
#include <optional>

#include "endpoint.h"
#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::registry {

// The three ways a lookup is ended from outside, as one stop token: its caller's stop, the end of
// everything, and its deadline.
class Lookups::Ending {
 public:
  Ending(Lookups& lookups, const std::stop_token& callers, TimePoint deadline)
      : timers_(lookups.timers()), deadline_timer_(timers_.next_id()) {
    on_callers_stop_.emplace(callers, Forward{source_});
    on_stop_all_.emplace(lookups.stop_all_.get_token(), Forward{source_});
    timers_.add(deadline_timer_, deadline, {},
                [source = source_, timed_out = timed_out_]() mutable {
                  timed_out->store(true);
                  source.request_stop();
                });
  }
  ~Ending() { timers_.cancel(deadline_timer_); }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  bool timed_out() const { return timed_out_->load(); }

 private:
  struct Forward {
    std::stop_source source;
    void operator()() {
      // A copy: what is told to stop may end at once, and this object with it.
      std::stop_source kept = source;
      kept.request_stop();
    }
  };

  Timers& timers_;
  const Timers::Id deadline_timer_;
  std::stop_source source_;
  const std::shared_ptr<std::atomic<bool>> timed_out_ = std::make_shared<std::atomic<bool>>(false);
  std::optional<std::stop_callback<Forward>> on_callers_stop_;
  std::optional<std::stop_callback<Forward>> on_stop_all_;
};

Lookups::Lookups(Clock& clock, http::Client& client,
                 std::shared_ptr<credentials::Keychain> keychain, telemetry::Logger& logger,
                 RegistryOptions options, Random random)
    : context_(clock, client, std::move(keychain), logger, std::move(options), random) {}

Lookups::~Lookups() { WINDLASS_CHECK(running() == 0); }

void Lookups::start(const image::ImageReference& reference, const LookupOptions& options,
                    const std::stop_token& stop, LookupCallback done) {
  Result<std::vector<Source>> sources = sources_of(reference, context_.options);
  if (!sources) return done(fail(std::move(sources.error()), printable(reference.written(), 400)));
  const TimePoint deadline = saturating_add(context_.clock.now(), options.timeout);
  auto ending = std::make_unique<Ending>(*this, stop, deadline);
  auto lookup = std::make_unique<Lookup>(context_, reference, *std::move(sources), options,
                                         deadline, ending->token());
  drive(context_.running.ticket(), std::move(ending), std::move(lookup), std::move(done));
}

Detached Lookups::drive(Running::Ticket, std::unique_ptr<Ending> ending,
                        std::unique_ptr<Lookup> lookup, LookupCallback done) {
  Task<Result<Resolution>> running = lookup->run();
  Result<Resolution> result = co_await running;
  if (!result && ending->token().stop_requested()) {
    if (ending->timed_out()) {
      result = fail(ErrorCode::kTimedOut, lookup->explain_timeout());
    } else {
      result = fail(ErrorCode::kCancelled,
                    printable(lookup->reference().written(), 400) + ": cancelled");
    }
  }
  ending.reset();
  lookup.reset();
  // Destroyed here and not with the coroutine: after the ticket nobody waits for it.
  LookupCallback call = std::move(done);
  call(std::move(result));
}

}  // namespace windlass::registry
