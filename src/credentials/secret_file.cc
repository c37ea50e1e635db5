#include "windlass/credentials/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::credentials {
namespace {

constexpr std::size_t kBytesMax = std::size_t{4} << 20U;

struct Descriptor {
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  int number;
};

}  // namespace

Result<Secret> read_secret_file(const std::filesystem::path& file) {
  const auto refuse = [&](ErrorCode code, std::string_view why) {
    return fail(code, format("{}: cannot read it: {}", printable(file.string(), 4096), why));
  };
  const auto refuse_errno = [&] {
    const int error = errno;
    const bool missing = error == ENOENT || error == ENOTDIR;
    return refuse(missing ? ErrorCode::kNotFound : ErrorCode::kInvalid,
                  std::error_code(error, std::generic_category()).message());
  };
  // Without waiting for a writer, should it be a pipe.
  const Descriptor opened{open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (opened.number < 0) return refuse_errno();
  struct stat status = {};
  if (fstat(opened.number, &status) != 0) return refuse_errno();
  if (!S_ISREG(status.st_mode)) return refuse(ErrorCode::kInvalid, "it is not a regular file");
  std::string text;
  const auto size = static_cast<std::size_t>(status.st_size);
  // Reserved at once: growing would leave copies of secrets behind.
  text.reserve(std::min(size, kBytesMax) + 1);
  std::array<char, 16384> buffer{};
  ssize_t got = 0;
  while ((got = read(opened.number, buffer.data(), buffer.size())) > 0 && text.size() <= kBytesMax)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  const int error = errno;
  explicit_bzero(buffer.data(), buffer.size());
  Secret secret(text);
  erase(text);
  errno = error;
  if (got < 0) return refuse_errno();
  if (secret.reveal().size() > kBytesMax)
    return refuse(ErrorCode::kInvalid, format("it has more than {} bytes", kBytesMax));
  return secret;
}

}  // namespace windlass::credentials
