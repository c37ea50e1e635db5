#include "windlass/resolver/background_resolver.h"

#include <exception>
#include <utility>

#include "resolver_core.h"
#include "windlass/base/check.h"

namespace windlass::resolver {
namespace {

void request_stop(std::vector<std::stop_source>& tries) {
  for (std::stop_source& source : tries) source.request_stop();
}

}  // namespace

BackgroundResolver::BackgroundResolver(Clock& clock, registry::ImageResolver& images,
                                       Options options, OwnerCallback on_ready,
                                       telemetry::Logger& logger)
    : clock_(clock),
      images_(images),
      logger_(logger),
      options_(std::move(options)),
      on_ready_(std::move(on_ready)),
      queue_(clock, {.name = "digests", .record_times = false}),
      core_(std::make_unique<ResolverCore>(options_)) {
  WINDLASS_CHECK(options_.in_flight_max >= 1);
  dispatcher_ = std::jthread([this](const std::stop_token& stop) { dispatch(stop); });
  pump_ = std::jthread([this](const std::stop_token& stop) { pump(stop); });
}

BackgroundResolver::~BackgroundResolver() { stop(StopMode::kCancel); }

std::optional<Answer> BackgroundResolver::resolve(const std::string& owner,
                                                  std::span<const std::string> images,
                                                  const ResolveOptions& options) {
  MutexLock lock(mutex_);
  std::optional<Answer> answer = core_->resolve(clock_.now(), owner, images, options);
  auto cancelled = carry_out();
  lock.unlock();
  request_stop(cancelled);
  return answer;
}

void BackgroundResolver::clear(const std::string& owner) {
  MutexLock lock(mutex_);
  core_->clear(clock_.now(), owner);
  auto cancelled = carry_out();
  lock.unlock();
  request_stop(cancelled);
}

void BackgroundResolver::forget(const std::string& owner) {
  MutexLock lock(mutex_);
  core_->forget(clock_.now(), owner);
  auto cancelled = carry_out();
  lock.unlock();
  request_stop(cancelled);

  lock.lock();
  if (dispatcher_id_ == std::this_thread::get_id()) return;
  clock_.wait(mutex_, changed_, {}, [this, &owner] {
    mutex_.assert_held();
    return being_called_back_ != owner;
  });
}

Status BackgroundResolver::status(std::size_t lookups_max) const {
  MutexLock lock(mutex_);
  return core_->status(clock_.now(), lookups_max);
}

void BackgroundResolver::stop(StopMode mode) {
  MutexLock lock(mutex_);
  WINDLASS_CHECK(dispatcher_id_ != std::this_thread::get_id());
  core_->close();
  if (mode == StopMode::kCancel) core_->cancel_pending(clock_.now());
  auto cancelled = carry_out();
  lock.unlock();
  request_stop(cancelled);

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
  lock.lock();
  dispatcher_id_ = {};
  ended_ = true;
  changed_.notify_all();
}

void BackgroundResolver::pump(const std::stop_token& stop) {
  while (await_room(stop)) {
    std::optional<Queue::Item> item = queue_.get(stop);
    if (!item) return;
    start_lookup(std::move(*item));
  }
}

bool BackgroundResolver::await_room(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  return clock_.wait(mutex_, room_, stop, [this] {
    mutex_.assert_held();
    return in_flight_ < options_.in_flight_max;
  });
}

void BackgroundResolver::start_lookup(Queue::Item item) {
  MutexLock lock(mutex_);
  const std::optional<Try> started = core_->start(clock_.now(), item.key());
  if (started) ++in_flight_;
  auto cancelled = carry_out();
  lock.unlock();
  request_stop(cancelled);
  if (!started) return;

  images_.resolve(started->reference, started->options, started->stop,
                  [this, item = std::move(item)](Result<registry::Resolution> result) mutable {
                    end_lookup(std::move(item), std::move(result));
                  });
}

void BackgroundResolver::end_lookup(Queue::Item item, Result<registry::Resolution> result) {
  MutexLock lock(mutex_);
  core_->finish(clock_.now(), item.key(), std::move(result));
  auto cancelled = carry_out();
  lock.unlock();
  request_stop(cancelled);
  item.done();

  // The end of our thread's business here: whoever waits for the last one may destroy us next.
  lock.lock();
  --in_flight_;
  room_.notify_one();
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
    auto cancelled = carry_out();
    lock.unlock();

    released.clear();
    request_stop(cancelled);
    if (owner) call_back(*owner);

    lock.lock();
    being_called_back_.reset();
    changed_.notify_all();
  }
}

bool BackgroundResolver::dispatcher_has_work() const {
  return core_->has_callback() || !released_.empty() || core_->next_tick() < dispatcher_deadline_;
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

std::vector<std::stop_source> BackgroundResolver::carry_out() {
  Commands commands = core_->take_commands();
  for (const Commands::Enqueue& one : commands.enqueue) {
    queue_.add_after(one.id, one.delay, {.mode = workqueue::DelayMode::kReplace});
  }
  for (const LookupId id : commands.drop) queue_.remove(id);
  for (SharedOptions& options : commands.release) released_.push_back(std::move(options));
  if (dispatcher_has_work()) dispatcher_wakes_.notify_one();
  if (core_->closed()) changed_.notify_all();
  return std::move(commands.cancel);
}

}  // namespace windlass::resolver
