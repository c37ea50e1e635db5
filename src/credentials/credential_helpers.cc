#include "windlass/credentials/credential_helpers.h"

#include <algorithm>
#include <utility>

#include "helper_protocol.h"
#include "program.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::credentials {

CredentialHelpers::CredentialHelpers(Clock& clock, HelperOptions options)
    : clock_(clock), options_(options) {}

CredentialHelpers::~CredentialHelpers() {
  std::vector<std::jthread> threads;
  {
    MutexLock lock(mutex_);
    threads.swap(threads_);
  }
  for (std::jthread& thread : threads) thread.request_stop();
  threads.clear();
  std::map<Question, Entry> left;
  {
    MutexLock lock(mutex_);
    left.swap(entries_);
  }
  for (auto& [question, entry] : left) {
    for (Callback& done : entry.waiting) done(fail(ErrorCode::kCancelled, "cancelled"));
  }
}

void CredentialHelpers::get(const std::string& helper, const std::string& key, Callback done) {
  Question question(helper, key);
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
      queue_.push_back(std::move(question));
      if (idle_ < queue_.size() && threads_.size() < options_.programs_max)
        threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
      asked_.notify_one();
    }
  }
  // Moved away only where there is no answer yet.
  if (answer) done(*std::move(answer));  // NOLINT(bugprone-use-after-move)
}

void CredentialHelpers::make_room() {
  while (entries_.size() >= options_.answers_max) {
    // Those being asked are bounded by who waits for them and cannot go.
    const auto kept = std::ranges::find_if(
        entries_, [](const auto& entry) { return entry.second.answer.has_value(); });
    if (kept == entries_.end()) return;
    entries_.erase(kept);
  }
}

void CredentialHelpers::work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Question question;
    {
      MutexLock lock(mutex_);
      ++idle_;
      const bool any = clock_.wait(mutex_, asked_, stop, [this] {
        mutex_.assert_held();
        return !queue_.empty();
      });
      --idle_;
      if (!any || stop.stop_requested()) return;
      question = std::move(queue_.front());
      queue_.pop_front();
    }
    keep(question, ask(question, stop));
  }
}

CredentialHelpers::Answer CredentialHelpers::ask(const Question& question,
                                                 const std::stop_token& stop) {
  const auto& [helper, key] = question;
  const Result<std::string> program = helper_program(helper);
  if (!program) return fail(program.error());
  const ProgramLimits limits{.deadline = saturating_add(clock_.now(), options_.timeout),
                             .output_bytes_max = options_.output_bytes_max};
  Result<ProgramEnd> end = run_program({*program, "get"}, key, limits, clock_, stop);
  if (!end) {
    Error error = std::move(end.error());
    if (error.code == ErrorCode::kNotFound)
      error = {.code = ErrorCode::kInvalid, .message = "there is no such program in PATH"};
    if (error.code == ErrorCode::kTimedOut)
      error.message = format("it took longer than {}", to_text(options_.timeout));
    return fail(std::move(error), format("{} get for {}", *program, printable(key)));
  }
  Answer answer = read_helper_answer(*end, *program, key);
  erase(end->output);
  return answer;
}

void CredentialHelpers::keep(const Question& question, Answer answer) {
  std::vector<Callback> waiting;
  {
    MutexLock lock(mutex_);
    Entry& entry = entries_[question];
    const Duration time = answer ? options_.keep : options_.keep / 10;
    entry.until = saturating_add(clock_.now(), time);
    entry.answer = answer;
    waiting.swap(entry.waiting);
  }
  for (Callback& done : waiting) done(answer);
}

}  // namespace windlass::credentials
