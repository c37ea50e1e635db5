// Archives of docker's and podman's, and packed image layouts. An input that begins with 'f' lists
// files, "NAME US BYTES RS" each (bytes that begin with "->" are a link), of which a tar file with
// right checksums is made; any other is the file itself. It gives a digest or an error of one line.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "windlass/base/check.h"
#include "windlass/oci/local_image.h"

namespace {

constexpr std::size_t kBlock = 512;

void put_number(std::array<char, kBlock>& header, std::size_t at, std::size_t size,
                std::size_t number) {
  for (std::size_t i = size - 1; i-- > 0; number /= 8)
    header[at + i] = static_cast<char>('0' + number % 8);
}

std::string tar_entry(std::string_view name, std::string_view bytes) {
  std::array<char, kBlock> header{};
  name.substr(0, 100).copy(header.data(), 100);
  const bool is_link = bytes.starts_with("->");
  put_number(header, 100, 8, 0644);
  put_number(header, 124, 12, is_link ? 0 : bytes.size());
  put_number(header, 136, 12, 0);
  header[156] = is_link ? '2' : '0';
  if (is_link) bytes.substr(2, 100).copy(header.data() + 157, 100);
  std::string_view(
      "ustar\0"
      "00",
      8)
      .copy(header.data() + 257, 8);
  std::size_t sum = std::size_t{8} * ' ';
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put_number(header, 148, 7, sum);
  std::string out(header.data(), header.size());
  if (!is_link) out.append(bytes).append((kBlock - bytes.size() % kBlock) % kBlock, '\0');
  return out;
}

std::string made_tar(std::string_view files) {
  std::string out;
  while (!files.empty()) {
    const std::size_t end = std::min(files.find('\x1e'), files.size());
    const std::string_view file = files.substr(0, end);
    const std::size_t middle = std::min(file.find('\x1f'), file.size());
    out += tar_entry(file.substr(0, middle), file.substr(std::min(middle + 1, file.size())));
    files.remove_prefix(std::min(end + 1, files.size()));
  }
  return out.append(2 * kBlock, '\0');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windlass;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string bytes = input.starts_with('f') ? made_tar(input.substr(1)) : std::string(input);
  const int file = memfd_create("archive", MFD_CLOEXEC);
  WINDLASS_CHECK(file >= 0);
  WINDLASS_CHECK(write(file, bytes.data(), bytes.size()) == std::ssize(bytes));
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  for (const auto kind :
       {oci::LocalSource::Kind::kDockerArchive, oci::LocalSource::Kind::kLayoutArchive}) {
    for (const char* name : {"", "app:v1"}) {
      const auto found =
          oci::find_local_image({.kind = kind, .path = path, .name = name}, std::nullopt);
      if (!found)
        WINDLASS_CHECK(found.error().message.find_first_of("\n\x1b") == std::string::npos);
    }
  }
  close(file);
  return 0;
}
