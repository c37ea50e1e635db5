#include "windlass/kube/testing/fake_cluster.h"

#include "windlass/base/format.h"
#include "windlass/credentials/base64.h"
#include "windlass/credentials/document.h"

namespace windlass::kube {
namespace {

using credentials::base64_encode;
using credentials::json_quoted;

std::string path_of(const std::string& name_space, const std::string& plural,
                    const std::string& name) {
  return format("/api/v1/namespaces/{}/{}/{}", name_space, plural, name);
}

http::RawServer::Reply reply(int status, const std::string& body, const std::string& headers = "") {
  return {
      .bytes = format("HTTP/1.1 {} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
                      "Connection: close\r\n{}\r\n{}",
                      status, body.size(), headers, body),
      .close = true};
}

std::string status_object(int status, const std::string& message) {
  return format(
      R"({{"kind":"Status","apiVersion":"v1","status":"Failure","message":{},"code":{}}})",
      json_quoted(message), status);
}

std::string path_in(const std::string& head) {
  const std::size_t begin = head.find(' ') + 1;
  return head.substr(begin, head.find(' ', begin) - begin);
}

}  // namespace

FakeCluster::FakeCluster() : server_([this](const std::string& head) { return answer(head); }) {}

Connection FakeCluster::connection(const std::string& token) const {
  Connection connection;
  connection.source = "the test";
  connection.server = server_.url("");
  connection.identity.token = credentials::Secret(token);
  return connection;
}

void FakeCluster::put_secret(const std::string& name_space, const std::string& name,
                             const std::string& type,
                             const std::map<std::string, std::string>& data) {
  std::string members;
  for (const auto& [key, value] : data) {
    members += format("{}{}:{}", members.empty() ? "" : ",", json_quoted(key),
                      json_quoted(base64_encode(value)));
  }
  MutexLock lock(mutex_);
  objects_[path_of(name_space, "secrets", name)] = format(
      R"({{"kind":"Secret","apiVersion":"v1","metadata":{{"name":{}}},"type":{},"data":{{{}}}}})",
      json_quoted(name), json_quoted(type), members);
}

void FakeCluster::put_login(const std::string& name_space, const std::string& name,
                            const std::string& registry, const std::string& user,
                            const std::string& password) {
  put_secret(
      name_space, name, "kubernetes.io/dockerconfigjson",
      {{".dockerconfigjson", format(R"({{"auths":{{{}:{{"auth":{}}}}}}})", json_quoted(registry),
                                    json_quoted(base64_encode(user + ':' + password)))}});
}

void FakeCluster::put_service_account(const std::string& name_space, const std::string& name,
                                      const std::vector<std::string>& pull_secrets) {
  std::string names;
  for (const std::string& secret : pull_secrets)
    names += format(R"({}{{"name":{}}})", names.empty() ? "" : ",", json_quoted(secret));
  MutexLock lock(mutex_);
  objects_[path_of(name_space, "serviceaccounts", name)] =
      format(R"({{"kind":"ServiceAccount","apiVersion":"v1","imagePullSecrets":[{}]}})", names);
}

void FakeCluster::fail_next(const std::string& path, int status, int times,
                            const std::string& headers) {
  MutexLock lock(mutex_);
  failures_.push_back({path, status, times, headers});
}

void FakeCluster::set_token(const std::string& token) {
  MutexLock lock(mutex_);
  token_ = token;
}

std::vector<std::string> FakeCluster::paths() const {
  std::vector<std::string> all;
  for (const std::string& head : server_.heads()) all.push_back(path_in(head));
  return all;
}

http::RawServer::Reply FakeCluster::answer(const std::string& head) {
  const std::string path = path_in(head);
  MutexLock lock(mutex_);
  if (head.find("Authorization: Bearer " + token_ + "\r\n") == std::string::npos)
    return reply(401, status_object(401, "Unauthorized"));
  for (Failure& failure : failures_) {
    if (failure.times == 0 || (!failure.path.empty() && failure.path != path)) continue;
    --failure.times;
    return reply(failure.status, status_object(failure.status, "it fails on request"),
                 failure.headers);
  }
  const auto object = objects_.find(path);
  if (object == objects_.end()) return reply(404, status_object(404, format("{} not found", path)));
  return reply(200, object->second);
}

}  // namespace windlass::kube
