#include <gtest/gtest.h>

#include "windlass/base/text.h"
#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

// What a Dockerfile is found to name: the text to pin, or "- reason" for what is left alone.
std::vector<std::string> found_in(const std::string& text) {
  const auto manifest = Manifest::parse("Dockerfile", text);
  EXPECT_TRUE(manifest.has_value()) << manifest.error().message;
  std::vector<std::string> out;
  for (const Finding& finding : manifest->findings()) {
    out.push_back(finding.state == FindingState::kUnpinned ? finding.reference->written()
                                                           : "- " + finding.reason);
  }
  return out;
}

struct Row {
  std::string text;
  std::vector<std::string> found;
};

void expect_found(std::initializer_list<Row> table) {
  for (const Row& row : table) EXPECT_EQ(found_in(row.text), row.found) << row.text;
}

TEST(Dockerfile, DirectivesCountOnTheFirstLinesOnly) {
  expect_found({
      {"# escape=`\nFROM a:1 `\nAS x\nFROM b:1\n", {"a:1", "b:1"}},
      {"#\tESCAPE = ` \r\nFROM a:1 `\r\n  AS x\r\n", {"a:1"}},
      {"# syntax=s:1\n# escape=`\nFROM a:1\nRUN x `\nFROM not-me:1\n", {"s:1", "a:1"}},
      // Behind a blank line, another comment or an instruction it is a comment like any other.
      {"\n# escape=`\nFROM a:1\nRUN x `\nFROM b:1\n", {"a:1", "b:1"}},
      {"# hello\n# escape=`\nFROM a:1\nRUN x `\nFROM b:1\n", {"a:1", "b:1"}},
      {"# other=1\n# syntax=s:1\nFROM a:1\n", {"a:1"}},
      {"FROM a:1\n# syntax=s:1\n", {"a:1"}},
      // Behind a shebang only the syntax counts.
      {"#!/usr/bin/env docker\n# syntax=s:1\nFROM a:1\n", {"s:1", "a:1"}},
      {"#!/x\n# escape=`\nFROM a:1\nRUN x `\nFROM b:1\n", {"a:1", "b:1"}},
      {"# x\n#!/x\n# syntax=s:1\nFROM a:1\n", {"a:1"}},
  });
}

TEST(Dockerfile, ContinuationLinesJoinAcrossCommentsAndBlankLines) {
  expect_found({
      {"FROM \\\n  # which\n\n  a:1 \\\n  AS x\n", {"a:1"}},
      {"RUN a && \\\n  # FROM no:1\n  FROM no:2\nFROM a:1\n", {"a:1"}},
      {"RUN a \\  \n  FROM no:1\nFROM a:1\n", {"a:1"}},
      {"RUN a \\\\\nFROM a:1\n", {"a:1"}},
      {"FROM a:1 \\", {"a:1"}},
      {"FROM \\", {"- expected an image behind FROM, found nothing"}},
      {"FROM a\\\nb:1", {"- its text is spread over lines in a way that cannot be kept"}},
  });
}

TEST(Dockerfile, QuotesAndHeredocsHideWhatTheyHold) {
  expect_found({
      {"RUN <<EOF\nFROM no:1\nEOF\nFROM a:1\n", {"a:1"}},
      {"RUN <<-'EOF' cat\n\tFROM no:1\n\tEOF\nFROM a:1\n", {"a:1"}},
      {"COPY <<A <<B /x\nFROM no:1\nA\nFROM no:2\nB\nFROM a:1\n", {"a:1"}},
      {"RUN echo \"x <<EOF\"\nFROM a:1\nEOF\n", {"a:1"}},
      {"RUN echo <<<EOF\nFROM a:1\nEOF\n", {"a:1"}},
      {"RUN echo $((1 <<2))\nFROM a:1\n", {"a:1"}},
      {"ENV X=<<EOF\nFROM a:1\nEOF\n", {"a:1"}},
      {"RUN <<EOF\nFROM a:1\n", {"a:1"}},
      {"ONBUILD RUN <<EOF\nFROM no:1\nEOF\nFROM a:1\n", {"a:1"}},
      {"onbuild COPY <<EOF /x\nFROM no:1\nEOF\nFROM a:1\n", {"a:1"}},
      {"ONBUILD ENV X=<<EOF\nFROM a:1\nEOF\n", {"a:1"}},
  });
}

TEST(Dockerfile, AStageIsKnownToFlagsEverywhereAndToFromBelowIt) {
  const std::string stage = "- a stage of this file";
  expect_found({
      {"FROM a:1\nCOPY --from=N /x /x\nRUN --mount=from=n true\nFROM b:1 AS n\n",
       {"a:1", stage, stage, "b:1"}},
      {"FROM n\nFROM b:1 AS n\nFROM n\n", {"n", "b:1", stage}},
  });
}

