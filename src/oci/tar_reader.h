// TarReader: the entries of a tar file, one after the other, compressed or not.
//
// Not thread-safe. A failed open is told by the first next().
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "windlass/base/result.h"

namespace windlass::oci {

class TarReader {
 public:
  explicit TarReader(std::string path);
  ~TarReader();
  TarReader(const TarReader&) = delete;
  TarReader& operator=(const TarReader&) = delete;

  // Goes to the next entry; false at the end. kNotFound when there is no such file, kInvalid when
  // it is no tar file or is damaged.
  Result<bool> next();

  // Of the present entry. Names come without "./".
  const std::string& name() const { return name_; }
  bool is_file() const { return is_file_; }
  std::uint64_t size() const { return size_; }
  const std::string& link() const { return link_; }  // where a link leads; "" for anything else

  // The whole entry, once.
  Result<std::string> read();

  // Its size once a compression of its own is taken off. Instead of read().
  Result<std::uint64_t> unpacked_size();

 private:
  class Archive;

  Error damaged() const;

  const std::string path_;
  std::unique_ptr<Archive> archive_;
  std::string name_;
  bool is_file_ = false;
  std::uint64_t size_ = 0;
  std::string link_;
};

}  // namespace windlass::oci
