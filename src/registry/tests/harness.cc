#include "harness.h"

#include <algorithm>

#include "windlass/base/format.h"

namespace windlass::registry {
namespace {

class FixedKeychain final : public credentials::Keychain {
 public:
  explicit FixedKeychain(std::vector<credentials::Credential> all) : all_(std::move(all)) {}

  void find(const image::ImageReference&, std::stop_token, Callback done) override {
    done({.candidates = all_, .problems = {}});
  }

 private:
  const std::vector<credentials::Credential> all_;
};

std::string header(const http::Request& request, std::string_view name) {
  const std::string* value = request.headers.find(name);
  return value == nullptr ? std::string() : *value;
}

}  // namespace

const std::string kManifestBody =
    R"({"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json"})";

image::Digest manifest_digest() { return image::Digest::sha256_of(kManifestBody); }

http::Response head_answer() {
  return status(200, {{"Content-Type", "application/vnd.oci.image.manifest.v1+json"},
                      {"Content-Length", std::to_string(kManifestBody.size())},
                      {"Docker-Content-Digest", manifest_digest().to_string()}});
}

http::Response get_answer() {
  http::Response response = head_answer();
  response.body = kManifestBody;
  return response;
}

http::Response status(int code, http::Headers headers, std::string body) {
  return {.status = code, .headers = std::move(headers), .body = std::move(body)};
}

http::Response challenge(std::string header) {
  return status(401, {{"WWW-Authenticate", std::move(header)}});
}

http::Response token_answer(std::string token, int expires_in) {
  return status(200, {{"Content-Type", "application/json"}},
                format(R"({{"token":"{}","expires_in":{}}})", token, expires_in));
}

std::shared_ptr<credentials::Keychain> logins(std::vector<std::string> user_and_password) {
  std::vector<credentials::Credential> all;
  for (const std::string& text : user_and_password) {
    const std::size_t colon = text.find(':');
    all.push_back(credentials::Credential::password(
        text.substr(0, colon), credentials::Secret(std::string_view(text).substr(colon + 1)),
        "config.json"));
  }
  return std::make_shared<FixedKeychain>(std::move(all));
}

std::shared_ptr<credentials::Keychain> login(credentials::Credential credential) {
  return std::make_shared<FixedKeychain>(
      std::vector<credentials::Credential>{std::move(credential)});
}

Harness::Harness(Answers answers, RegistryOptions options,
                 std::shared_ptr<credentials::Keychain> keychain)
    : client_([this, answers = std::move(answers)](const http::Request& request) {
        const std::string path = format("{} {}", http::to_string(request.method), request.url);
        return answers({.request = request,
                        .authorization = header(request, "authorization"),
                        .count = counts_[path]++});
      }),
      lookups_(clock, client_,
               keychain ? std::move(keychain) : std::make_shared<credentials::AnonymousKeychain>(),
               logger, std::move(options), Random(1)) {}

Harness::~Harness() {
  lookups_.stop_all();
  while (client_.answer_next() || lookups_.timers().fire_due(clock.now()) > 0) continue;
}

void Harness::start(std::string_view image, LookupOptions options, std::stop_token stop) {
  const std::size_t place = results_.size();
  results_.emplace_back();
  lookups_.start(*image::ImageReference::parse(image), options, std::move(stop),
                 [this, place](Result<Resolution> result) { results_[place] = std::move(result); });
}

std::vector<Result<Resolution>> Harness::finish_all() {
  const auto is_pending = [](const auto& result) { return !result.has_value(); };
  while (std::ranges::any_of(results_, is_pending)) {
    if (client_.answer_next() || lookups_.timers().fire_due(clock.now()) > 0) continue;
    clock.advance_to(lookups_.timers().next_due());
  }
  std::vector<Result<Resolution>> all;
  for (auto& result : results_) all.push_back(*std::move(result));
  results_.clear();
  return all;
}

Result<Resolution> Harness::resolve(std::string_view image, LookupOptions options) {
  start(image, std::move(options));
  return finish_all().back();
}

std::vector<std::string> Harness::log() const {
  std::vector<std::string> lines;
  for (const http::Request& request : client_.requests()) {
    std::string line = format("{} {}", http::to_string(request.method), request.url);
    if (const std::string login = header(request, "authorization"); !login.empty())
      line += " " + login;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace windlass::registry
