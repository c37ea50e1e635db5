#include "windlass/credentials/secret_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "windlass/base/testing/temporary_folder.h"

namespace windlass::credentials {
namespace {

TEST(SecretFile, IsReadWholeOrRefusedWithItsName) {
  const TemporaryFolder temporary;
  const std::string& folder = temporary.root();
  const std::string file = folder + "/token";
  EXPECT_EQ(read_secret_file(file).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read_secret_file(file + "/x").error().code, ErrorCode::kNotFound);

  std::ofstream(file) << "s3cret\n";
  EXPECT_EQ(read_secret_file(file)->reveal(), "s3cret\n");
  EXPECT_EQ(read_secret_file(file + "/x").error().code, ErrorCode::kNotFound);

  const Result<Secret> a_folder = read_secret_file(folder);
  EXPECT_EQ(a_folder.error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(a_folder.error().message.starts_with(folder + ": cannot read it: "));

  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_secret_file(folder + "/pipe").error().code, ErrorCode::kInvalid);

  std::ofstream(folder + "/long") << std::string((4U << 20U) + 1, 'x');
  EXPECT_EQ(read_secret_file(folder + "/long").error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace windlass::credentials
