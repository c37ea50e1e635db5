#include "windlass/resolver/background_resolver.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "digest_journal.h"
#include "resolver_core.h"
#include "resolver_metrics.h"
#include "windlass/base/check.h"

namespace windlass::resolver {

// Cancels tries, and hands spans that have ended to their tracer.
struct BackgroundResolver::Aftermath {
  std::vector<std::stop_source> cancel;
  std::vector<telemetry::Span> ended;

  void happen() {
    for (std::stop_source& source : cancel) source.request_stop();
    ended.clear();
  }
};

BackgroundResolver::BackgroundResolver(Clock& clock, registry::ImageResolver& images,
                                       Options options, OwnerCallback on_ready,
                                       telemetry::Logger& logger, telemetry::Tracer& tracer,
                                       telemetry::Metrics& metrics)
    : clock_(clock),
      images_(images),
      logger_(logger),
      options_(std::move(options)),
      on_ready_(std::move(on_ready)),
      journal_(
          options_.journal.file.empty()
              ? nullptr
              : std::make_unique<DigestJournal>(options_.journal.file, options_.cache.entries_max)),
      queue_(clock, {.name = "digests", .record_times = false}),
      core_(std::make_unique<ResolverCore>(options_, tracer)) {
  open_journal();
  metrics_ = metrics.on_collect([this](telemetry::MetricWriter& writer) { collect(writer); });
  dispatcher_ = std::jthread([this](const std::stop_token& stop) { dispatch(stop); });
  pump_ = std::jthread([this](const std::stop_token& stop) { pump(stop); });
}

BackgroundResolver::~BackgroundResolver() {
  metrics_.reset();
  stop(StopMode::kCancel);
}

std::optional<Answer> BackgroundResolver::resolve(const std::string& owner,
                                                  std::span<const std::string> images,
                                                  const ResolveOptions& options) {
  MutexLock lock(mutex_);
  std::optional<Answer> answer = core_->resolve(clock_.now(), owner, images, options);
  Aftermath after = carry_out();
  lock.unlock();
  after.happen();
  return answer;
}

void BackgroundResolver::clear(const std::string& owner) {
  MutexLock lock(mutex_);
  core_->clear(clock_.now(), owner);
  Aftermath after = carry_out();
  lock.unlock();
  after.happen();
}

void BackgroundResolver::forget(const std::string& owner) {
  MutexLock lock(mutex_);
  core_->forget(clock_.now(), owner);
  Aftermath after = carry_out();
  lock.unlock();
  after.happen();

  lock.lock();
  if (dispatcher_id_ == std::this_thread::get_id()) return;
  clock_.wait(mutex_, changed_, {}, [this, &owner] {
    mutex_.assert_held();
    return being_called_back_ != owner;
  });
}

void BackgroundResolver::set_in_flight_max(int lookups) {
  WINDLASS_CHECK(lookups >= 0);
  MutexLock lock(mutex_);
  core_->set_in_flight_max(clock_.now(), lookups);
  Aftermath after = carry_out();
  lock.unlock();
  after.happen();
}

Status BackgroundResolver::status(std::size_t details_max) const {
  MutexLock lock(mutex_);
  return core_->status(clock_.now(), details_max);
}

void BackgroundResolver::collect(telemetry::MetricWriter& writer) const {
  Status status;
  Tallies tallies;
  {
    MutexLock lock(mutex_);
    status = core_->status(clock_.now(), 0);
    tallies = core_->tallies();
  }
  write_metrics(status, tallies, writer);
}

void BackgroundResolver::stop(StopMode mode) {
  MutexLock lock(mutex_);
  WINDLASS_CHECK(dispatcher_id_ != std::this_thread::get_id());
  core_->close(clock_.now());
  if (mode == StopMode::kCancel) core_->cancel_pending(clock_.now());
  Aftermath after = carry_out();
  lock.unlock();
  after.happen();

  lock.lock();
  clock_.wait(mutex_, changed_, {}, [this] {
    mutex_.assert_held();
    return ended_ || is_settled();
  });
  const bool others_end_it = std::exchange(ending_, true);
  if (others_end_it) {
    clock_.wait(mutex_, changed_, {}, [this] {
      mutex_.assert_held();
      return ended_;
    });
    return;
  }
  lock.unlock();
  end_threads();
}

bool BackgroundResolver::is_settled() const {
  return core_->pending_owners() == 0 && !core_->has_callback() && !being_called_back_;
}

void BackgroundResolver::end_threads() {
  pump_.request_stop();
  pump_.join();
  MutexLock lock(mutex_);
  // Nobody waits for these any more, so they have been cancelled.
  clock_.wait(mutex_, changed_, {}, [this] {
    mutex_.assert_held();
    return in_flight_ == 0;
  });
  lock.unlock();
  dispatcher_.request_stop();
  dispatcher_.join();
  write_journal();
  lock.lock();
  dispatcher_id_ = {};
  ended_ = true;
  changed_.notify_all();
}

void BackgroundResolver::pump(const std::stop_token& stop) {
  while (std::optional<Queue::Item> item = queue_.get(stop)) start_lookup(std::move(*item));
}

void BackgroundResolver::start_lookup(Queue::Item item) {
  MutexLock lock(mutex_);
  const std::optional<Try> started = core_->start(clock_.now(), item.key());
  if (started) ++in_flight_;
  Aftermath after = carry_out();
  lock.unlock();
  after.happen();
  if (!started) return;

  images_.resolve(started->reference, started->options, started->stop,
                  [this, item = std::move(item)](Result<registry::Resolution> result) mutable {
                    end_lookup(std::move(item), std::move(result));
                  });
}

void BackgroundResolver::end_lookup(Queue::Item item, Result<registry::Resolution> result) {
  MutexLock lock(mutex_);
  core_->finish(clock_.now(), item.key(), std::move(result));
  Aftermath after = carry_out();
  lock.unlock();
  after.happen();
  item.done();

  // The end of our thread's business here: whoever waits for the last one may destroy us next.
  lock.lock();
  --in_flight_;
  if (ending_) changed_.notify_all();
}

void BackgroundResolver::dispatch(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  dispatcher_id_ = std::this_thread::get_id();
  while (!stop.stop_requested()) {
    dispatcher_deadline_ = core_->next_tick();
    clock_.wait_until(mutex_, dispatcher_wakes_, dispatcher_deadline_, stop, [this] {
      mutex_.assert_held();
      return dispatcher_has_work();
    });
    core_->tick(clock_.now());
    being_called_back_ = core_->take_callback();
    const std::optional<std::string> owner = being_called_back_;
    auto released = std::exchange(released_, {});
    Aftermath after = carry_out();
    lock.unlock();

    released.clear();
    after.happen();
    if (owner) call_back(*owner);
    write_journal();

    lock.lock();
    being_called_back_.reset();
    changed_.notify_all();
  }
}

bool BackgroundResolver::dispatcher_has_work() const {
  return core_->has_callback() || !released_.empty() || !told_.empty() ||
         core_->next_tick() < dispatcher_deadline_;
}

void BackgroundResolver::open_journal() {
  if (!journal_) return;
  const WallTime now = clock_.wall_now();
  const Duration useful = std::max(options_.journal.fresh, options_.cache.stale);
  const JournalContents contents = journal_->load(now - useful);
  if (contents.trouble) {
    logger_.warn("the journal of digests is read, or kept, only in part",
                 {*contents.trouble, {"digests", contents.entries.size()}});
  }
  if (contents.bad_lines > 0) {
    logger_.warn("lines of the journal of digests were passed over",
                 {{"file", options_.journal.file}, {"lines", contents.bad_lines}});
  }
  MutexLock lock(mutex_);
  core_->restore(clock_.now(), now, contents.entries);
}

void BackgroundResolver::write_journal() {
  MutexLock lock(mutex_);
  const std::vector<JournalEntry> told = std::exchange(told_, {});
  lock.unlock();
  if (told.empty()) return;
  if (const Result<void> written = journal_->append(told); !written)
    logger_.warn("digests are not kept for the next run", {written.error()});
}

void BackgroundResolver::call_back(const std::string& owner) {
  try {
    on_ready_(owner);
  } catch (const std::exception& error) {
    logger_.error("callback threw", {{"owner", owner}, {"cause", std::string_view(error.what())}});
  } catch (...) {
    logger_.error("callback threw", {{"owner", owner}});
  }
}

BackgroundResolver::Aftermath BackgroundResolver::carry_out() {
  Commands commands = core_->take_commands();
  for (const Commands::Enqueue& one : commands.enqueue) {
    queue_.add_after(one.id, one.delay, {.mode = workqueue::DelayMode::kReplace});
  }
  for (const LookupId id : commands.drop) queue_.remove(id);
  for (SharedOptions& options : commands.release) released_.push_back(std::move(options));
  // A disk that hangs costs the journal digests, not us memory.
  const WallTime wall_now = commands.told.empty() ? WallTime{} : clock_.wall_now();
  for (const auto& [key, outcome] : commands.told) {
    if (told_.size() >= options_.cache.entries_max) break;
    told_.push_back(
        {.key = journal_key(key), .resolution = *outcome->resolution, .told = wall_now});
  }
  if (dispatcher_has_work()) dispatcher_wakes_.notify_one();
  if (core_->closed()) changed_.notify_all();
  return {.cancel = std::move(commands.cancel), .ended = std::move(commands.ended)};
}

}  // namespace windlass::resolver
