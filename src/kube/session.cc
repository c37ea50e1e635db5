#include "session.h"

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/base64.h"
#include "windlass/credentials/secret_file.h"
#include "windlass/http/url.h"

namespace windlass::kube {

using credentials::Secret;

ApiClient::Session::Session(Clock& clock, const Connection& connection, const ApiOptions& options,
                            HttpFactory http)
    : clock_(clock), connection_(connection), options_(options), make_http_(std::move(http)) {}

Result<std::shared_ptr<http::Client>> ApiClient::Session::make_http(
    const ExecCredential* exec) const {
  http::CurlClient::Options options;
  http::TlsSettings& tls = options.tls;
  if (!connection_.ca_pem.empty()) {
    tls.ca_pem = connection_.ca_pem;
  } else if (!connection_.ca_file.empty()) {
    tls.ca_files = {connection_.ca_file};
  }
  // A CA that is named is the only one: anybody may get a certificate of a public one.
  tls.system_roots = tls.ca_pem.empty() && tls.ca_files.empty();
  tls.server_name = connection_.server_name;
  const Identity& identity = connection_.identity;
  if (exec != nullptr && !exec->client_key_pem.empty()) {
    tls.client_certificate_pem = exec->client_certificate_pem.reveal();
    tls.client_key_pem = exec->client_key_pem.reveal();
  } else {
    // One half may stand in the config and the other in a file.
    const auto text_of = [](const Secret& pem, const std::string& file) -> Result<Secret> {
      if (!pem.empty() || file.empty()) return pem;
      return credentials::read_secret_file(file);
    };
    Result<Secret> certificate =
        text_of(identity.client_certificate_pem, identity.client_certificate_file);
    if (!certificate) return fail(std::move(certificate.error()), "client certificate");
    Result<Secret> key = text_of(identity.client_key_pem, identity.client_key_file);
    if (!key) return fail(std::move(key.error()), "client key");
    tls.client_certificate_pem = certificate->reveal();
    tls.client_key_pem = key->reveal();
  }
  options.proxies = options_.proxies;
  if (!connection_.proxy.empty()) {
    // For this server wherever it is, loopback included.
    if (const auto url = http::Url::parse(connection_.server))
      options.proxies.for_host = {{format("{}:{}", url->host(), url->port()), connection_.proxy}};
  }
  Result<std::unique_ptr<http::Client>> client = [&]() -> Result<std::unique_ptr<http::Client>> {
    if (make_http_) return make_http_(options);
    auto made = http::CurlClient::create(clock_, options);
    if (!made) return fail(std::move(made.error()));
    return *std::move(made);
  }();
  credentials::erase(tls.client_key_pem);
  if (!client) return fail(std::move(client.error()));
  return std::shared_ptr<http::Client>(*std::move(client));
}

Secret ApiClient::Session::header_of(const Secret& token) const {
  std::string text = "Bearer " + std::string(trim(token.reveal()));
  Secret header(text);
  credentials::erase(text);
  return header;
}

Secret ApiClient::Session::header() const {
  const Identity& identity = connection_.identity;
  if (!identity.token_file.empty()) {
    const Result<Secret> token = credentials::read_secret_file(identity.token_file);
    if (token && !trim(token->reveal()).empty()) return header_of(*token);
  }
  if (!identity.token.empty()) return header_of(identity.token);
  if (identity.user.empty()) return {};
  std::string login = identity.user + ':' + std::string(identity.password.reveal());
  std::string text = "Basic " + credentials::base64_encode(login);
  Secret header(text);
  credentials::erase(login);
  credentials::erase(text);
  return header;
}

bool ApiClient::Session::exec_is_good() const {
  if (!exec_) return false;
  if (!exec_->expires) return true;
  const auto margin = std::chrono::duration_cast<std::chrono::seconds>(options_.expiry_margin);
  return wall_time() + margin < *exec_->expires;
}

Result<void> ApiClient::Session::renew_exec(const std::stop_token& stop) {
  {
    MutexLock lock(mutex_);
    const bool free = clock_.wait(mutex_, renewed_, stop, [this] {
      mutex_.assert_held();
      return !renewing_;
    });
    if (!free) return fail(ErrorCode::kCancelled, "cancelled");
    if (exec_is_good()) return {};
    renewing_ = true;
  }
  Result<ExecCredential> got =
      run_exec_plugin(*connection_.identity.exec, options_.exec_timeout, clock_, stop);
  std::shared_ptr<http::Client> old;  // goes without the lock: its end may take a moment
  {
    MutexLock lock(mutex_);
    renewing_ = false;
    renewed_.notify_all();
    if (!got) return fail(std::move(got.error()));
    const bool same_key = exec_ && exec_->client_key_pem == got->client_key_pem;
    if (!same_key) old = std::move(http_);
    exec_ = *std::move(got);
    ++number_;
  }
  return {};
}

Result<ApiClient::Session::Use> ApiClient::Session::current(const std::stop_token& stop) {
  std::optional<ExecCredential> exec;
  Use use;
  if (connection_.identity.exec) {
    if (Result<void> done = renew_exec(stop); !done) return fail(std::move(done.error()));
  }
  {
    MutexLock lock(mutex_);
    exec = exec_;
    use.http = http_;
    use.number = number_;
  }
  if (use.http == nullptr) {
    Result<std::shared_ptr<http::Client>> made = make_http(exec ? &*exec : nullptr);
    if (!made) return fail(std::move(made.error()));
    use.http = *std::move(made);
    MutexLock lock(mutex_);
    if (http_ == nullptr && use.number == number_) http_ = use.http;
  }
  const bool has_exec_token = exec && !exec->token.empty();
  use.authorization = has_exec_token ? header_of(exec->token) : header();
  return use;
}

bool ApiClient::Session::refused(std::uint64_t number) {
  const Identity& identity = connection_.identity;
  if (!identity.exec && identity.token_file.empty() && identity.client_certificate_file.empty() &&
      identity.client_key_file.empty())
    return false;
  std::shared_ptr<http::Client> old;  // goes without the lock
  MutexLock lock(mutex_);
  if (number == number_) {
    exec_.reset();
    old = std::move(http_);
    ++number_;
  }
  lock.unlock();
  return true;
}

}  // namespace windlass::kube
