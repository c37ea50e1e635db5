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
      {"", "l.json: not a lock: not JSON"},
      {"[]", "l.json: not a lock: it has no \"version\""},
      {R"({"version": 2, "images": {}})",
       "l.json: a lock of version 2, and this windlass knows "
       "version 1; use a newer windlass"},
      {R"({"version": 1})", "l.json: not a lock: it has no \"images\""},
      {R"({"version": 1, "images": {"A": "sha256:1"}})", "l.json: "},
      {R"({"version": 1, "images": {"a:1": "sha256:1"}})", "l.json: a:1: "},
      {R"({"version": 1, "images": {"a:1": 5}})", "l.json: a:1: "},
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
