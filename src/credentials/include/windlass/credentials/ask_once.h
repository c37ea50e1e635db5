// AskOnce: questions whose answers take long. Each is asked once however many wait for its answer,
// on a few threads of its own, and the answer is kept for as long as the work says.
//
// It knows nothing about what is asked: the work comes with the question.
//
// Thread safety: all members may be called from any thread. The destructor asks running work to
// stop, waits for it, and answers everybody who is left with the `cancelled` answer.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "windlass/base/clock.h"

namespace windlass::credentials {

struct AskOnceOptions {
  std::size_t threads_max = 4;
  std::size_t answers_max = 1'000;  // kept; those being awaited are bounded by who waits
};

// Invariant: a question is in `entries_` while it is asked (no answer yet) or its answer is kept.
template <class Answer>
class AskOnce {
 public:
  struct Kept {
    Answer answer;
    Duration keep;  // zero or less: for those who wait now
  };
  using Work = std::move_only_function<Kept(const std::stop_token&)>;
  using Callback = std::move_only_function<void(Answer)>;

  AskOnce(Clock& clock, Answer cancelled, AskOnceOptions options)
      : clock_(clock), cancelled_(std::move(cancelled)), options_(options) {}
  ~AskOnce();
  AskOnce(const AskOnce&) = delete;
  AskOnce& operator=(const AskOnce&) = delete;

  // `done` is called once, from this call or from a thread of this object, never under a lock.
  // `work` runs when no answer is kept and nobody has asked the same yet.
  void get(const std::string& question, Work work, Callback done) EXCLUDES(mutex_);

  // The answer that is kept, whatever its age; asks nobody.
  std::optional<Answer> peek(const std::string& question) EXCLUDES(mutex_);

  // Forgets the answer, so that the next get() asks anew, when it is at least `age` old.
  void drop(const std::string& question, Duration age) EXCLUDES(mutex_);

 private:
  struct Entry {
    std::optional<Answer> answer;  // none while it is being asked
    TimePoint since{};
    TimePoint until{};
    std::vector<Callback> waiting;
  };
  struct Task {
    std::string question;
    Work work;
  };

  void run(const std::stop_token& stop) EXCLUDES(mutex_);
  void keep(const std::string& question, const Kept& kept) EXCLUDES(mutex_);
  void make_room() REQUIRES(mutex_);

  Clock& clock_;
  const Answer cancelled_;
  const AskOnceOptions options_;

  Mutex mutex_;
  CondVar asked_;
  std::map<std::string, Entry> entries_ GUARDED_BY(mutex_);
  std::deque<Task> queue_ GUARDED_BY(mutex_);
  std::size_t idle_ GUARDED_BY(mutex_) = 0;  // threads without a question
  std::vector<std::jthread> threads_ GUARDED_BY(mutex_);
};

template <class Answer>
AskOnce<Answer>::~AskOnce() {
  std::vector<std::jthread> threads;
  {
    MutexLock lock(mutex_);
    threads.swap(threads_);
  }
  for (std::jthread& thread : threads) thread.request_stop();
  threads.clear();
  std::map<std::string, Entry> left;
  {
    MutexLock lock(mutex_);
    left.swap(entries_);
  }
  for (auto& [question, entry] : left) {
    for (Callback& done : entry.waiting) done(cancelled_);
  }
}

template <class Answer>
void AskOnce<Answer>::get(const std::string& question, Work work, Callback done) {
  std::optional<Answer> answer;
  {
    MutexLock lock(mutex_);
    const auto found = entries_.find(question);
    if (found != entries_.end() && found->second.answer && clock_.now() < found->second.until) {
      answer = found->second.answer;
    } else if (found != entries_.end() && !found->second.answer) {
      found->second.waiting.push_back(std::move(done));
    } else {
      if (found != entries_.end()) entries_.erase(found);
      make_room();
      entries_[question].waiting.push_back(std::move(done));
      queue_.push_back({question, std::move(work)});
      if (idle_ < queue_.size() && threads_.size() < options_.threads_max)
        threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
      asked_.notify_one();
    }
  }
  // Moved away only where there is no answer yet.
  if (answer) done(*std::move(answer));  // NOLINT(bugprone-use-after-move)
}

template <class Answer>
std::optional<Answer> AskOnce<Answer>::peek(const std::string& question) {
  MutexLock lock(mutex_);
  const auto found = entries_.find(question);
  return found == entries_.end() ? std::nullopt : found->second.answer;
}

template <class Answer>
void AskOnce<Answer>::drop(const std::string& question, Duration age) {
  MutexLock lock(mutex_);
  const auto found = entries_.find(question);
  if (found == entries_.end() || !found->second.answer) return;
  if (saturating_add(found->second.since, age) <= clock_.now()) entries_.erase(found);
}

template <class Answer>
void AskOnce<Answer>::make_room() {
  while (entries_.size() >= options_.answers_max) {
    const auto kept = std::ranges::find_if(
        entries_, [](const auto& entry) { return entry.second.answer.has_value(); });
    if (kept == entries_.end()) return;
    entries_.erase(kept);
  }
}

template <class Answer>
void AskOnce<Answer>::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::optional<Task> task;
    {
      MutexLock lock(mutex_);
      ++idle_;
      const bool any = clock_.wait(mutex_, asked_, stop, [this] {
        mutex_.assert_held();
        return !queue_.empty();
      });
      --idle_;
      if (!any || stop.stop_requested()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    keep(task->question, task->work(stop));
  }
}

template <class Answer>
void AskOnce<Answer>::keep(const std::string& question, const Kept& kept) {
  std::vector<Callback> waiting;
  {
    MutexLock lock(mutex_);
    const auto entry = entries_.find(question);
    if (entry == entries_.end()) return;  // the end has begun: everybody is answered there
    waiting.swap(entry->second.waiting);
    if (kept.keep > Duration::zero()) {
      entry->second.since = clock_.now();
      entry->second.until = saturating_add(entry->second.since, kept.keep);
      entry->second.answer = kept.answer;
    } else {
      entries_.erase(entry);
    }
  }
  for (Callback& done : waiting) done(kept.answer);
}

}  // namespace windlass::credentials
