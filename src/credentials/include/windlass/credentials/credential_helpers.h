// CredentialHelpers: asks docker-credential-* programs, a few at a time, on threads of its own.
//
// Each question is asked once however many wait for the answer, which is kept for a while: a
// program that wants a finger on a key must not be started for every image.
//
// Thread safety: all members may be called from any thread. The destructor kills what runs and
// answers everybody with kCancelled.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "windlass/base/clock.h"
#include "windlass/base/result.h"
#include "windlass/credentials/ask_once.h"
#include "windlass/credentials/credential.h"
#include "windlass/credentials/keychain.h"

namespace windlass::credentials {

struct HelperOptions {
  Duration timeout = std::chrono::seconds(30);  // of one run
  Duration keep = std::chrono::minutes(5);      // an answer; errors are kept a tenth of it
  std::size_t output_bytes_max = std::size_t{64} << 10U;
  std::size_t answers_max = 1'000;           // kept or awaited
  Duration fresh = std::chrono::seconds(5);  // an answer this young is not asked for again
  std::size_t programs_max = 4;  // at a time, each on a thread that is made when first needed
};

class CredentialHelpers {
 public:
  // A login, or none that the helper knows of.
  using Answer = Result<std::optional<Credential>>;
  using Callback = std::move_only_function<void(Answer)>;

  explicit CredentialHelpers(Clock& clock, HelperOptions options = {});

  // Asks "docker-credential-`helper` get" for `key`. `done` is called once, from this call or from
  // a thread of this object, never under a lock.
  void get(const std::string& helper, const std::string& key, Callback done);

  // The next get() runs the program again, unless the answer is younger than `fresh`.
  void drop(const std::string& helper, const std::string& key);

 private:
  Clock& clock_;
  const HelperOptions options_;

  AskOnce<Answer> answers_;
};

// The answer of a helper that is named at `place`, as a keychain hands it over.
Found found_by_helper(CredentialHelpers::Answer answer, const std::string& place);

}  // namespace windlass::credentials
