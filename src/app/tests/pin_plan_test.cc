#include "pin_plan.h"

#include <gtest/gtest.h>

namespace windlass::app {
namespace {

TEST(PinPlan, ComesBackAsItWasWritten) {
  PinPlan plan;
  plan.files.push_back({.path = "a.yaml", .contents = image::Digest::sha256_of("x")});
  plan.files[0].edits = {{.line = 7,
                          .column = 12,
                          .offset = 80,
                          .image = "nginx:1",
                          .becomes = "nginx@sha256:...",
                          .digest = image::Digest::sha256_of("y"),
                          .style = PinCommand::Style::kComment},
                         {.line = 9, .column = 1, .offset = 99, .image = "a:1", .becomes = "a"}};
  const auto back = PinPlan::parse("plan.json", plan.to_text());
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(back->to_text(), plan.to_text());
  EXPECT_EQ(back->files[0].edits[0].style, PinCommand::Style::kComment);
  EXPECT_FALSE(back->files[0].edits[1].digest.has_value());
}

TEST(PinPlan, WhatIsNoPlanIsRefusedWithAReason) {
  const std::pair<const char*, const char*> table[] = {
      {"{", "plan.json:1:2: not JSON: it ends too early; make a new one with --plan"},
      {"{}", "plan.json: not a plan that can be used: it has no \"version\"; make a new one"},
      {R"({"version": 2, "files": []})",
       "version 2, and this windlass knows version 1; use a newer"},
      {R"({"version": 0, "files": []})", "is 0, and must be the number 1; make a new one"},
      {R"({"version": "1.0", "files": []})",
       "is \"1.0\", and must be the number 1; make a new one"},
      {R"({"version": 1})", "no \"files\""},
      {R"({"version": 1, "files": 3})", "\"files\" is not a list"},
      {R"({"version": 1, "files": [3]})", ": files[0]: no \"file\""},
      {R"({"version": 1, "files": [{"file": "a", "contents": "sha256:1", "edits": []}]})",
       ": files[0]: \"contents\": "},
      {R"({"version": 1, "files": [{"file": "a", "contents": "sha256:CONTENTS", "edits": [
            {"line": 1, "column": 1, "offset": 1, "image": "a", "becomes": "a", "digest": null,
             "style": "tag"},
            {"line": 1, "column": 1, "offset": -1, "image": "a", "becomes": "a", "digest": null,
             "style": "tag"}]}]})",
       ": files[0]: edits[1]: \"offset\" is not a number"},
  };
  for (const auto& [text, part] : table) {
    std::string bytes = text;
    if (const std::size_t at = bytes.find("CONTENTS"); at != std::string::npos) {
      bytes.replace(at, 8, image::Digest::sha256_of("x").hex());
    }
    const auto plan = PinPlan::parse("plan.json", bytes);
    ASSERT_FALSE(plan.has_value()) << text;
    EXPECT_TRUE(plan.error().message.starts_with("plan.json:"));
    EXPECT_TRUE(plan.error().message.contains(part)) << plan.error().message;
  }
}

}  // namespace
}  // namespace windlass::app
