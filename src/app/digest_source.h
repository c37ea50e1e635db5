// DigestSource: which digest an image gets: the lock's, if there is one and it has it, else what
// the image's registry says.
//
// Not thread-safe: one thread asks and awaits. What it is given outlives it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "lock_file.h"
#include "lookups.h"
#include "windlass/image/image_reference.h"

namespace windlass::app {

struct DigestAnswer {
  std::optional<image::Digest> digest;  // none: skipped, or `error` says why
  std::optional<Error> error = std::nullopt;
  bool from_lock = false;
  std::string media_type = {};   // when a registry was asked
  std::string credentials = {};  // where its login came from
  int tries = 0;
  bool failed_by_source = false;  // `error` is of the files of --source
};

class DigestSource {
 public:
  struct Options {
    LockFile* lock = nullptr;   // answers of registries go in
    bool use_lock = true;       // false: registries are asked again
    bool offline = false;       // nobody is asked
    std::string platform = {};  // whose entries of the lock count
  };

  using MakeLookups = std::function<Result<std::shared_ptr<Lookups>>()>;

  // `make_lookups` is called when the first registry has to be asked.
  DigestSource(Options options, MakeLookups make_lookups)
      : options_(std::move(options)), make_lookups_(std::move(make_lookups)) {}

  // The ticket is for await(). An error when lookups cannot be made at all.
  Result<std::size_t> ask(const image::ImageReference& reference);

  // kCancelled in the answer when `stop` was requested.
  DigestAnswer await(std::size_t ticket, const std::stop_token& stop);

  // What the lock says; nullopt also without one.
  std::optional<image::Digest> locked(const image::ImageReference& reference) const;

  // Puts a digest that is known already into the lock. There has to be one.
  void remember(const image::ImageReference& reference, const image::Digest& digest);

  // True when something was found that the lock did not say before.
  bool lock_changed() const { return lock_changed_; }

 private:
  struct Asked {
    image::ImageReference reference;
    std::optional<image::Digest> locked;
    std::size_t ticket = 0;  // of `lookups_`, when not locked
  };

  DigestAnswer await_registry(const Asked& asked, const std::stop_token& stop);

  const Options options_;
  const MakeLookups make_lookups_;
  std::vector<Asked> asked_;                              // by ticket
  std::unordered_map<std::string, std::size_t> tickets_;  // by reference as written
  bool lock_changed_ = false;
  std::shared_ptr<Lookups> lookups_;
};

}  // namespace windlass::app
