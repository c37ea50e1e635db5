#include "transfer.h"

#include <algorithm>
#include <cstring>

#include "failure.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/http/proxy_settings.h"

namespace windlass::http {
namespace {

long milliseconds(Duration duration) {
  using std::chrono::milliseconds;
  const auto rounded = std::chrono::ceil<milliseconds>(duration).count();
  return static_cast<long>(std::clamp<std::int64_t>(rounded, 1, std::int64_t{24} * 3600 * 1000));
}

void erase(std::string& text) {
  explicit_bzero(text.data(), text.size());
  text.clear();
}

}  // namespace

Transfer::Transfer(std::uint64_t id, Request request, Url url, TimePoint deadline,
                   std::stop_token stop, Callback done)
    : id_(id),
      deadline_(deadline),
      stop_(std::move(stop)),
      url_(std::move(url)),
      request_(std::move(request)),
      done_(std::move(done)) {}

Transfer::~Transfer() { erase_secrets(); }

void Transfer::watch(std::function<void()> on_stop) { watch_.emplace(stop_, std::move(on_stop)); }

void Transfer::prepare(Easy easy, const TransferSettings& settings,
                       std::optional<std::string> proxy, std::shared_ptr<const TlsContext> tls) {
  easy_ = std::move(easy);
  tls_ = std::move(tls);
  header_bytes_max_ = settings.header_bytes_max;
  CURL* const handle = easy_.get();
  curl_easy_setopt(handle, CURLOPT_PRIVATE, this);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error_text_.data());
  set_url();
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  // A cancelled transfer must not wait for a name server.
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(settings.connect_timeout));
  curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  // Without it each early request opens its own connection instead of sharing the first. Without
  // TLS it would wait for the first answer, to learn that there is nothing to share.
  curl_easy_setopt(handle, CURLOPT_PIPEWAIT, url_.is_https() ? 1L : 0L);
  curl_easy_setopt(handle, CURLOPT_TCP_NODELAY, 1L);

  // Set in any case, for otherwise the library reads the environment.
  curl_easy_setopt(handle, CURLOPT_PROXY, proxy ? proxy->c_str() : "");
  curl_easy_setopt(handle, CURLOPT_NOPROXY, "");
  if (proxy) proxy_ = shown_proxy(*proxy);

  curl_easy_setopt(handle, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, request_.any_certificate ? 0L : 1L);
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, request_.any_certificate ? 0L : 2L);
  curl_easy_setopt(handle, CURLOPT_CAINFO, nullptr);
  curl_easy_setopt(handle, CURLOPT_CAPATH, nullptr);
  curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, &Transfer::on_ssl_context);
  curl_easy_setopt(handle, CURLOPT_SSL_CTX_DATA, this);

  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, this);
  set_method();
  set_headers(settings);
}

// Under another name than the URL's host, the library is given that name in the URL, and told to
// connect to the host all the same; the Host field stays the host's.
void Transfer::set_url() {
  CURL* const handle = easy_.get();
  const std::string& name = tls_->server_name();
  if (name.empty() || !url_.is_https()) {
    curl_easy_setopt(handle, CURLOPT_URL, url_.to_string().c_str());
    return;
  }
  const std::string& text = url_.to_string();
  const std::size_t path =
      std::min(text.find_first_of("/?#", std::strlen("https://")), text.size());
  const std::string named = format("https://{}:{}{}", name, url_.port(), text.substr(path));
  curl_easy_setopt(handle, CURLOPT_URL, named.c_str());
  const std::string instead = format("{}:{}:{}:{}", name, url_.port(), url_.host(), url_.port());
  connect_to_.reset(curl_slist_append(nullptr, instead.c_str()));
  curl_easy_setopt(handle, CURLOPT_CONNECT_TO, connect_to_.get());
  const std::string host = "Host: " + url_.authority();
  header_list_.reset(curl_slist_append(header_list_.release(), host.c_str()));
}

void Transfer::set_method() {
  CURL* const handle = easy_.get();
  switch (request_.method) {
    case Method::kGet: curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L); break;
    case Method::kHead: curl_easy_setopt(handle, CURLOPT_NOBODY, 1L); break;
    case Method::kPost:
      curl_easy_setopt(handle, CURLOPT_POST, 1L);
      curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request_.body.data());
      curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                       static_cast<curl_off_t>(request_.body.size()));
      break;
  }
}

