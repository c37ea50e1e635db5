// Transfer: one request on its way: its options for the library, and the answer as it comes in.
//
// Not thread-safe: handed from the sender to the loop, then the loop's alone.
#pragma once

#include <curl/curl.h>

#include <array>
#include <memory>
#include <optional>

#include "certificate_trouble.h"
#include "tls_context.h"
#include "windlass/http/client.h"
#include "windlass/http/url.h"

namespace windlass::http {

struct EasyFree {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
using Easy = std::unique_ptr<CURL, EasyFree>;

// What every transfer of a client has in common.
struct TransferSettings {
  std::string user_agent;
  Duration connect_timeout{};
  std::size_t header_bytes_max = 0;
};

class Transfer {
 public:
  Transfer(std::uint64_t id, Request request, Url url, TimePoint deadline, std::stop_token stop,
           Callback done);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  std::uint64_t id() const { return id_; }
  const Url& url() const { return url_; }
  TimePoint deadline() const { return deadline_; }
  const std::stop_token& stop() const { return stop_; }
  CURL* easy() const { return easy_.get(); }

  // Has `on_stop` called when a stop is requested; from any thread, perhaps from this call.
  void watch(std::function<void()> on_stop);

  // Gives the request to `easy`, which may have been used before.
  void prepare(Easy easy, const TransferSettings& settings, std::optional<std::string> proxy,
               std::shared_ptr<const TlsContext> tls);

  // The answer, or the error, after the library has said `code`.
  Result<Response> result(CURLcode code);

  Error timed_out() const;  // the loop's own deadline came

  // Hands the handle back for the next transfer; nothing of this one stays in it.
  Easy release();

  // Ends the transfer. Called once.
  void finish(Result<Response> result);

 private:
  using Slist = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  static CURLcode on_ssl_context(CURL* easy, void* context, void* self);
  bool take_header(std::string_view line);
  void set_url();
  void set_method();
  void set_headers(const TransferSettings& settings);
  void erase_secrets();

  const std::uint64_t id_;
  const TimePoint deadline_;
  const std::stop_token stop_;
  const Url url_;
  Request request_;
  Callback done_;
  std::optional<std::stop_callback<std::function<void()>>> watch_;

  Easy easy_;
  Slist header_list_{nullptr, &curl_slist_free_all};
  Slist connect_to_{nullptr, &curl_slist_free_all};
  std::shared_ptr<const TlsContext> tls_;
  std::shared_ptr<CertificateTrouble> trouble_;  // of a connection that was made for this
  std::string proxy_;
  std::array<char, CURL_ERROR_SIZE> error_text_{};

  Response response_;
  std::size_t header_bytes_ = 0;
  std::size_t header_bytes_max_ = 0;
  bool body_begun_ = false;
  std::string over_limit_;  // which limit the answer broke
};

}  // namespace windlass::http
