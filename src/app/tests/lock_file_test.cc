#include "lock_file.h"

#include <gtest/gtest.h>

#include "windlass/base/format.h"

namespace windlass::app {
namespace {

image::ImageReference reference(const char* text) {
  return image::ImageReference::parse(text).value();
}

TEST(LockFile, RemembersByMeaningAndIsWrittenSorted) {
  LockFile lock;
  const auto digest = image::Digest::sha256_of("x");
  lock.set(reference("registry.test/b:2"), "linux/arm64", digest);
  lock.set(reference("nginx:1"), "", digest);
  EXPECT_EQ(lock.find(reference("docker.io/library/nginx:1"), ""), digest);
  EXPECT_EQ(lock.find(reference("nginx:2"), ""), std::nullopt);
  EXPECT_EQ(lock.find(reference("registry.test/b:2"), ""), std::nullopt) << "another platform's";
  const std::string text = lock.to_text();
  EXPECT_EQ(text, format("{{\n  \"version\": 1,\n  \"images\": {{\n"
                         "    \"docker.io/library/nginx:1\": \"{0}\",\n"
                         "    \"registry.test/b:2 linux/arm64\": \"{0}\"\n  }}\n}}\n",
                         digest.to_string()));
  EXPECT_EQ(LockFile::parse("l", text).value(), lock);
}

TEST(LockFile, WhatIsNoLockIsRefusedWithAReason) {
  const std::pair<const char*, const char*> table[] = {
      {"", "l.json:1:1: not JSON: it is empty; take the lock from version control, or remove it"},
      {"{\n \"version\": 1,\n oops", "l.json:3:2: not JSON: "},
      {R"({"version": 1)", "l.json:1:14: not JSON: it ends too early; "},
      {"{}\n{}", "l.json:2:1: not JSON: "},
      {"[]", "l.json: not a lock that can be used: it has no \"version\"; take the lock"},
      {R"({"version": 2, "images": {}})",
       "l.json: not a lock that can be used: it is of version 2, and this windlass knows "
       "version 1; use a newer windlass"},
      {R"({"version": 99999999999999999999, "images": {}})", "l.json: not a lock that can be used"},
      {R"({"version": 0, "images": {}})",
       "l.json: not a lock that can be used: its \"version\" is 0, and must be the number 1; take"},
      {R"({"version": "1.0", "images": {}})",
       "l.json: not a lock that can be used: its \"version\" is \"1.0\", and must be the number 1; "
       "take"},
      {R"({"version": 1})", "l.json: not a lock that can be used: it has no \"images\"; take"},
      {R"({"version": 1, "images": []})", "l.json: not a lock that can be used: its \"images\" "},
      {R"({"version": 1, "images": {"A": "sha256:1"}})",
       "l.json: not a lock that can be used: images: \"A\": "},
      {R"({"version": 1, "images": {"a:1": "sha256:1"}})",
       "l.json: not a lock that can be used: images: \"a:1\": "},
      {R"({"version": 1, "images": {"a:1": 5}})",
       "l.json: not a lock that can be used: images: \"a:1\": "},
  };
  for (const auto& [text, part] : table) {
    const auto lock = LockFile::parse("l.json", text);
    ASSERT_FALSE(lock.has_value()) << text;
    EXPECT_EQ(lock.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(lock.error().message.starts_with(part)) << lock.error().message;
  }
}

}  // namespace
}  // namespace windlass::app
