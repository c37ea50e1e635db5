// What a pending owner costs: time of resolve(), and memory while it waits.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <string>
#include <vector>

#include "windlass/resolver/background_resolver.h"

namespace windlass::resolver {
namespace {

// Keeps every lookup open until it is cancelled.
class Silent final : public registry::ImageResolver {
 public:
  void resolve(const image::ImageReference&, const registry::LookupOptions&, std::stop_token stop,
               registry::LookupCallback done) override {
    const auto held = std::make_shared<Held>();
    held->done = std::move(done);
    held->on_stop.emplace(std::move(stop), [held] {
      // The callback that is running goes with what it holds: nothing of it may be used after.
      const auto kept = held;
      auto finish = std::move(kept->done);
      kept->on_stop.reset();
      finish(fail(ErrorCode::kCancelled, "cancelled"));
    });
  }

 private:
  struct Held {
    registry::LookupCallback done;
    std::optional<std::stop_callback<std::function<void()>>> on_stop;
  };
};

void BM_PendingOwners(benchmark::State& state, bool distinct) {
  const auto owners = static_cast<std::size_t>(state.range(0));
  Silent images;
  double bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    BackgroundResolver resolver(system_clock(), images, {}, [](const std::string&) {});
    std::vector<std::string> image = {"registry.example.com/team/application:v1.2.3"};
    const struct mallinfo2 before = mallinfo2();
    state.ResumeTiming();
    for (std::size_t i = 0; i < owners; ++i) {
      if (distinct) image[0] = "registry.example.com/team/application:v" + std::to_string(i);
      resolver.resolve("namespace/revision-" + std::to_string(i), image);
    }
    state.PauseTiming();
    const struct mallinfo2 after = mallinfo2();
    bytes = static_cast<double>(after.uordblks + after.hblkhd - before.uordblks - before.hblkhd);
    resolver.stop(BackgroundResolver::StopMode::kCancel);
    state.ResumeTiming();
  }
  state.counters["bytes_per_owner"] = bytes / static_cast<double>(owners);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK_CAPTURE(BM_PendingOwners, one_image, false)->ArgName("owners")->Arg(100'000);
BENCHMARK_CAPTURE(BM_PendingOwners, distinct_images, true)->ArgName("owners")->Arg(100'000);

}  // namespace
}  // namespace windlass::resolver

BENCHMARK_MAIN();
