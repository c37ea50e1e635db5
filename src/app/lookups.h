// Lookups: everything that answers which digest an image has, wired together as the command line
// says, and waited for by a person who sees the progress.
//
// Not thread-safe: one thread asks and awaits.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common_options.h"
#include "console.h"
#include "local_sources.h"
#include "observation.h"
#include "windlass/app/streams.h"
#include "windlass/credentials/keychain.h"
#include "windlass/http/client.h"
#include "windlass/registry/image_resolver.h"
#include "windlass/registry/registry_client.h"
#include "windlass/resolver/background_resolver.h"

namespace windlass::app {

// The registries whose images are left alone.
resolver::SkipList skip_list_of(const CommonOptions& options);

// Tells each file that an option names for lookups and that is not there, may not be read, or does
// not hold what it should; true when there is one. Each command calls it once, before
// Lookups::create(): a run may come to an end without any lookup. Pipes are not read.
bool tell_unusable_files(const CommonOptions& options, Console& console);

class Lookups {
 public:
  // kInvalid when an option or a file that it names cannot be used. What is given outlives it;
  // `observation` keeps it until its metrics have been read.
  static Result<std::shared_ptr<Lookups>> create(const CommonOptions& options,
                                                 const Environment& environment, Clock& clock,
                                                 Console& console, Observation& observation);

  ~Lookups();
  Lookups(const Lookups&) = delete;
  Lookups& operator=(const Lookups&) = delete;

  // Starts to look for the digest of `image`, a valid reference. The ticket is for await(); the
  // same image gets the same one.
  std::size_t ask(const std::string& image);

  // Waits for what became of a ticket. Requests for `stop` end it with kCancelled.
  resolver::ImageResult await(std::size_t ticket, const std::stop_token& stop);

  // Whether the awaited lookup failed because files of --source are broken.
  bool failed_by_source(std::size_t ticket) const;

 private:
  Lookups(const CommonOptions& options, Clock& clock, Console& console, Observation& observation);

  // Puts files and the platform before the registries; what is to be asked in the end.
  Result<registry::ImageResolver*> add_sources(const CommonOptions& options);

  // An attempt that failed, and when the next one is made.
  struct Retry {
    std::string registry;
    std::string cause;
    int attempts = 0;
    TimePoint next_try;
  };

  void note_answer(const std::string& owner) EXCLUDES(mutex_);
  void note_retry(const registry::FailedAttempt& failed) EXCLUDES(mutex_);

  // As the image was written, and with all its tries.
  resolver::ImageResult in_own_words(resolver::ImageResult result, std::size_t ticket)
      EXCLUDES(mutex_);

  void show_progress() EXCLUDES(mutex_);
  std::vector<Progress::Trouble> troubles_of(const resolver::Status& status) EXCLUDES(mutex_);

  Clock& clock_;
  Console& console_;
  Observation& observation_;
  resolver::ResolveOptions options_;
  std::deque<std::string> asked_;   // by ticket
  std::vector<std::string> names_;  // of `asked_`, every default spelt out
  std::unordered_map<std::string_view, std::size_t> tickets_;  // by what is in `asked_`

  Mutex mutex_;
  CondVar answered_changed_;
  std::unordered_set<std::string> answered_ GUARDED_BY(mutex_);        // owners called back
  std::unordered_map<std::string, Retry> retries_ GUARDED_BY(mutex_);  // by what is in `names_`

  // In the order in which each needs the one before.
  std::unique_ptr<http::Client> client_;
  std::shared_ptr<credentials::Keychain> keychain_;
  std::unique_ptr<registry::ImageResolver> registries_;
  std::unique_ptr<LocalSources> sources_;                  // before the registries; may be null
  std::unique_ptr<registry::ImageResolver> for_platform_;  // before those; may be null
  std::unique_ptr<registry::ImageResolver> observed_;      // before all
  std::unique_ptr<resolver::BackgroundResolver> resolver_;
};

}  // namespace windlass::app
