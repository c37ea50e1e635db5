#include "script.h"

#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/exponential_backoff.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::parity {
namespace {

using namespace std::chrono_literals;
using workqueue::DelayMode;
using Queue = workqueue::WorkQueue<std::string>;

class Machine {
 public:
  void execute(const std::string& line) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    words_.clear();
    for (std::string next; in >> next;) words_.push_back(next);
    const auto command = commands_.find(word);
    ASSERT_NE(command, commands_.end()) << "unknown command " << word;
    command->second();
  }

 private:
  const std::string& key() const { return words_.at(0); }
  long number(std::size_t at) const { return std::stol(words_.at(at)); }
  Duration time(std::size_t at) const { return std::chrono::milliseconds(number(at)); }
  std::size_t count() const { return static_cast<std::size_t>(number(0)); }
  std::optional<int> priority(std::size_t at) const {
    return words_.size() > at ? std::optional(static_cast<int>(number(at))) : std::nullopt;
  }
  workqueue::Item<std::string>& item() { return items_.at(key()); }

  void add_after() {
    workqueue::AddAfterOptions options;
    for (std::size_t i = 2; i < words_.size(); ++i) {
      if (words_[i] == "latest") {
        options.mode = DelayMode::kLatest;
      } else if (words_[i] == "replace") {
        options.mode = DelayMode::kReplace;
      } else if (words_[i] != "earliest") {
        options.priority = static_cast<int>(number(i));
      }
    }
    EXPECT_TRUE(queue_.add_after(key(), time(1), options));
  }

  void get() {
    auto item = queue_.try_get();
    ASSERT_EQ(item ? std::string(item->key()) : "-", key());
    if (item) items_.emplace(key(), std::move(*item));
  }

  void done() { items_.erase(items_.find(key())); }

  void end() {
    EXPECT_TRUE(queue_.shutting_down());
    EXPECT_FALSE(queue_.get());
  }

  FakeClock clock_;
  Queue queue_{clock_,
               {.limiter = std::make_unique<workqueue::ExponentialBackoff<std::string>>(
                    workqueue::ExponentialBackoffOptions{.base = 1ms, .max = 1000s}),
                .name = "parity"}};
  std::map<std::string, workqueue::Item<std::string>> items_;
  std::vector<std::string> words_;

  const std::map<std::string, std::function<void()>> commands_ = {
      {"add", [this] { EXPECT_TRUE(queue_.add(key(), {.priority = priority(1)})); }},
      {"refused", [this] { EXPECT_FALSE(queue_.add(key())); }},
      {"after", [this] { add_after(); }},
      {"limited",
       [this] { EXPECT_TRUE(queue_.add_rate_limited(key(), {.priority = priority(1)})); }},
      {"forget", [this] { queue_.forget(key()); }},
      {"cancel", [this] { queue_.cancel_delayed(key()); }},
      {"remove", [this] { queue_.remove(key()); }},
      {"get", [this] { get(); }},
      {"prio", [this] { EXPECT_EQ(item().priority(), number(1)); }},
      {"waited", [this] { EXPECT_EQ(item().waited(), time(1)); }},
      {"done", [this] { done(); }},
      {"advance", [this] { clock_.advance(time(0)); }},
      {"len", [this] { EXPECT_EQ(queue_.len(), count()); }},
      {"delayed", [this] { EXPECT_EQ(queue_.delayed_len(), count()); }},
      {"running", [this] { EXPECT_EQ(queue_.running_len(), count()); }},
      {"depth", [this] { EXPECT_EQ(queue_.stats().depth(), count()); }},
      {"adds", [this] { EXPECT_EQ(queue_.stats().adds, count()); }},
      {"retries", [this] { EXPECT_EQ(queue_.stats().retries, count()); }},
      {"dropped", [this] { EXPECT_EQ(queue_.stats().dropped, count()); }},
      {"gets", [this] { EXPECT_EQ(queue_.stats().queue_duration.count(), count()); }},
      {"waits", [this] { EXPECT_EQ(queue_.stats().queue_duration.sum, time(0)); }},
      {"works", [this] { EXPECT_EQ(queue_.stats().work_duration.count(), count()); }},
      {"worked", [this] { EXPECT_EQ(queue_.stats().work_duration.sum, time(0)); }},
      {"unfinished", [this] { EXPECT_EQ(queue_.stats().unfinished_work, time(0)); }},
      {"longest", [this] { EXPECT_EQ(queue_.stats().longest_running, time(0)); }},
      {"requeues", [this] { EXPECT_EQ(queue_.num_requeues(key()), number(1)); }},
      {"shutdown", [this] { queue_.shut_down(); }},
      {"closed", [this] { EXPECT_TRUE(queue_.shutting_down()); }},
      {"empty", [this] { EXPECT_TRUE(queue_.empty()); }},
      {"busy", [this] { EXPECT_FALSE(queue_.empty()); }},
      {"end", [this] { end(); }},
  };
};

}  // namespace

void run(const Rule& rule) {
  Machine machine;
  for (std::size_t i = 0; i < rule.script.size(); ++i) {
    SCOPED_TRACE(rule.name + ", line " + std::to_string(i + 1) + ": " + rule.script[i]);
    machine.execute(rule.script[i]);
    if (testing::Test::HasFailure()) return;
  }
}

std::string test_name(const Rule& rule) {
  std::string name;
  bool upper = true;
  for (const char c : rule.name) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    }
    upper = !std::isalnum(static_cast<unsigned char>(c));
  }
  return name;
}

}  // namespace windlass::parity
