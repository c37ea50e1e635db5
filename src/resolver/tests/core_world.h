// CoreWorld: a ResolverCore with a queue, a registry and a clock that a test moves by hand.
//
// The queue hands out what is due at once, as many as there are. Not thread-safe.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "resolver_core.h"
#include "windlass/base/check.h"

namespace windlass::resolver {

inline Options core_options() {
  Options options;
  options.retry_jitter = 0;
  options.cache.entries_max = 0;
  options.seed = 1;
  return options;
}

inline image::Digest digest_for(std::string_view text) { return image::Digest::sha256_of(text); }

class CoreWorld {
 public:
  explicit CoreWorld(const Options& options = core_options(),
                     telemetry::Tracer& tracer = telemetry::null_tracer())
      : core_(options, tracer) {}

  std::optional<Answer> resolve(const std::string& owner, const std::vector<std::string>& images,
                                const ResolveOptions& options = {}) {
    std::optional<Answer> answer = core_.resolve(now_, owner, images, options);
    settle();
    return answer;
  }
  void clear(const std::string& owner) {
    core_.clear(now_, owner);
    settle();
  }
  void forget(const std::string& owner) {
    core_.forget(now_, owner);
    settle();
  }

  // As stop(kCancel) does.
  void stop() {
    core_.close(now_);
    core_.cancel_pending(now_);
    settle();
  }

  // Moves the time, letting what is due on the way happen at its time.
  void advance(Duration by) {
    const TimePoint end = now_ + by;
    while (next_event() <= end) {
      now_ = std::max(now_, next_event());
      core_.tick(now_);
      settle();
    }
    now_ = end;
  }

  // Normalised names of the images whose tries are running, the oldest first.
  std::vector<std::string> running() const {
    std::vector<std::string> images;
    for (const auto& [id, one] : running_) {
      if (!one.stop.stop_requested()) images.push_back(one.reference.normalised());
    }
    return images;
  }

  // What a registry tells: of the normalised name, and another one to each who logs in.
  static image::Digest digest_told(const std::string& image, bool logged_in) {
    return digest_for(normalised(image) + (logged_in ? " for a login" : ""));
  }

  // End the running try of `image`, with digest_told().
  void succeed(const std::string& image) { end_one(image, std::nullopt); }
  void fail(const std::string& image, Error error) { end_one(image, std::move(error)); }
  void fail(const std::string& image, ErrorCode code) {
    fail(image, Error{.code = code, .message = "no luck with " + image});
  }

  // Ends the oldest try that nobody waits for any more, as if it had found a digest after all.
  void end_cancelled() {
    const auto found = std::ranges::find_if(
        running_, [](const auto& entry) { return entry.second.stop.stop_requested(); });
    WINDLASS_CHECK(found != running_.end());
    end(found->first, std::nullopt);
  }

  // Calls back whoever is due.
  std::vector<std::string> take_callbacks() {
    std::vector<std::string> owners;
    while (std::optional<std::string> owner = core_.take_callback()) {
      owners.push_back(std::move(*owner));
    }
    return owners;
  }
  int tries_of(const std::string& image) const {
    const auto found = tries_.find(normalised(image));
    return found == tries_.end() ? 0 : found->second;
  }

  const Try& try_of(const std::string& image) const { return running_.at(find(image)); }
  std::size_t cancelled() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        running_, [](const auto& entry) { return entry.second.stop.stop_requested(); }));
  }
  std::size_t queued() const { return queue_.size(); }
  Status status() const { return core_.status(now_, 1000); }
  ResolverCore& core() { return core_; }
  TimePoint now() const { return now_; }

  // Carries out what the core wants done.
  void settle() {
    for (;;) {
      apply(core_.take_commands());
      const auto due =
          std::ranges::find_if(queue_, [this](const auto& entry) { return entry.second <= now_; });
      if (due == queue_.end()) break;
      start(due->first);
    }
  }

 private:
  static std::string normalised(const std::string& image) {
    return image::ImageReference::parse(image).value().normalised();
  }

  TimePoint next_event() const {
    TimePoint next = core_.next_tick();
    for (const auto& [id, when] : queue_) next = std::min(next, when);
    return next;
  }

  void apply(const Commands& commands) {
    for (const LookupId id : commands.drop) queue_.erase(id);
    for (const Commands::Enqueue& one : commands.enqueue) {
      const TimePoint when = now_ + one.delay;
      const auto [entry, added] = queue_.try_emplace(one.id, when);
      if (!added) entry->second = std::min(entry->second, when);
    }
    for (std::stop_source source : commands.cancel) source.request_stop();
  }

  void start(LookupId id) {
    queue_.erase(id);
    std::optional<Try> started = core_.start(now_, id);
    if (!started) return;
    ++tries_[started->reference.normalised()];
    running_.emplace(id, std::move(*started));
  }

  LookupId find(const std::string& image) const {
    const auto found = std::ranges::find_if(running_, [&](const auto& entry) {
      return !entry.second.stop.stop_requested() &&
             entry.second.reference.normalised() == normalised(image);
    });
    WINDLASS_CHECK(found != running_.end());
    return found->first;
  }

  void end_one(const std::string& image, std::optional<Error> error) {
    end(find(image), std::move(error));
  }

  void end(LookupId id, std::optional<Error> error) {
    const image::ImageReference reference = running_.at(id).reference;
    const bool logged_in = running_.at(id).options.keychain != nullptr;
    running_.erase(id);
    if (error) {
      core_.finish(now_, id, windlass::fail(std::move(*error)));
    } else {
      core_.finish(now_, id,
                   registry::Resolution{.reference = reference,
                                        .digest = digest_told(reference.normalised(), logged_in),
                                        .media_type = {},
                                        .size = std::nullopt,
                                        .credential_source = "anonymous"});
    }
    settle();
  }

  ResolverCore core_;
  TimePoint now_ = TimePoint{} + std::chrono::hours(1);
  std::map<LookupId, TimePoint> queue_;
  std::map<LookupId, Try> running_;
  std::map<std::string, int> tries_;
};

}  // namespace windlass::resolver
