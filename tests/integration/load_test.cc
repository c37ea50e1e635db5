// Many lookups at once: how many connections, tokens and requests they cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <map>
#include <set>

#include "registries.h"
#include "stack.h"

namespace windlass::integration {
namespace {

using test_support::FakeRegistry;
using test_support::Logged;

// All of them at once; how many found a digest.
int resolve_all(Stack& stack, const std::vector<std::string>& images) {
  std::atomic<int> found = 0;
  std::latch all(std::ssize(images));
  for (const std::string& image : images) {
    stack.resolver().resolve(*image::ImageReference::parse(image), {}, {}, [&](auto result) {
      if (result) ++found;
      all.count_down();
    });
  }
  all.wait();
  return found;
}

TEST(Load, ManyImagesCostOneTokenEachAndFewConnections) {
  const FakeRegistry registry;
  Stack stack({.docker_config = login_file(registry.host(), "alice:s3cret")});
  std::vector<std::string> images;
  for (int repository = 0; repository < 50; ++repository) {
    for (const char* tag : {"v1", "v2"})
      images.push_back(registry.host() + "/b/auth-bearer/" + std::to_string(repository) + ":" +
                       tag);
  }
  EXPECT_EQ(resolve_all(stack, images), 100);
  std::set<int> connections;
  std::map<std::string, int> tokens;
  for (const Logged& request : registry.log()) {
    connections.insert(request.connection);
    if (request.is_token_request()) ++tokens[request.query];
  }
  EXPECT_LE(connections.size(), 16U);
  EXPECT_EQ(tokens.size(), 50U);
  for (const auto& [scope, count] : tokens) EXPECT_EQ(count, 1) << scope;
}

TEST(Load, ALookupOfAKnownRegistryIsOneHead) {
  const FakeRegistry registry;
  Stack stack({.docker_config = login_file(registry.host(), "alice:s3cret")});
  const std::string image = registry.image("auth-bearer");
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(stack.resolve(image).has_value());
  int heads = 0;
  int tokens = 0;
  for (const Logged& request : registry.log()) {
    if (request.is_token_request())
      ++tokens;
    else if (request.method == "HEAD")
      ++heads;
    else
      ADD_FAILURE() << request.method << " " << request.path;
  }
  EXPECT_EQ(tokens, 1);
  EXPECT_EQ(heads, 21);  // the first is asked for a login
}

TEST(Load, AFirstAnswerThatDoesNotComeHoldsUpNoOther) {
  const FakeRegistry registry;
  Stack stack;
  std::stop_source stop;
  std::latch ended(1);
  stack.resolver().resolve(*image::ImageReference::parse(registry.image("hang")), {},
                           stop.get_token(), [&](const auto&) { ended.count_down(); });
  while (registry.log().empty()) continue;  // the registry has it
  EXPECT_EQ(shown(stack.resolve(registry.image("plain")), registry.digest("plain")), "D");
  EXPECT_EQ(std::ranges::count(registry.log(), "/v2/b/hang/app/manifests/v1", &Logged::path), 1)
      << "waited for its end";
  stop.request_stop();
  ended.wait();
}

}  // namespace
}  // namespace windlass::integration
