// PluginKeychain: the logins that kubelet credential provider plugins give.
//
// All plugins whose matchImages fit an image are asked; their logins are merged, the more specific
// key first, an earlier plugin before a later one. An answer is kept as long, and for as many
// images, as the plugin says. One that fails is a problem and keeps no other from being asked.
//
// Thread safety: all members may be called from any thread. The destructor kills what runs and
// answers everybody.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "windlass/base/clock.h"
#include "windlass/credentials/ask_once.h"
#include "windlass/credentials/credential_providers.h"
#include "windlass/credentials/keychain.h"
#include "windlass/credentials/keyring.h"

namespace windlass::credentials {

struct PluginOptions {
  std::filesystem::path folder;                // where the plugins lie
  Duration timeout = std::chrono::minutes(1);  // of one run, as the kubelet's
  Duration keep_error = std::chrono::seconds(10);
  Duration fresh = std::chrono::seconds(5);  // an answer this young is not asked for again
  std::size_t output_bytes_max = std::size_t{64} << 10U;
  std::size_t answers_max = 1'000;  // kept
  std::size_t programs_max = 4;     // at a time
};

class PluginKeychain final : public Keychain {
 public:
  PluginKeychain(Clock& clock, std::vector<CredentialProvider> providers, PluginOptions options);

  void find(const image::ImageReference& reference, std::stop_token stop, Callback done) override;
  void refresh(const image::ImageReference& reference) override;

 private:
  // What one plugin gave for one image: logins, or why none. Never an error: see `problems`.
  struct Answer {
    Keyring logins;
    std::vector<Error> problems;
  };
  struct Kept {
    Answer answer;
    TimePoint since;
    TimePoint until;
  };
  struct Inquiry;

  void ask(const std::shared_ptr<Inquiry>& inquiry, std::size_t from);
  AskOnce<Answer>::Kept run(std::size_t provider, const image::ImageReference& reference,
                            const std::stop_token& stop) EXCLUDES(mutex_);
  std::optional<Answer> kept(std::size_t provider, const image::ImageReference& reference)
      EXCLUDES(mutex_);
  void keep(const std::string& key, const Answer& answer, Duration duration) EXCLUDES(mutex_);

  Clock& clock_;
  const std::vector<CredentialProvider> providers_;
  const PluginOptions options_;

  Mutex mutex_;
  std::map<std::string, Kept> kept_ GUARDED_BY(mutex_);

  AskOnce<Answer> runs_;  // threads
};

}  // namespace windlass::credentials
