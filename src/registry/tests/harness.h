// Harness: lookups with a scripted network, a clock that jumps to whatever is waited for, and all
// on the test's own thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lookups.h"
#include "windlass/base/testing/fake_clock.h"
#include "windlass/http/testing/scripted_client.h"
#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::registry {

// What a scripted registry is asked: the request, and what is often needed of it.
struct Asked {
  const http::Request& request;
  std::string authorization;  // "" when there is none
  int count;                  // requests before this one with the same method and path

  bool is_head() const { return request.method == http::Method::kHead; }
  bool goes_to(std::string_view start) const { return request.url.starts_with(start); }
};

using Answers = std::function<std::optional<Result<http::Response>>(const Asked&)>;

class Harness {
 public:
  explicit Harness(Answers answers, RegistryOptions options = {},
                   std::shared_ptr<credentials::Keychain> keychain = nullptr);
  ~Harness();

  // One lookup, from start to end. The time it takes is the clock's.
  Result<Resolution> resolve(std::string_view image, LookupOptions options = {});

  // The same in two steps, for several at once.
  void start(std::string_view image, LookupOptions options = {}, std::stop_token stop = {});
  bool answer_next() { return client_.answer_next(); }
  std::vector<Result<Resolution>> finish_all();

  // One line per request: "HEAD https://registry.test/v2/app/manifests/v1 Basic YWxp".
  std::vector<std::string> log() const;

  FakeClock clock;
  telemetry::RecordingLogger logger;

 private:
  std::map<std::string, int> counts_;
  http::ScriptedClient client_;
  Lookups lookups_;
  std::vector<std::optional<Result<Resolution>>> results_;
};

// A keychain with these "user:password" logins, in order.
std::shared_ptr<credentials::Keychain> logins(std::vector<std::string> user_and_password);
std::shared_ptr<credentials::Keychain> login(credentials::Credential credential);

// A manifest and what registries say of it.
extern const std::string kManifestBody;
image::Digest manifest_digest();
http::Response head_answer();
http::Response get_answer();
http::Response status(int status, http::Headers headers = {}, std::string body = {});
http::Response challenge(std::string header);
http::Response token_answer(std::string token, int expires_in = 300);

}  // namespace windlass::registry
