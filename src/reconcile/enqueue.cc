// The part of Controller that takes keys in, and drops them.
#include <optional>

#include "active_runs.h"
#include "windlass/reconcile/controller.h"

namespace windlass::reconcile {

bool Controller::enqueue(std::string_view key, workqueue::AddOptions options,
                         const telemetry::SpanContext& parent) {
  return insert(key, true, std::nullopt, options, parent);
}

bool Controller::enqueue_now(std::string_view key, workqueue::AddOptions options,
                             const telemetry::SpanContext& parent) {
  return insert(key, false, std::nullopt, options, parent);
}

bool Controller::enqueue_after(std::string_view key, Duration delay, workqueue::AddOptions options,
                               const telemetry::SpanContext& parent) {
  return insert(key, false, delay, options, parent);
}

bool Controller::insert(std::string_view key, bool rate_limited, std::optional<Duration> delay,
                        workqueue::AddOptions options, const telemetry::SpanContext& parent) {
  telemetry::Span span;
  if (telemetry_.tracer.enabled()) {
    span = telemetry_.tracer.start("insert", parent,
                                   {{"queue", name_},
                                    {"key", key},
                                    {"ratelimit", rate_limited},
                                    {"delay", delay ? to_text(*delay) : "nil"}});
    span.set({"status", note_redirty(key) ? "itemsBeingProcessed" : "added"});
  }
  bool accepted = false;
  if (rate_limited) {
    // The queue takes no retry of a key that was forgotten in its run; and such a key has no
    // back-off left to wait for.
    accepted = queue_.add_rate_limited(key, options) || queue_.add(key, options);
  } else if (delay) {
    accepted = queue_.add_after(key, *delay, {.priority = options.priority});
  } else {
    accepted = queue_.add(key, options);
  }
  if (accepted) return true;
  span.set({"status", "refused"});
  MutexLock lock(mutex_);
  ++stats_.refused;
  return false;
}

bool Controller::note_redirty(std::string_view key) {
  MutexLock lock(mutex_);
  if (active_->find(key) == nullptr) return false;
  redirtied_.emplace(key);
  return true;
}

void Controller::forget(std::string_view key, const telemetry::SpanContext& parent) {
  telemetry::Span span =
      telemetry_.tracer.start("Forget", parent, {{"queue", name_}, {"key", key}});
  bool waited = false;
  bool handled = false;
  {
    // In one step, so that no run that ends meanwhile plans its key between the two.
    MutexLock lock(mutex_);
    waited = queue_.remove(key);
    const auto known = queue_.find(key);
    handled = known && known->running;
    if (ActiveRun* run = active_->find(key)) {
      run->forgotten = true;
    } else if (handled) {
      forgotten_early_.emplace(key);
    }
    retrying_.erase(std::string(key));
    redirtied_.erase(std::string(key));
  }
  queue_.forget(key);
  span.set({"status", handled ? "itemBeingProcessed" : waited ? "itemInQueue" : "notfound"});
}

}  // namespace windlass::reconcile