void Transfer::set_headers(const TransferSettings& settings) {
  curl_easy_setopt(easy_.get(), CURLOPT_USERAGENT, settings.user_agent.c_str());
  std::string line;
  const auto append = [&](std::string_view name, std::string_view value) {
    line.assign(name).append(": ").append(value);
    // The library's notation for a field without a value.
    if (value.empty()) line.assign(name).append(";");
    header_list_.reset(curl_slist_append(header_list_.release(), line.c_str()));
    erase(line);
  };
  for (const auto& [name, value] : request_.headers) append(name, value);
  // What is hashed must be what was stored: no compression on the way.
  append("Accept-Encoding", "identity");
  header_list_.reset(curl_slist_append(header_list_.release(), "Expect:"));
  curl_easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, header_list_.get());
}

std::size_t Transfer::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  auto* transfer = static_cast<Transfer*>(self);
  return transfer->take_header({data, size * count}) ? size * count : 0;
}

bool Transfer::take_header(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > header_bytes_max_) {
    over_limit_ = format("its header has more than {} bytes", header_bytes_max_);
    return false;
  }
  if (body_begun_) return true;  // a trailer
  if (line.starts_with("HTTP/")) {
    response_.headers.clear();  // what came before was an interim answer
    return true;
  }
  // Taken for fields of their own, folded lines would let whoever can write into one field make
  // others.
  if (line.starts_with(' ') || line.starts_with('\t')) {
    response_.headers.continue_last(trim(line));
    return true;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return true;
  response_.headers.add(std::string(trim(line.substr(0, colon))),
                        std::string(trim(line.substr(colon + 1))));
  return true;
}

std::size_t Transfer::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  auto* transfer = static_cast<Transfer*>(self);
  const std::size_t bytes = size * count;
  std::string& body = transfer->response_.body;
  transfer->body_begun_ = true;
  if (bytes > transfer->request_.body_bytes_max - body.size()) {
    transfer->over_limit_ = format("it is longer than {} bytes", transfer->request_.body_bytes_max);
    return 0;
  }
  body.append(data, bytes);
  return bytes;
}

CURLcode Transfer::on_ssl_context(CURL*, void* context, void* self) {
  auto* transfer = static_cast<Transfer*>(self);
  auto* tls = static_cast<SSL_CTX*>(context);
  transfer->tls_->install(tls);
  if (transfer->request_.any_certificate) return CURLE_OK;
  transfer->trouble_ = std::make_shared<CertificateTrouble>();
  note_trouble(tls, transfer->trouble_);
  return CURLE_OK;
}

Result<Response> Transfer::result(CURLcode code) {
  if (code == CURLE_OK) {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    response_.status = static_cast<int>(status);
    return std::move(response_);
  }
  if (!over_limit_.empty()) {
    return fail(ErrorCode::kInvalid,
                format("{}: the answer is refused: {}; check that this is a registry's name",
                       url_.authority(), over_limit_));
  }
  long os_error = 0;
  long proxy_status = 0;
  long proxy_verified = 0;
  double connected_after = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &os_error);
  curl_easy_getinfo(easy_.get(), CURLINFO_HTTP_CONNECTCODE, &proxy_status);
  curl_easy_getinfo(easy_.get(), CURLINFO_PROXY_SSL_VERIFYRESULT, &proxy_verified);
  curl_easy_getinfo(easy_.get(), CURLINFO_PRETRANSFER_TIME, &connected_after);
  return fail(describe({.code = code,
                        .detail = error_text_.data(),
                        .os_error = os_error,
                        .connected = connected_after > 0,
                        .timeout = request_.timeout,
                        .proxy = proxy_,
                        .proxy_status = proxy_status,
                        .certificate = trouble_ ? *trouble_ : CertificateTrouble{},
                        .is_proxys_certificate = proxy_verified != X509_V_OK},
                       url_));
}

Error Transfer::timed_out() const {
  return describe({.code = CURLE_OPERATION_TIMEDOUT,
                   .detail = {},
                   .os_error = 0,
                   .connected = true,
                   .timeout = request_.timeout,
                   .proxy = proxy_,
                   .proxy_status = 0},
                  url_);
}

Easy Transfer::release() {
  if (easy_) curl_easy_reset(easy_.get());
  return std::move(easy_);
}

void Transfer::finish(Result<Response> result) {
  watch_.reset();
  erase_secrets();
  Callback done = std::move(done_);
  done(std::move(result));
}

// Authorization and form bodies hold passwords and tokens. The library's own copies are out of
// reach.
void Transfer::erase_secrets() {
  erase(request_.body);
  for (curl_slist* item = header_list_.get(); item != nullptr; item = item->next)
    explicit_bzero(item->data, std::strlen(item->data));
  Headers headers = std::move(request_.headers);
  headers.erase_values();
}

}  // namespace windlass::http
