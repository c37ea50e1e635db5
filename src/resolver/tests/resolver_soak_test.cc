// Goal: 100,000 owners of 5,000 images at 20 registries, of which three never answer and two answer
// 429, cost no more requests, time and memory than they should. Method: the core with a queue,
// registries and a time of the test's own; bounds are read from the log of requests.
#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <unordered_map>

#include "resolver_core.h"
#include "windlass/base/check.h"

namespace windlass::resolver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kOwners = 100'000;
constexpr int kImages = 5'000;
constexpr int kRegistries = 20;
constexpr int kBlackHoleCount = 3;   // the first ones
constexpr int kThrottlingCount = 2;  // the next ones
constexpr std::size_t kInFlightMax = 64;
constexpr Duration kAnswerTime = milliseconds(20);
constexpr Duration kRetryAfter = seconds(7);

enum class Kind { kGood, kBlackHole, kThrottling };

Kind kind_of(int registry) {
  if (registry < kBlackHoleCount) return Kind::kBlackHole;
  return registry < kBlackHoleCount + kThrottlingCount ? Kind::kThrottling : Kind::kGood;
}

std::string image_name(int image) {
  return "r" + std::to_string(image % kRegistries) + ".test/app-" + std::to_string(image);
}

// Both images of an owner are at one registry.
std::vector<std::string> images_of(int owner) {
  return {image_name(owner % kImages), image_name((owner + 7 * kRegistries) % kImages)};
}

struct Logged {
  TimePoint time;
  int registry;
};

class Soak {
 public:
  explicit Soak(const Options& options) : core_(options) {}

  void ask_for_all() {
    for (int owner = 0; owner < kOwners; ++owner) {
      core_.resolve(now_, std::to_string(owner), images_of(owner), {});
      settle();
    }
  }

  void run_until(TimePoint end) {
    while (next_event() <= end) {
      now_ = std::max(now_, next_event());
      core_.tick(now_);
      end_tries();
      settle();
    }
    now_ = end;
  }

  // Counts callbacks, and notes when the last owner of a good registry had its own.
  void settle() {
    apply(core_.take_commands());
    while (!delayed_.empty() && delayed_.begin()->first <= now_) {
      ready_.push_back(delayed_.begin()->second);
      undelay(ready_.back());
    }
    while (running_ < kInFlightMax && !ready_.empty()) {
      const LookupId id = ready_.front();
      ready_.pop_front();
      if (const auto started = core_.start(now_, id)) begin(id, *started);
      apply(core_.take_commands());
    }
    while (const auto owner = core_.take_callback()) {
      const int number = std::stoi(*owner);
      ++callbacks_[static_cast<std::size_t>(number)];
      if (kind_of(number % kRegistries) == Kind::kGood) last_good_ = now_;
    }
  }

  ResolverCore& core() { return core_; }
  TimePoint now() const { return now_; }
  TimePoint last_good() const { return last_good_; }
  const std::vector<int>& callbacks() const { return callbacks_; }
  std::size_t open_tries() const { return running_; }

  // Requests to registries of a kind, in a span of time.
  std::size_t requests(Kind kind, TimePoint from, TimePoint to) const {
    return static_cast<std::size_t>(std::ranges::count_if(log_, [&](const Logged& one) {
      return kind_of(one.registry) == kind && one.time >= from && one.time <= to;
    }));
  }

 private:
  void begin(LookupId id, const Try& started) {
    const int registry = std::stoi(started.reference.registry().substr(1));
    log_.push_back({now_, registry});
    ++running_;
    const bool hangs = kind_of(registry) == Kind::kBlackHole;
    ends_.emplace(now_ + (hangs ? started.options.timeout : kAnswerTime),
                  Ending{id, registry, started.reference});
  }

  void end_tries() {
    while (!ends_.empty() && ends_.begin()->first <= now_) {
      const Ending ending = std::move(ends_.extract(ends_.begin()).mapped());
      --running_;
      core_.finish(now_, ending.id, answer(ending));
      settle();
    }
  }

  struct Ending {
    LookupId id;
    int registry;
    image::ImageReference reference;
  };

