// The rules that controllers know from client-go's queue, delaying queue, rate-limiting queue and
// metrics, and from controller-runtime's priority queue. Where ours differs on purpose, the name
// of the rule says so.
#include <gtest/gtest.h>

#include "script.h"

namespace windlass::parity {
namespace {

class QueueRule : public testing::TestWithParam<Rule> {};

TEST_P(QueueRule, Holds) { run(GetParam()); }

const Rule kQueue[] = {
    {"keys come in the order they were added",
     {"add a", "add b", "add c", "get a", "get b", "get c"}},
    {"a duplicate does not grow the queue", {"add a", "len 1", "add b", "len 2", "add a", "len 2"}},
    {"two adds collapse into one delivery",
     {"add a", "add a", "get a", "done a", "get -", "empty"}},
    {"a key added while it runs returns after done",
     {"add a", "get a", "add a", "get -", "done a", "get a", "done a", "get -"}},
    {"adds while it runs collapse into one",
     {"add a", "get a", "add a", "add a", "add a", "done a", "get a", "done a", "get -"}},
    {"a second worker does not get a key that runs",
     {"add a", "add b", "get a", "add a", "get b", "get -", "done b", "get -", "done a", "get a"}},
    {"a re-added key queues behind those already there",
     {"add a", "get a", "add a", "add b", "done a", "get b", "get a"}},
    {"len leaves out what runs and what is to run again",
     {"add a", "get a", "len 0", "add a", "len 0", "running 1", "done a", "len 1", "running 0"}},
    {"done without a re-add forgets the key",
     {"add a", "get a", "done a", "empty", "add a", "len 1"}},
    {"adds after shutdown are ignored", {"shutdown", "refused a", "len 0", "end"}},
    {"what is queued at shutdown is still delivered",
     {"add a", "add b", "shutdown", "get a", "get b", "done a", "done b", "end", "end"}},
    {"a key marked before shutdown still runs again",
     {"add a", "get a", "add a", "shutdown", "done a", "get a", "done a", "end"}},
    {"shutting down twice is fine", {"shutdown", "shutdown", "closed", "end"}},
};

const Rule kDelaying[] = {
    {"a delayed key is not ready before its time and is ready at it",
     {"after a 50", "len 0", "advance 49", "len 0", "advance 1", "len 1", "get a", "done a",
      "advance 10000", "len 0", "get -"}},
    {"the earlier of two delays wins when it comes second",
     {"after a 70", "after a 50", "advance 60", "get a", "done a", "advance 20", "get -"}},
    {"the earlier of two delays wins when it comes first",
     {"after a 50", "after a 70", "advance 60", "get a", "done a", "advance 20", "get -"}},
    {"two fire early and a third comes later",
     {"after a 50", "after b 40", "advance 60", "get b", "get a", "done a", "done b", "after c 30",
      "len 0", "advance 31", "get c"}},
    {"delays are delivered in the order of their times",
     {"after a 1000", "after b 500", "after c 250", "advance 250", "get c", "advance 250", "get b",
      "advance 500", "get a"}},
    {"a delay of zero or less is an add", {"after a 0", "after b -1000", "get a", "get b"}},
    {"a delayed key is not in len", {"after a 10", "len 0", "delayed 1", "busy"}},
    {"an immediate add leaves the delay in place",
     {"after a 18000", "add a", "get a", "done a", "advance 18000", "get a"}},
    {"a delay that ends while the key is queued adds nothing",
     {"after a 10", "add a", "advance 10", "len 1", "get a", "done a", "get -"}},
    {"a delay that ends while the key runs makes it run again",
     {"add a", "get a", "after a 10", "advance 10", "get -", "done a", "get a"}},
    {"equal delays come in the order they were added (ours)",
     {"after c 10", "after a 10", "after b 10", "advance 10", "get c", "get a", "get b"}},
    {"a delay can be cancelled (ours)", {"after a 10", "cancel a", "empty", "advance 10", "get -"}},
    {"a delay can be pushed back: latest wins (ours)",
     {"after a 10", "after a 30 latest", "advance 29", "get -", "advance 1", "get a"}},
    {"a delay can be replaced (ours)",
     {"after a 30", "after a 50 replace", "advance 30", "get -", "after a 5 replace", "advance 5",
      "get a"}},
    {"shutdown drops what is delayed and counts it (ours)",
     {"after a 10", "after b 20", "add c", "shutdown", "dropped 2", "delayed 0", "get c", "done c",
      "end"}},
};

const Rule kRateLimiting[] = {
    {"each retry of a key waits twice as long, and keys are independent",
     {"limited a", "requeues a 1", "limited b", "requeues b 1", "advance 1", "get a", "limited a",
      "requeues a 2", "done a", "get b", "advance 1", "get -", "advance 1", "get a"}},
    {"forget resets the count and the wait",
     {"limited a", "advance 1", "get a", "limited a", "requeues a 2", "forget a", "requeues a 0",
      "done a", "advance 2", "get a", "limited a", "done a", "advance 1", "get a"}},
    {"forget leaves the key in the queue",
     {"add a", "limited b", "forget a", "forget b", "get a", "advance 1", "get b"}},
    {"forget of an unknown key is fine", {"forget nobody", "empty"}},
    {"a rate-limited add is not charged after shutdown (ours)", {"shutdown", "requeues a 0"}},
    {"remove drops a key from ready and delayed (ours)",
     {"add a", "after b 10", "remove a", "remove b", "empty"}},
    {"a removed key's failures are forgotten (ours)",
     {"limited a", "advance 1", "get a", "limited a", "requeues a 2", "remove a", "requeues a 0",
      "done a", "empty"}},
    {"a removed running key does not run again (ours)",
     {"add a", "get a", "add a", "remove a", "done a", "empty"}},
};

const Rule kMetrics[] = {
    {"depth and adds grow with a new key and not with a duplicate",
     {"add a", "depth 1", "adds 1", "add a", "depth 1", "adds 1"}},
    {"depth falls when a key is taken and the wait is observed",
     {"add a", "advance 50", "get a", "depth 0", "gets 1", "waits 50", "waited a 50"}},
    {"work duration is observed at done",
     {"add a", "advance 50", "get a", "advance 25", "works 0", "done a", "works 1", "worked 25"}},
    {"a key added while it runs counts once and grows depth at once",
     {"add a", "get a", "add a", "add a", "add a", "add a", "add a", "depth 1", "adds 2", "done a",
      "depth 1", "adds 2"}},
    {"the wait of a re-added key includes the rest of its run",
     {"add a", "get a", "add a", "advance 25", "done a", "advance 10", "get a", "gets 2",
      "waits 35"}},
    {"unfinished work and the longest run are read from what runs",
     {"add a", "get a", "advance 500", "add b", "get b", "advance 500", "unfinished 1500",
      "longest 1000", "done a", "unfinished 500", "longest 500", "done b", "unfinished 0",
      "longest 0"}},
    {"retries count delayed and rate-limited adds, also those without a wait",
     {"after a 10", "retries 1", "after a 0", "retries 2", "limited a", "retries 3", "add a",
      "retries 3"}},
    {"a delayed key counts as added once it is ready",
     {"after a 10", "adds 0", "depth 0", "advance 10", "adds 1", "depth 1"}},
    {"a delay that ends counts once, however often it is looked at",
     {"after a 10", "advance 10", "len 1", "len 1", "adds 1", "depth 1", "get a", "depth 0"}},
    {"a delayed key added again without a delay counts once until it is due",
     {"after a 10", "add a", "adds 1", "depth 1", "advance 10", "adds 1", "depth 1"}},
    {"nothing is counted after shutdown", {"shutdown", "refused a", "adds 0", "depth 0"}},
};

const Rule kPriority[] = {
    {"higher priority first", {"add a -10", "add b 10", "add c", "get b", "get c", "get a"}},
    {"the highest priority given is kept", {"add a 1", "add a 2", "get a", "prio a 2"}},
    {"a lower priority does not lower it", {"add a 5", "add a 2", "get a", "prio a 5"}},
    {"an add without priority counts as zero", {"add a -5", "add a", "get a", "prio a 0"}},
    {"a key that rises goes ahead of lower ones",
     {"add a", "add b", "add c", "add c 1", "get c", "get a", "get b"}},
    {"a key that rises goes to the end of its new level",
     {"add a 1", "add b", "add b 1", "add c 1", "get a", "get b", "get c"}},
    {"a key re-added while it runs has the priority of the new add",
     {"add a 7", "get a", "add a 3", "done a", "get a", "prio a 3"}},
    {"a key that was urgent once is not urgent for ever",
     {"add a 7", "get a", "add a", "done a", "get a", "prio a 0", "add a 2", "add a", "done a",
      "get a", "prio a 2"}},
    {"a retry keeps the priority of its run (ours)",
     {"add a -100", "get a", "limited a", "done a", "advance 1", "get a", "prio a -100"}},
    {"a retry may say another priority",
     {"add a -100", "get a", "limited a 4", "done a", "advance 1", "get a", "prio a 4"}},
    {"a high key waits for its time while a low one is taken",
     {"after a 10 5", "add b -5", "get b", "advance 10", "get a"}},
    {"of keys ready at different times the high one comes first",
     {"after a 10 5", "add b -5", "advance 10", "get a", "get b"}},
    {"a waiting key re-added without delay is ready at once",
     {"after a 10 3", "add a", "get a", "prio a 3"}},
    {"several delays come in order",
     {"after a 10", "after b 20", "after c 5", "advance 10", "get c", "get a", "get -",
      "advance 10", "get b"}},
    {"a key is in len and metrics once it is ready, also the second time",
     {"after a 10", "len 0", "depth 0", "advance 10", "len 1", "depth 1", "get a", "done a",
      "after a 10", "len 0", "depth 0", "advance 10", "len 1", "depth 1"}},
    {"a delayed key that rises by an immediate add is counted once",
     {"after a 1000", "add a 1", "adds 1", "depth 1", "len 1", "get a", "prio a 1"}},
    {"a delay that ended counts anew when the key is delayed again",
     {"after a 10", "advance 10", "len 1", "adds 1", "depth 1", "after a 10", "delayed 1", "adds 1",
      "depth 1", "get a", "depth 0", "advance 10", "depth 1", "adds 2", "done a", "get a"}},
    {"the earliest of the delays given is kept, and the highest priority with it",
     {"after a 30 1", "after a 10", "after a 20 7", "advance 10", "get a", "prio a 7"}},
    {"a locked key is delivered as soon as it is unlocked",
     {"add a", "add b", "get a", "add a 10", "get b", "get -", "done a", "get a"}},
    {"get after shutdown reports it, twice", {"shutdown", "end", "end"}},
};

// Rules that public reports about such queues taught.
const Rule kReports[] = {
    {"an immediate add and a delay of one key run twice, never at once",
     {"after k 18000", "add k", "get k", "advance 18000", "get -", "done k", "get k", "done k",
      "get -"}},
    {"cancelling makes it once",
     {"after k 18000", "add k", "cancel k", "get k", "done k", "advance 18000", "get -"}},
    {"a key can be removed wherever it is",
     {"add a", "after a 5", "remove a", "empty", "after b 5", "add c", "get c", "add c", "remove c",
      "done c", "delayed 1", "len 0"}},
    {"depth counts ready keys only, and never falls below zero",
     {"add a", "after b 10", "depth 1", "get a", "depth 0", "advance 10", "depth 1", "get b",
      "depth 0", "done a", "done b", "depth 0"}},
    {"forgetting does not remove a delayed key",
     {"limited a", "forget a", "delayed 1", "advance 1", "get a"}},
    {"delayed keys can be seen", {"after a 10", "after b 20", "delayed 2", "len 0", "busy"}},
    {"a resync of many low keys does not hide a fresh event",
     {"add a -100", "add b -100", "add c -100", "add b 1", "get b", "prio b 1", "limited b",
      "done b", "get a", "advance 1", "get b", "prio b 1", "get c"}},
    {"the first add of a key is immediate however long its back-off would be",
     {"add a", "get a", "limited a", "done a", "get -", "advance 1", "get a"}},
};

// At each of five levels and however the two were added, the higher one comes first.
TEST(ControllerRuntimePriority, HighComesBeforeLowWhateverTheDelay) {
  for (const int low : {-100, -1, 0, 1, 100}) {
    for (const int delay : {-1000, 0, 1000}) {
      const auto after = [&](const char* key, int priority) {
        return std::string("after ") + key + ' ' + std::to_string(delay) + ' ' +
               std::to_string(priority);
      };
      run({"high before low",
           {after("low", low), after("high", low + 1), "advance 1000", "get high", "get low"}});
    }
  }
}

constexpr auto kName = [](const auto& info) { return test_name(info.param); };

INSTANTIATE_TEST_SUITE_P(ClientGoQueue, QueueRule, testing::ValuesIn(kQueue), kName);
INSTANTIATE_TEST_SUITE_P(ClientGoDelaying, QueueRule, testing::ValuesIn(kDelaying), kName);
INSTANTIATE_TEST_SUITE_P(ClientGoRateLimiting, QueueRule, testing::ValuesIn(kRateLimiting), kName);
INSTANTIATE_TEST_SUITE_P(ClientGoMetrics, QueueRule, testing::ValuesIn(kMetrics), kName);
INSTANTIATE_TEST_SUITE_P(ControllerRuntimePriority, QueueRule, testing::ValuesIn(kPriority), kName);
INSTANTIATE_TEST_SUITE_P(PublicReports, QueueRule, testing::ValuesIn(kReports), kName);

}  // namespace
}  // namespace windlass::parity
