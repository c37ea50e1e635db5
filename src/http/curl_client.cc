#include "windlass/http/curl_client.h"

#include <cstring>
#include <thread>

#include "loop.h"

namespace windlass::http {
namespace {

// The library wants to be set up once per process, before other threads use it.
void set_up_library() {
  static const CURLcode kDone = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(kDone);
}

}  // namespace

std::string default_user_agent() { return "windlass/" WINDLASS_VERSION; }

class CurlClient::Impl {
 public:
  Impl(Clock& clock, Options options, std::shared_ptr<const TlsContext> tls)
      : loop(clock, std::move(options), std::move(tls)),
        thread_([this](const std::stop_token& stop) { loop.run(stop); }) {}

  Loop loop;

 private:
  std::jthread thread_;
};

Result<std::unique_ptr<CurlClient>> CurlClient::create(Clock& clock, Options options) {
  set_up_library();
  Result<std::shared_ptr<const TlsContext>> tls = TlsContext::load(options.tls);
  std::string& key = options.tls.client_key_pem;
  explicit_bzero(key.data(), key.size());
  key.clear();
  if (!tls) return fail(std::move(tls.error()));
  return std::unique_ptr<CurlClient>(
      new CurlClient(std::make_unique<Impl>(clock, std::move(options), *std::move(tls))));
}

CurlClient::CurlClient(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CurlClient::~CurlClient() = default;

void CurlClient::send(Request request, std::stop_token stop, Callback done) {
  impl_->loop.send(std::move(request), std::move(stop), std::move(done));
}

}  // namespace windlass::http
