// Session: who an ApiClient is just now: its Authorization header, and an http::Client with its
// client certificate.
//
// The exec plugin is run by one thread at a time, the others wait for what it gives.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "exec_credential.h"
#include "windlass/kube/api_client.h"

namespace windlass::kube {

class ApiClient::Session {
 public:
  struct Use {
    credentials::Secret authorization;  // "Bearer ...", "Basic ..." or empty
    std::shared_ptr<http::Client> http;
    std::uint64_t number = 0;
  };

  Session(Clock& clock, const Connection& connection, const ApiOptions& options, HttpFactory http);

  Result<Use> current(const std::stop_token& stop) EXCLUDES(mutex_);

  // The server has refused the credentials of that use. True when others may be had.
  bool refused(std::uint64_t number) EXCLUDES(mutex_);

 private:
  Result<std::shared_ptr<http::Client>> make_http(const ExecCredential* exec) const;
  // Runs the plugin unless its credential is still good. Many who ask share one run.
  Result<void> renew_exec(const std::stop_token& stop) EXCLUDES(mutex_);
  bool exec_is_good() const REQUIRES(mutex_);
  credentials::Secret header() const;
  credentials::Secret header_of(const credentials::Secret& token) const;

  Clock& clock_;
  const Connection& connection_;
  const ApiOptions& options_;
  const HttpFactory make_http_;

  Mutex mutex_;
  CondVar renewed_;
  bool renewing_ GUARDED_BY(mutex_) = false;
  std::optional<ExecCredential> exec_ GUARDED_BY(mutex_);
  std::shared_ptr<http::Client> http_ GUARDED_BY(mutex_);  // none until wanted
  std::uint64_t number_ GUARDED_BY(mutex_) = 1;
};

}  // namespace windlass::kube
