// ClusterCredentials and ClusterKeychain: logins from a cluster's pull secrets, as a pod would have
// them: those named for it first, then those of its service account.
//
// Each Secret and ServiceAccount is fetched once however many owners want it, and kept briefly. One
// that does not exist, may not be read, or cannot be used is noted and passed over; a server that
// does not answer is a problem of the lookup, which may be tried again.
//
// Thread safety: all members may be called from any thread. Lifetime: the ApiClient and the logger
// outlive ClusterCredentials, which outlives its keychains' calls.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/credentials/ask_once.h"
#include "windlass/credentials/keychain.h"
#include "windlass/credentials/pull_secret.h"
#include "windlass/kube/api_client.h"
#include "windlass/telemetry/logger.h"

namespace windlass::kube_credentials {

// Whose pull secrets count.
struct Scope {
  std::string name_space;
  std::string service_account = "default";  // "" for none
  std::vector<std::string> pull_secrets;    // names, in order

  friend bool operator==(const Scope&, const Scope&) = default;
};

struct ClusterOptions {
  Duration keep = std::chrono::seconds(30);         // an object, or that it is not to be had
  Duration keep_failure = std::chrono::seconds(1);  // that the server did not answer
  Duration fresh = std::chrono::seconds(2);         // refresh() spares what is this young
  std::size_t objects_max = 10'000;                 // kept
  std::size_t fetches_max = 8;                      // at a time, each on a thread, made when needed
};

class ClusterCredentials {
 public:
  ClusterCredentials(Clock& clock, kube::ApiClient& client, telemetry::Logger& logger,
                     ClusterOptions options = {});

  // All logins of `scope` that fit `reference`, the more specific key first, equal ones in the
  // order of the secrets. `done` is called once, from this call or from a thread of this object.
  void find(const Scope& scope, const image::ImageReference& reference,
            credentials::Keychain::Callback done);

  // The objects of `scope` are fetched anew, unless they are younger than `fresh`.
  void refresh(const Scope& scope);

 private:
  // What a name stands for, or why for nothing.
  struct Object {
    std::optional<credentials::PullSecret> secret;
    std::vector<std::string> pull_secrets;  // of a service account
    std::optional<Error> failure;           // the server did not answer
  };
  struct Inquiry;
  enum class Kind { kSecret, kServiceAccount };

  static std::string question(Kind kind, const std::string& name_space, const std::string& name);
  void get(Kind kind, const std::string& name_space, const std::string& name,
           credentials::AskOnce<Object>::Callback done);
  credentials::AskOnce<Object>::Kept fetch(Kind kind, const std::string& name_space,
                                           const std::string& name, const std::stop_token& stop);
  Result<Object> read(Kind kind, const std::string& name_space, const std::string& name,
                      const std::stop_token& stop);
  void get_secrets(const std::shared_ptr<Inquiry>& inquiry, const std::vector<std::string>& names,
                   std::size_t first_slot);

  kube::ApiClient& client_;
  telemetry::Logger& logger_;
  const ClusterOptions options_;

  credentials::AskOnce<Object> objects_;  // threads
};

class ClusterKeychain final : public credentials::Keychain {
 public:
  ClusterKeychain(std::shared_ptr<ClusterCredentials> cluster, Scope scope)
      : cluster_(std::move(cluster)), scope_(std::move(scope)) {}

  void find(const image::ImageReference& reference, std::stop_token, Callback done) override {
    cluster_->find(scope_, reference, std::move(done));
  }
  void refresh(const image::ImageReference&) override { cluster_->refresh(scope_); }

 private:
  const std::shared_ptr<ClusterCredentials> cluster_;
  const Scope scope_;
};

}  // namespace windlass::kube_credentials
