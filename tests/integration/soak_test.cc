// Goal: 100,000 owners of 5,000 images at 20 registries, of which three never answer and two answer
// 429, over real connections. Method: one fake registry behind the names of all; bounds on requests
// and connections are read from its log, none from a stopwatch.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <map>
#include <set>

#include "registries.h"
#include "stack.h"
#include "windlass/base/format.h"
#include "windlass/resolver/background_resolver.h"

namespace windlass::integration {
namespace {

using resolver::BackgroundResolver;
using test_support::FakeRegistry;
using test_support::Logged;

constexpr int kOwners = 100'000;
constexpr int kImages = 5'000;
constexpr int kRegistries = 20;
constexpr int kBlackHoles = 3;  // the first ones
constexpr int kThrottling = 2;  // the next ones
constexpr int kInFlightMaxOfAll = 64;
constexpr int kInFlightMax = 8;  // of one registry
constexpr int kBreakerFailures = 5;

std::string host_of(int registry) { return format("r{}.test", registry); }

bool is_good(int image) { return image % kRegistries >= kBlackHoles + kThrottling; }

std::string behaviour_of(int image) {
  const int registry = image % kRegistries;
  if (registry < kBlackHoles) return "hang";
  return is_good(image) ? "plain" : "429-hub";
}

std::string image_name(int image) {
  return format("{}/b/{}/app-{}:v1", host_of(image % kRegistries), behaviour_of(image), image);
}

// Both images of an owner are at one registry.
std::vector<int> images_of(int owner) {
  return {owner % kImages, (owner + 7 * kRegistries) % kImages};
}

std::vector<std::string> names_of(int owner) {
  std::vector<std::string> names;
  for (const int image : images_of(owner)) names.push_back(image_name(image));
  return names;
}

Wiring through(const FakeRegistry& registry) {
  Wiring wiring;
  wiring.http.proxies = {.for_http = registry.proxy(), .for_https = "", .except = ""};
  // The proxy is one host, and nobody who hangs may hold up others.
  wiring.http.connections_per_host_max = kInFlightMaxOfAll;
  wiring.registry.attempts_max = 1;  // tries are the background resolver's
  for (int i = 0; i < kRegistries; ++i) wiring.registry.plain_http.push_back(host_of(i));
  return wiring;
}

resolver::Options limits() {
  resolver::Options options;
  options.in_flight_max = kInFlightMaxOfAll;
  options.registry.in_flight_max = kInFlightMax;
  options.registry.breaker_failures = kBreakerFailures;
  // Longer than the owners wait: what is left alone is not asked again.
  options.registry.breaker_pause = std::chrono::hours(1);
  options.registry.breaker_pause_max = std::chrono::hours(1);
  options.registry.throttle_pause = std::chrono::hours(1);
  options.cache.entries_max = kImages;
  options.cache.digest = std::chrono::hours(1);
  return options;
}

struct Seen {
  std::map<std::string, int> requests;                      // by host
  std::map<std::string, std::map<std::string, int>> heads;  // by host, by path
  std::set<int> connections;
};

Seen seen_by(const FakeRegistry& registry) {
  Seen seen;
  for (const Logged& request : registry.log()) {
    const std::string host = request.header("host");
    ++seen.requests[host];
    if (request.method == "HEAD") ++seen.heads[host][request.path];
    seen.connections.insert(request.connection);
  }
  return seen;
}

TEST(Soak, AHundredThousandOwnersCostEachImageOneRequestAndBadRegistriesAFew) {
  const FakeRegistry registry;
  Stack stack(through(registry));
  std::vector<std::atomic<int>> callbacks(kOwners);
  std::latch all(kOwners);
  BackgroundResolver resolver(system_clock(), stack.resolver(), limits(),
                              [&](const std::string& owner) {
                                if (++callbacks[static_cast<std::size_t>(std::stoi(owner))] == 1)
                                  all.count_down();
                              });
  resolver::ResolveOptions wanted;
  wanted.deadline = std::chrono::minutes(20);       // which nobody needs
  wanted.lookup_timeout = std::chrono::seconds(8);  // only black holes take it
  for (int owner = 0; owner < kOwners; ++owner)
    resolver.resolve(std::to_string(owner), names_of(owner), wanted);
  all.wait();

  for (int owner = 0; owner < kOwners; ++owner) {
    const std::string name = std::to_string(owner);
    ASSERT_EQ(callbacks[static_cast<std::size_t>(owner)], 1) << name;
    const auto answer = resolver.resolve(name, names_of(owner), wanted);
    ASSERT_TRUE(answer.has_value()) << name;
    const std::vector<int> images = images_of(owner);
    ASSERT_EQ(answer->error().has_value(), !is_good(images[0]))
        << name << ": " << (answer->error() ? answer->error()->message : "");
    resolver.forget(name);
  }

  const Seen seen = seen_by(registry);
  for (int i = 0; i < kRegistries; ++i) {
    const std::string host = host_of(i);
    if (is_good(i)) {
      EXPECT_EQ(seen.heads.at(host).size(), static_cast<std::size_t>(kImages / kRegistries));
      for (const auto& [path, count] : seen.heads.at(host)) EXPECT_EQ(count, 1) << path;
    } else {
      EXPECT_LE(seen.requests.at(host), kInFlightMax) << host;
    }
  }
  // One that waited in vain is closed.
  EXPECT_LE(seen.connections.size(),
            static_cast<std::size_t>(kInFlightMaxOfAll + kBlackHoles * kInFlightMax));
  const resolver::Status left = resolver.status();
  EXPECT_EQ(left.owners.pending + left.owners.resolved + left.owners.failed, 0U);
  EXPECT_EQ(left.images.pending + left.images.resolved + left.images.failed, 0U);
  EXPECT_EQ(left.lookups, 0U);
}

}  // namespace
}  // namespace windlass::integration
