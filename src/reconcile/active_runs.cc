#include "active_runs.h"

#include <algorithm>

namespace windlass::reconcile {

std::stop_token ActiveRuns::begin(ActiveRun& run, TimePoint deadline) {
  run.older = newest_;
  (newest_ == nullptr ? oldest_ : newest_->newer) = &run;
  newest_ = &run;
  ++size_;
  if (deadline == TimePoint::max()) return all_.get_token();
  // Two workers may come here in another order than they read the clock.
  run.deadline = run.older == nullptr ? deadline : std::max(deadline, run.older->deadline);
  run.stop = std::stop_source();
  if (stopping_) {
    run.stop.request_stop();  // nobody has its token yet, so nothing is called
  } else if (next_to_expire_ == nullptr) {
    next_to_expire_ = &run;
  }
  return run.stop.get_token();
}

void ActiveRuns::end(ActiveRun& run) {
  if (next_to_expire_ == &run) next_to_expire_ = run.newer;
  (run.older == nullptr ? oldest_ : run.older->newer) = run.newer;
  (run.newer == nullptr ? newest_ : run.newer->older) = run.older;
  --size_;
}

ActiveRun* ActiveRuns::find(std::string_view key) const {
  ActiveRun* run = oldest_;
  while (run != nullptr && run->key != key) run = run->newer;
  return run;
}

TimePoint ActiveRuns::next_deadline() const {
  return next_to_expire_ == nullptr ? TimePoint::max() : next_to_expire_->deadline;
}

std::vector<std::stop_source> ActiveRuns::expire(TimePoint now) {
  std::vector<std::stop_source> expired;
  for (; next_deadline() <= now; next_to_expire_ = next_to_expire_->newer) {
    expired.push_back(next_to_expire_->stop);
  }
  return expired;
}

std::vector<std::stop_source> ActiveRuns::stop_all() {
  stopping_ = true;
  std::vector<std::stop_source> all = {all_};
  for (; next_to_expire_ != nullptr; next_to_expire_ = next_to_expire_->newer) {
    all.push_back(next_to_expire_->stop);
  }
  return all;
}

void ActiveRuns::start_over() {
  stopping_ = false;
  all_ = std::stop_source();
}

std::vector<std::string> ActiveRuns::keys() const {
  std::vector<std::string> keys;
  keys.reserve(size_);
  for (const ActiveRun* run = oldest_; run != nullptr; run = run->newer) keys.push_back(run->key);
  std::ranges::sort(keys);
  return keys;
}

}  // namespace windlass::reconcile
