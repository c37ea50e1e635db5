#include "windlass/workqueue/event_fd.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <string>
#include <vector>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;

bool readable(const EventFd& event) {
  pollfd wanted{.fd = event.fd(), .events = POLLIN, .revents = 0};
  return poll(&wanted, 1, 0) == 1;
}

TEST(EventFd, IsReadableFromSignalToClear) {
  auto event = EventFd::create();
  ASSERT_TRUE(event);
  EXPECT_FALSE(readable(**event));
  (*event)->signal();
  (*event)->signal();
  EXPECT_TRUE(readable(**event));
  (*event)->clear();
  EXPECT_FALSE(readable(**event));
  (*event)->clear();
}

TEST(EventFd, LetsAnEventLoopConsumeAQueue) {
  FakeClock clock;
  auto event = EventFd::create();
  ASSERT_TRUE(event);
  WorkQueue<std::string> queue(clock);
  queue.set_on_wake([&event] { (*event)->signal(); });
  std::vector<std::string> got;
  const auto turn = [&] {
    (*event)->clear();
    while (auto item = queue.try_get()) got.emplace_back(item->key());
  };
  turn();
  queue.add("a");
  queue.add("b");
  EXPECT_TRUE(readable(**event));
  turn();
  EXPECT_FALSE(readable(**event));

  queue.add_after("late", 10s);
  EXPECT_TRUE(readable(**event));  // the loop has to learn of the new deadline
  turn();
  EXPECT_EQ(queue.next_due(), clock.now() + 10s);
  queue.add_after("later", 20s);
  EXPECT_FALSE(readable(**event));
  clock.advance_to(queue.next_due());
  turn();
  queue.shut_down();
  EXPECT_TRUE(readable(**event));
  EXPECT_EQ(got, (std::vector<std::string>{"a", "b", "late"}));
}

}  // namespace
}  // namespace windlass::workqueue
