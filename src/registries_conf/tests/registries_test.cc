#include "windlass/registries_conf/registries.h"

#include <gtest/gtest.h>

#include "windlass/registries_conf/load.h"

namespace windlass::registries_conf {
namespace {

Registries read_all(std::string_view text) {
  Loaded loaded;
  read(text, "test.conf", loaded);
  for (const Error& problem : loaded.problems) ADD_FAILURE() << problem.message;
  return loaded.registries;
}

image::ImageReference parse(std::string_view text) { return *image::ImageReference::parse(text); }

// "mirror.test/app:v1 (mirror); registry.test/app:v1 (insecure)", or the error.
std::string endpoints(const Registries& registries, std::string_view image) {
  const auto endpoints = registries.endpoints_of(parse(image));
  if (!endpoints)
    return std::string(to_string(endpoints.error().code)) + ": " + endpoints.error().message;
  std::string out;
  for (const Endpoint& endpoint : *endpoints) {
    if (!out.empty()) out += "; ";
    out += endpoint.reference.normalised();
    if (endpoint.is_mirror) out += " mirror";
    if (endpoint.insecure) out += " insecure";
  }
  return out;
}

TEST(Registries, PrefixesEndAtASeparatorAndPortsMatter) {
  struct Row {
    std::string_view prefix;
    std::string_view name;
    std::size_t taken;
  };
  const Row table[] = {
      {"a.test", "a.test/app:v1", 6},
      {"a.test/app", "a.test/app:v1", 10},
      {"a.test/app:v1", "a.test/app:v1", 13},
      {"a.test/app:v1", "a.test/app:v10", 0},
      {"a.test/ap", "a.test/app:v1", 0},
      {"a.test/app", "a.test/app/b@sha256:00", 10},
      {"a.test", "a.test:5000/app:v1", 0},
      {"a.test:5000", "a.test/app:v1", 0},
      {"a.test:5000", "a.test:5000/app:v1", 11},
      {"a.test:500", "a.test:5000/app:v1", 0},
      {"*.a.test", "b.a.test/app:v1", 8},
      {"*.a.test", "c.b.a.test/app:v1", 10},
      {"*.a.test", "a.test/app:v1", 0},
      {"*.a.test", "ba.test/app:v1", 0},
      {"*.a.test", "x.test/b.a.test:v1", 0},
      {"*.a.test:5000", "b.a.test:5000/app:v1", 13},
      {"*.a.test", "b.a.test:5000/app:v1", 0},
      {"*.a.test/team", "b.a.test/team/app:v1", 13},
      {"*.a.test/team", "b.a.test/teams/app:v1", 0},
  };
  for (const Row& row : table)
    EXPECT_EQ(match(row.prefix, row.name), row.taken) << row.prefix << " for " << row.name;
}

TEST(Registries, WithNothingConfiguredTheImageIsAskedWhereItIs) {
  EXPECT_EQ(endpoints({}, "nginx"), "docker.io/library/nginx:latest");
}

TEST(Registries, MirrorsComeFirstAndLocationsTakeThePrefixesPlace) {
  const Registries registries = read_all(R"(
[[registry]]
prefix = "docker.io"
location = "registry-1.docker.io"
[[registry.mirror]]
location = "mirror.test:5000/hub"
[[registry.mirror]]
location = "plain.test"
insecure = true

[[registry]]
prefix = "registry.test/old"
location = "elsewhere.test/new/team"

[[registry]]
location = "registry.test"
insecure = true

[[registry]]
prefix = "*.corp.test"
location = "all.test/corp"
)");
  EXPECT_EQ(endpoints(registries, "nginx:1"),
            "mirror.test:5000/hub/library/nginx:1 mirror; plain.test/library/nginx:1 mirror "
            "insecure; docker.io/library/nginx:1");
  EXPECT_EQ(endpoints(registries, "registry.test/old/app:v1"), "elsewhere.test/new/team/app:v1");
  EXPECT_EQ(endpoints(registries, "registry.test/older/app:v1"),
            "registry.test/older/app:v1 insecure");
  EXPECT_EQ(endpoints(registries, "eu.corp.test/x/app:v1"), "all.test/corp/x/app:v1");
  EXPECT_EQ(endpoints(registries, "other.test/app:v1"), "other.test/app:v1");
}

TEST(Registries, MirrorsAreAskedOnlyForWhatTheyAreMeantFor) {
  const Registries registries = read_all(R"(
[[registry]]
location = "a.test"
mirror-by-digest-only = true
[[registry.mirror]]
location = "m.test"

[[registry]]
location = "b.test"
[[registry.mirror]]
location = "digests.test"
pull-from-mirror = "digest-only"
[[registry.mirror]]
location = "tags.test"
pull-from-mirror = "tag-only"
)");
  const std::string digest = "sha256:" + std::string(64, 'a');
  EXPECT_EQ(endpoints(registries, "a.test/app:v1"), "a.test/app:v1");
  EXPECT_EQ(endpoints(registries, "a.test/app@" + digest),
            "m.test/app@" + digest + " mirror; a.test/app@" + digest);
  EXPECT_EQ(endpoints(registries, "b.test/app:v1"), "tags.test/app:v1 mirror; b.test/app:v1");
  EXPECT_EQ(endpoints(registries, "b.test/app:v1@" + digest),
            "digests.test/app@" + digest + " mirror; b.test/app:v1@" + digest);
}

TEST(Registries, BlockedAndFaultyEntriesRefuseTheirOwnImagesOnly) {
  Loaded loaded;
  read(R"([[registry]]
location = "bad.test"
blocked = true
[[registry]]
location = "bad.test/good"
[[registry]]
location = "faulty.test"
blocked = "yes"
[[registry]]
location = "single"
[[registry.mirror]]
location = "nodot/path"
[[registry.mirror]]
location = "mirror.test"
)",
       "r.conf", loaded);
  ASSERT_EQ(loaded.problems.size(), 2U);
  EXPECT_TRUE(loaded.problems[1].message.starts_with("r.conf:12:12: location: "));
  EXPECT_TRUE(loaded.problems[1].message.ends_with("; the mirror is left out"));
  EXPECT_EQ(endpoints(loaded.registries, "bad.test/app:v1"),
            "forbidden: bad.test is blocked by r.conf:1; name an image elsewhere, or change that "
            "file");
  EXPECT_EQ(endpoints(loaded.registries, "bad.test/good/app:v1"), "bad.test/good/app:v1");
  EXPECT_EQ(endpoints(loaded.registries, "faulty.test/app:v1"),
            "invalid: r.conf:8:11: blocked: expected true or false");
  EXPECT_EQ(endpoints(loaded.registries, "fine.test/app:v1"), "fine.test/app:v1");
}

TEST(Registries, AHostThatWouldBeTakenForAPathIsRefused) {
  const Registries registries = read_all(R"(
[[registry]]
prefix = "a.test"
location = "nodot/path"
)");
  const std::string refused = endpoints(registries, "a.test/app:v1");
  EXPECT_TRUE(refused.starts_with("invalid: test.conf:4:12: location: ")) << refused;
}

TEST(Registries, ShortNamesAreExpandedOnlyWhereNothingIsGuessed) {
  Registries registries;
  const auto expand = [&](std::string_view text) {
    const auto reference = registries.expand(parse(text));
    return reference ? reference->normalised() : reference.error().message;
  };
  EXPECT_EQ(expand("app:v1"), "docker.io/library/app:v1");
  registries.set_searched({"one.test"});
  EXPECT_EQ(expand("app:v1"), "one.test/app:v1");
  EXPECT_EQ(expand("team/app"), "one.test/team/app:latest");
  EXPECT_EQ(expand("docker.io/app:v1"), "docker.io/library/app:v1");
  EXPECT_EQ(expand("Docker.IO/app:v1"), "docker.io/library/app:v1");
  EXPECT_EQ(expand("other.test/app:v1"), "other.test/app:v1");
  registries.set_alias("app", "alias.test/x/app");
  EXPECT_EQ(expand("app:v1"), "alias.test/x/app:v1");
  registries.set_alias("app", "");
  registries.set_searched({"one.test", "two.test"});
  EXPECT_EQ(expand("app:v1"),
            "\"app\" is a short name that may mean any of one.test/app, two.test/app; write the "
            "one that is meant, or give it an alias");
}

}  // namespace
}  // namespace windlass::registries_conf
