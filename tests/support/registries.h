// The registries that integration tests ask: FakeRegistry, which misbehaves on request (see
// fake_registry.py for the names), and RealRegistry, Debian's docker-registry.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "child_process.h"
#include "windlass/base/testing/temporary_folder.h"
#include "windlass/http/client.h"

namespace windlass::test_support {

// One request as the registry saw it.
struct Logged {
  std::string listener;  // "main", "other" or "proxy"
  int connection = 0;
  double time = 0;  // seconds
  std::string method;
  std::string target;  // as it was sent: a proxy is sent whole URLs
  std::string path;
  std::string query;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  std::string header(const std::string& name) const;
  bool is_token_request() const { return path.starts_with("/token"); }
};

class FakeRegistry {
 public:
  explicit FakeRegistry(const std::vector<std::string>& options = {});

  // "127.0.0.1:PORT"
  std::string host() const;
  std::string other_host() const;
  std::string proxy() const;  // "http://127.0.0.1:PORT"

  // The reference of a repository that behaves so: image("auth-basic/head-405").
  std::string image(const std::string& behaviours, const std::string& tag = "v1") const;

  // The digest that is right for it, or, with `platform`, for one child of it.
  std::string digest(const std::string& behaviours, const std::string& platform = "") const;

  std::vector<Logged> log() const;
  void clear_log() const;

 private:
  void connect();
  std::string control(const std::string& path) const;

  ChildProcess process_;
  int main_port_ = 0;
  int other_port_ = 0;
  int proxy_port_ = 0;
  bool tls_ = false;
  std::unique_ptr<http::Client> http_;
};

// Certificates for a FakeRegistry's --tls, made once per test program.
const std::string& certificate_folder();

// Images as files, made once per test program; see local_images.py.
struct LocalFiles {
  std::string folder;
  std::map<std::string, std::string> layout;  // digests by name, in layout and oci.tar.gz
  std::vector<std::string> docker;            // names in docker.tar
};
const LocalFiles& local_files();

class RealRegistry {
 public:
  explicit RealRegistry(const std::vector<std::string>& options = {});

  const std::string& host() const { return host_; }
  const std::string& ca_file() const { return ca_file_; }
  const std::string& log_file() const { return log_file_; }  // nginx's; "" without it
  const std::map<std::string, std::string>& images() const { return images_; }  // to digests

 private:
  TemporaryFolder folder_;
  ChildProcess process_;
  std::string host_;
  std::string ca_file_;
  std::string log_file_;
  std::map<std::string, std::string> images_;
};

}  // namespace windlass::test_support
