// FakeCluster: a Kubernetes API server for tests, over plain http on loopback: secrets and service
// accounts, Status objects for what is missing or not allowed, and failures on request.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "windlass/base/mutex.h"
#include "windlass/http/testing/raw_server.h"
#include "windlass/kube/connection.h"

namespace windlass::kube {

class FakeCluster {
 public:
  FakeCluster();

  // What one needs to be let in with `token`.
  Connection connection(const std::string& token = "s3cret") const;

  void put_secret(const std::string& name_space, const std::string& name, const std::string& type,
                  const std::map<std::string, std::string>& data);
  // A pull secret with one login.
  void put_login(const std::string& name_space, const std::string& name,
                 const std::string& registry, const std::string& user, const std::string& password);
  void put_service_account(const std::string& name_space, const std::string& name,
                           const std::vector<std::string>& pull_secrets);

  // Answers the next `times` requests for `path` (all paths when "") with `status`, a Status object
  // and these header lines ("Retry-After: 1\r\n").
  void fail_next(const std::string& path, int status, int times = 1,
                 const std::string& headers = "");

  // From now on only this token opens.
  void set_token(const std::string& token);

  std::vector<std::string> paths() const;  // of all requests, in order
  std::vector<std::string> heads() const { return server_.heads(); }

 private:
  struct Failure {
    std::string path;
    int status;
    int times;
    std::string headers;
  };

  http::RawServer::Reply answer(const std::string& head) EXCLUDES(mutex_);

  mutable Mutex mutex_;
  std::string token_ GUARDED_BY(mutex_) = "s3cret";
  std::map<std::string, std::string> objects_ GUARDED_BY(mutex_);  // by path
  std::vector<Failure> failures_ GUARDED_BY(mutex_);

  http::RawServer server_;
};

}  // namespace windlass::kube
