#include "windlass/base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <thread>

namespace windlass {
namespace {

// A pipe takes less at once than this.
TEST(WriteAll, GoesOnUntilEverythingIsWritten) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const std::string bytes(std::size_t{1} << 20U, 'x');
  bool written = false;
  std::jthread writer([&] {
    written = write_all(ends[1], bytes);
    ::close(ends[1]);
  });
  std::string read;
  std::array<char, 65536> part{};
  for (ssize_t count = 1; count > 0;) {
    count = ::read(ends[0], part.data(), part.size());
    if (count > 0) read.append(part.data(), static_cast<std::size_t>(count));
  }
  writer.join();
  ::close(ends[0]);
  EXPECT_TRUE(written);
  EXPECT_EQ(read, bytes);
}

TEST(WriteAll, LeavesTheReasonInErrno) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  EXPECT_TRUE(write_all(full, ""));
  EXPECT_FALSE(write_all(full, "x"));
  EXPECT_EQ(errno, ENOSPC);
  ::close(full);
}

}  // namespace
}  // namespace windlass
