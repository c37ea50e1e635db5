// Counts the bytes that are held by taking the place of operator new, for the whole test program.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "controller_world.h"

namespace {

std::atomic<std::size_t> held = 0;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  held += ::malloc_usable_size(memory);
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  held -= ::malloc_usable_size(memory);
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  held -= ::malloc_usable_size(memory);
  std::free(memory);
}

namespace windlass::reconcile {
namespace {

// Goal: a burst of failures leaves nothing behind, neither counts nor the tables that held them.
TEST(ControllerMemory, ABurstOfFailuresGivesItAllBack) {
  constexpr std::size_t kKeys = 20'000;
  constexpr std::size_t kTable = kKeys * sizeof(void*);
  FakeClock clock;
  Controller controller(clock, "pods", with_seconds(),
                        Handler([](Context& context, const std::string&) -> Result<Outcome> {
                          if (context.attempt() == 1) return fail(some_error());
                          return Outcome::done();
                        }));
  const std::jthread runner(
      [&](const std::stop_token& stop) { EXPECT_TRUE(controller.run(stop, 1).has_value()); });
  clock.await_sleepers(2);
  const std::size_t before = held;
  for (std::size_t key = 0; key < kKeys; ++key) controller.enqueue_now(std::to_string(key));
  while (controller.stats().retried < kKeys) std::this_thread::yield();
  EXPECT_EQ(controller.stats().retrying, kKeys);
  EXPECT_GT(held, before + 4 * kTable);
  clock.await_sleepers(2);
  clock.advance(std::chrono::seconds(1));
  while (controller.stats().done < kKeys) std::this_thread::yield();
  clock.await_sleepers(2);
  EXPECT_LT(held, before + kTable / 2);
}

}  // namespace
}  // namespace windlass::reconcile
