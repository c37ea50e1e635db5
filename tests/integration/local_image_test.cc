// Images in files: what we say their digests are, skopeo says too.
#include "windlass/oci/local_image.h"

#include <gtest/gtest.h>

#include "registries.h"
#include "windlass/base/text.h"

namespace windlass::integration {
namespace {

using test_support::local_files;
using test_support::LocalFiles;
using test_support::output_of;

std::string ours(const std::string& source) {
  const auto parsed = oci::LocalSource::parse(source);
  if (!parsed) return parsed.error().message;
  const auto image = oci::find_local_image(*parsed);
  return image ? image->digest.to_string() : image.error().message;
}

TEST(LocalImage, LayoutsGiveTheDigestsOfTheirImages) {
  const LocalFiles& files = local_files();
  ASSERT_FALSE(files.layout.empty());
  for (const auto& [name, digest] : files.layout) {
    EXPECT_EQ(ours("oci:" + files.folder + "layout:" + name), digest);
    EXPECT_EQ(ours("oci-archive:" + files.folder + "oci.tar.gz:" + name), digest);
  }
}

TEST(LocalImage, SkopeoAgreesOnArchivesOfDockers) {
  const std::string skopeo = WINDLASS_SKOPEO_PROGRAM;
  if (skopeo.empty()) GTEST_SKIP() << "skopeo is not there";
  const LocalFiles& files = local_files();
  ASSERT_FALSE(files.docker.empty());
  for (const std::string& name : files.docker) {
    const std::string source = "docker-archive:" + files.folder + "docker.tar:" + name;
    EXPECT_EQ(ours(source),
              trim(output_of({skopeo, "inspect", "--format", "{{.Digest}}", source})));
  }
}

}  // namespace
}  // namespace windlass::integration