TEST(Dockerfile, FlagsAreNoImages) {
  expect_found({
      {"FROM --platform=$BUILDPLATFORM a:1 AS x", {"a:1"}},
      {"from  --platform=linux/arm64   a:1   as y", {"a:1"}},
      {"COPY --link --from=a:1 --chmod=7 /x /y\nCOPY x --from=no:1\n", {"a:1"}},
      {"RUN --mount=from=a:1,target=/x --mount=type=cache,target=/from=no true", {"a:1"}},
      {"RUN --mount=type=bind,from=$X true", {"- the build argument X has no default"}},
      {"RUN --mount=\"type=bind,from=a:1\" true", {"a:1"}},
      {"RUN --mount=\"from=a:1,type=bind\" true", {"a:1"}},
      {"RUN --mount=type=bind,\"from=a:1\" true", {"a:1"}},
      {"RUN --mount=type=bind,'from=a:1',target=/x true", {"a:1"}},
      {"RUN --mount=type=bind,from=\"a:1\" true", {"a:1"}},
      {"RUN --mount=type=bind,FROM=a:1 true", {"a:1"}},
      {"RUN --mount=\"\",from=\"\" true", {}},
  });
}

TEST(Dockerfile, IsToldByItsInstructionsWhereTheNameMayBeOfSomethingElse) {
  const auto is_read = [](const char* name, const char* text) {
    const auto manifest = Manifest::parse(name, text);
    EXPECT_TRUE(manifest.has_value()) << manifest.error().message;
    return manifest->left_alone().empty() && !manifest->findings().empty();
  };
  struct {
    const char* text;
    bool is_dockerfile;
  } const table[] = {
      {"FROM a:1\n", true},
      {"\n# comment\nARG V=1\nfrom --platform=linux/arm64 a:$V as x\nRUN x\nFROM a:1\n", true},
      {"from redis import Redis\n", false},
      {"FROM a:1\nFROM b:1 is the base.\n", false},
      {"FROM a:1 b c\n", false},
      {"# Title\nFROM a:1\n", true},
      {"Text\nFROM a:1\n", false},
      {"ARG A=a:1\n", false},
  };
  for (const auto& row : table) {
    for (const char* name :
         {"dockerfile.py", "Dockerfile.dev", "Containerfile.md", "-", "build.docker"})
      EXPECT_EQ(is_read(name, row.text), row.is_dockerfile) << name << ": " << row.text;
  }
  EXPECT_FALSE(is_read("a.yaml", "FROM a:1\n"));
  EXPECT_TRUE(is_read("Dockerfile", "INCLUDE x\nFROM a:1\n"));
  EXPECT_TRUE(is_read("web.Dockerfile", "INCLUDE x\nFROM a:1\n"));
}

TEST(Dockerfile, StagesCountFromTheLineBehindThem) {
  expect_found({
      {"FROM later\nFROM a:1 AS Later\nFROM LATER\n", {"later", "a:1", "- a stage of this file"}},
  });
}

TEST(Dockerfile, OnlyArgumentsInFrontOfTheFirstFromGiveDefaults) {
  const std::string variables = "- built from variables: with a digest they would have no effect";
  expect_found({
      {"ARG A=a:1\nFROM $A\nARG A=no:1\nFROM ${A}\n", {"a:1"}},
      {"ARG A=a:1\nARG A=b:1\nFROM $A\n", {"b:1"}},
      {"ARG A='a:1'\nFROM ${A:-no:1}\n", {"a:1"}},
      {"ARG A\nFROM ${A:-b:1}\n", {"b:1"}},
      {"ARG A=\nFROM $A\n", {"- the build argument A has no default"}},
      {"ARG TAG=v1\nARG REG=reg.test\nFROM ${REG}/app:$TAG AS a\n", {variables}},
      {"ARG A=unused:1\nFROM b:1\n", {"b:1"}},
      {"ARG A=a:1\nFROM $A\nFROM x-$A\n",
       {"- the build argument A is also a part of another name", variables}},
  });
}

TEST(Dockerfile, PinsTheDefaultOfAnArgumentInPlace) {
  const auto manifest = Manifest::parse("x.Dockerfile", "ARG A=\"a:1\" B=2\nFROM ${A} AS x\n");
  ASSERT_TRUE(manifest.has_value());
  const image::Digest digest = image::Digest::sha256_of("a");
  EXPECT_EQ(manifest->edited({{{.finding = 0, .digest = digest}}}),
            "ARG A=\"a:1@" + digest.to_string() + "\" B=2\nFROM ${A} AS x\n");
}

}  // namespace
}  // namespace windlass::manifest
