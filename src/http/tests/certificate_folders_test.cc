#include "windlass/http/certificate_folders.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "windlass/base/testing/temporary_folder.h"

namespace windlass::http {
namespace {

namespace fs = std::filesystem;

class Folders : public testing::Test {
 protected:
  std::string put(const std::string& path) const { return folder_.write(path, "x"); }

  std::string root(const std::string& name = "") const { return root_ / name; }

  const TemporaryFolder folder_;
  const fs::path root_ = folder_.root();
};

TEST_F(Folders, TheHostsOwnFolderIsRead) {
  const std::string ca = put("a/registry.test:5000/ca.crt");
  const std::string more = put("a/registry.test:5000/more.crt");
  const std::string certificate = put("a/registry.test:5000/me.cert");
  const std::string key = put("a/registry.test:5000/me.key");
  put("a/registry.test:5000/README");
  put("a/registry.test/other.crt");
  const CertificateFolders folders({root("none"), root("a")});
  const auto settings = folders.of_host("registry.test:5000");
  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  EXPECT_EQ(settings->ca_files, (std::vector<std::string>{ca, more}));
  EXPECT_EQ(settings->client_certificate_file, certificate);
  EXPECT_EQ(settings->client_key_file, key);
  for (const char* other : {"registry.test:500", "xregistry.test:5000", "eu.registry.test"})
    EXPECT_TRUE(folders.of_host(other)->ca_files.empty()) << other;
}

TEST_F(Folders, TheFirstRootThatKnowsTheHostCounts) {
  const std::string first = put("a/registry.test/ca.crt");
  put("b/registry.test/ca.crt");
  const std::string second = put("b/other.test:443/ca.crt");
  const std::string hub = put("b/docker.io/ca.crt");
  const CertificateFolders folders({root("a"), root("b")});
  EXPECT_EQ(folders.of_host("registry.test")->ca_files, std::vector<std::string>{first});
  EXPECT_EQ(folders.of_host("other.test")->ca_files, std::vector<std::string>{second});
  EXPECT_EQ(folders.of_host("registry-1.docker.io")->ca_files, std::vector<std::string>{hub});
  EXPECT_TRUE(folders.of_host("registry.test:5000")->ca_files.empty());
}

TEST_F(Folders, HalfOfAClientCertificateIsNamed) {
  put("a/one.test/me.cert");
  put("a/two.test/me.key");
  const CertificateFolders folders({root("a")});
  for (const auto& [host, names] :
       {std::pair("one.test", "me.key is missing"), {"two.test", "me.cert is missing"}}) {
    const auto settings = folders.of_host(host);
    ASSERT_FALSE(settings.has_value());
    EXPECT_EQ(settings.error().code, ErrorCode::kInvalid);
    EXPECT_NE(settings.error().message.find(names), std::string::npos) << settings.error().message;
  }
}

TEST_F(Folders, AFolderThatCannotBeReadStopsItsOwnHostOnly) {
  const std::string good = put("a/good.test/ca.crt");
  fs::create_symlink("bad.test", root("a/bad.test"));  // for even root can read what it may not
  const CertificateFolders folders({root("a")});
  EXPECT_EQ(folders.of_host("good.test")->ca_files, std::vector<std::string>{good});
  const auto bad = folders.of_host("bad.test");
  ASSERT_FALSE(bad.has_value());
  EXPECT_NE(bad.error().message.find(root("a/bad.test")), std::string::npos);
}

}  // namespace
}  // namespace windlass::http