  static Result<registry::Resolution> answer(const Ending& ending) {
    switch (kind_of(ending.registry)) {
      case Kind::kBlackHole: return fail(ErrorCode::kTimedOut, "no answer");
      case Kind::kThrottling:
        return fail(Error{
            .code = ErrorCode::kThrottled, .message = "slow down", .retry_after = kRetryAfter});
      case Kind::kGood: break;
    }
    static const image::Digest digest = image::Digest::sha256_of("the same");
    return registry::Resolution{.reference = ending.reference,
                                .digest = digest,
                                .media_type = {},
                                .size = std::nullopt,
                                .credential_source = "anonymous"};
  }

  void apply(const Commands& commands) {
    for (const LookupId id : commands.drop) undelay(id);
    for (const Commands::Enqueue& one : commands.enqueue) {
      undelay(one.id);
      if (one.delay <= Duration::zero()) {
        ready_.push_back(one.id);
      } else {
        delays_[one.id] = now_ + one.delay;
        delayed_.emplace(now_ + one.delay, one.id);
      }
    }
  }

  void undelay(LookupId id) {
    const auto found = delays_.find(id);
    if (found == delays_.end()) return;
    delayed_.erase({found->second, id});
    delays_.erase(found);
  }

  TimePoint next_event() const {
    TimePoint next = core_.next_tick();
    if (!delayed_.empty()) next = std::min(next, delayed_.begin()->first);
    if (!ends_.empty()) next = std::min(next, ends_.begin()->first);
    return next;
  }

  ResolverCore core_;
  TimePoint now_ = TimePoint{} + std::chrono::hours(1);
  TimePoint last_good_{};
  std::deque<LookupId> ready_;
  std::set<std::pair<TimePoint, LookupId>> delayed_;
  std::unordered_map<LookupId, TimePoint> delays_;
  std::multimap<TimePoint, Ending> ends_;
  std::size_t running_ = 0;
  std::vector<int> callbacks_ = std::vector<int>(kOwners);
  std::vector<Logged> log_;
};

TEST(ResolverSoak, AHundredThousandOwnersAndFewGoodReasonsToWait) {
  Options options;
  options.seed = 1;
  options.cache.digest = std::chrono::hours(1);
  Soak soak(options);
  const TimePoint start = soak.now();
  soak.ask_for_all();
  const Status asked = soak.core().status(start, 0);
  EXPECT_EQ(asked.owners.pending, static_cast<std::size_t>(kOwners));
  EXPECT_EQ(asked.lookups, static_cast<std::size_t>(kImages));
  const ResolveOptions defaults;
  soak.run_until(start + defaults.deadline);
  const TimePoint end = soak.now();

  // Everybody has been called back, once, within the deadline.
  EXPECT_EQ(std::ranges::count(soak.callbacks(), 1), kOwners);
  EXPECT_EQ(soak.core().pending_owners(), 0U);

  // One request for each image of a registry that answers, however many want it.
  constexpr int kGoodImages =
      kImages / kRegistries * (kRegistries - kBlackHoleCount - kThrottlingCount);
  EXPECT_EQ(soak.requests(Kind::kGood, start, end), static_cast<std::size_t>(kGoodImages));

  // What hangs holds 48 of 64 places; the others are enough for the rest, and nobody waits for it.
  constexpr auto kPlacesLeft = static_cast<int>(kInFlightMax) - kBlackHoleCount * 16;
  EXPECT_LE(soak.last_good() - start, 2 * (kGoodImages / kPlacesLeft) * kAnswerTime);

  // A registry that hangs is asked 16 times, 9 times more until ten failures have been seen, and
  // then, until the deadline, by single probes.
  EXPECT_LE(soak.requests(Kind::kBlackHole, start, end), kBlackHoleCount * (16U + 9U + 4U));

  // One that throttles is left alone for as long as it said: a burst each time that it opens.
  const auto bursts = static_cast<std::size_t>(defaults.deadline / kRetryAfter + 1);
  EXPECT_LE(soak.requests(Kind::kThrottling, start, end), kThrottlingCount * 16U * bursts);

  // Nothing is left once they are gone.
  for (int owner = 0; owner < kOwners; ++owner) soak.core().forget(end, std::to_string(owner));
  soak.run_until(end + std::chrono::hours(1));
  EXPECT_TRUE(soak.core().empty());
  EXPECT_TRUE(soak.core().status(soak.now(), 0).registries.empty());
  EXPECT_EQ(soak.open_tries(), 0U);
}

}  // namespace
}  // namespace windlass::resolver
