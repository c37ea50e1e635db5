#include "windlass/resolver/skip_list.h"

#include <gtest/gtest.h>

namespace windlass::resolver {
namespace {

bool skips(std::string_view patterns, std::string_view image) {
  const Result<SkipList> list = SkipList::parse_list(patterns);
  const Result<image::ImageReference> reference = image::ImageReference::parse(image);
  EXPECT_TRUE(list.has_value()) << patterns;
  EXPECT_TRUE(reference.has_value()) << image;
  return list && reference && list->matches(*reference);
}

struct Row {
  const char* rule;
  const char* patterns;
  const char* image;
  bool skipped;
};

TEST(SkipList, FollowsItsTable) {
  const Row rows[] = {
      {"a host is skipped", "kind.local", "kind.local/app:v1", true},
      {"a longer host is another host", "kind.local", "xkind.local/app:v1", false},
      {"a host below it is another host", "kind.local", "a.kind.local/app:v1", false},
      {"a port belongs to the host", "registry.test:5000", "registry.test:5000/app:v1", true},
      {"without its port it is another", "registry.test:5000", "registry.test/app:v1", false},
      {"with a port it is another", "registry.test", "registry.test:5000/app:v1", false},
      {"hosts have no case", "Registry.Test", "registry.test/app", true},
      {"a suffix means every host below", "*.local", "a.b.local/app", true},
      {"a suffix is not itself below", "*.b.local", "b.local/app", false},
      {"a suffix starts at a label", "*.b.local", "ab.local/app", false},
      {"a path is a prefix", "registry.test/team", "registry.test/team/app", true},
      {"a path may be the repository", "registry.test/team/app", "registry.test/team/app:1", true},
      {"a path ends at a slash", "registry.test/team", "registry.test/teams/app", false},
      {"a slash at the end changes nothing", "registry.test/team/", "registry.test/team/app", true},
      {"a suffix may have a path", "*.test/team", "registry.test/team/app", true},
      {"docker.io is Docker Hub", "docker.io", "nginx", true},
      {"so is index.docker.io", "index.docker.io", "docker.io/library/nginx", true},
      {"so is registry-1.docker.io", "registry-1.docker.io/library", "nginx", true},
      {"blanks and empty entries are nothing", " a.test , ,b.test,", "b.test/app", true},
      {"an empty list skips nothing", "", "kind.local/app", false},
      {"IPv6 hosts keep their brackets", "[::1]:5000", "[::1]:5000/app", true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(skips(row.patterns, row.image), row.skipped) << row.rule;
  }
}

TEST(SkipList, DefaultsAreTheRegistriesOfLocalDevelopment) {
  for (const char* image : {"kind.local/app", "ko.local/app:v1", "dev.local/a/b"}) {
    EXPECT_TRUE(SkipList::of_local_development().matches(*image::ImageReference::parse(image)));
  }
  EXPECT_FALSE(SkipList::of_local_development().matches(*image::ImageReference::parse("nginx")));
}

TEST(SkipList, RefusesWhatIsNoPatternAndQuotesIt) {
  for (const char* pattern :
       {"https://registry.test", "/team", "*.", "re gistry.test", "a*.test"}) {
    const Result<SkipList> list = SkipList::parse_list(pattern);
    ASSERT_FALSE(list.has_value()) << pattern;
    EXPECT_EQ(list.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(list.error().message.contains(pattern)) << list.error().message;
  }
}

}  // namespace
}  // namespace windlass::resolver
