#include "windlass/http/url.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <charconv>
#include <memory>

#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::http {
namespace {

using Handle = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

std::string part(CURLU* handle, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(handle, which, &text, flags) != CURLUE_OK) return {};
  std::string out(text);
  curl_free(text);
  return out;
}

int effective_port(CURLU* handle) {
  const std::string text = part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT);
  int port = 0;
  std::from_chars(text.data(), text.data() + text.size(), port);
  return port;
}

bool is_scheme(std::string_view text) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
  return text.find_first_not_of(kAllowed) == std::string_view::npos;
}

// For errors. What stands before an @ may hold a password, however the rest was misspelt; a query
// may hold a signature that opens what it leads to.
std::string without_secrets(std::string_view text) {
  std::string out;
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    const std::size_t scheme = text.find("://");
    if (scheme < at && is_scheme(text.substr(0, scheme))) out = text.substr(0, scheme + 3);
    out += "...";
    text.remove_prefix(at);
  }
  const std::size_t query = text.find_first_of("?#");
  out += text.substr(0, query);
  if (query != std::string_view::npos) out += "?...";
  return quoted(out);
}

std::unexpected<Error> login_in_it() {
  return fail(ErrorCode::kInvalid, "a URL with a user name or password in it is not used");
}

// "https://" or "http://", in any case: the library would also guess a scheme or accept "https:/".
bool has_web_scheme(std::string_view text) {
  return equals_ignoring_case(text.substr(0, 8), "https://") ||
         equals_ignoring_case(text.substr(0, 7), "http://");
}

}  // namespace

Result<Url> Url::parse(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kInvalid,
                format("{} is not a usable URL: {}", without_secrets(text), why));
  };
  if (!has_web_scheme(text)) return refuse("it does not start with https:// or http://");
  if (text.find('\0') != std::string_view::npos) return refuse("it holds a NUL");
  const Handle handle(curl_url(), &curl_url_cleanup);
  const CURLUcode code =
      curl_url_set(handle.get(), CURLUPART_URL, std::string(text).c_str(), CURLU_DISALLOW_USER);
  // The text itself would show what must not be shown.
  if (code == CURLUE_USER_NOT_ALLOWED) return login_in_it();
  if (code != CURLUE_OK) return refuse(curl_url_strerror(code));
  curl_url_set(handle.get(), CURLUPART_FRAGMENT, nullptr, 0);

  Url url;
  url.text_ = part(handle.get(), CURLUPART_URL);
  url.https_ = equals_ignoring_case(part(handle.get(), CURLUPART_SCHEME), "https");
  url.host_ = to_lower(part(handle.get(), CURLUPART_HOST));
  url.port_ = effective_port(handle.get());
  url.path_ = part(handle.get(), CURLUPART_PATH);
  if (url.host_.empty()) return refuse("it names no host");
  if (url.port_ <= 0 || url.port_ > 65535) return refuse("no server has that port");
  return url;
}

Result<Url> Url::resolve(std::string_view reference) const {
  if (reference.find('\0') != std::string_view::npos)
    return fail(ErrorCode::kInvalid, format("{} holds a NUL", without_secrets(reference)));
  const Handle handle(curl_url(), &curl_url_cleanup);
  curl_url_set(handle.get(), CURLUPART_URL, text_.c_str(), 0);
  const CURLUcode code =
      curl_url_set(handle.get(), CURLUPART_URL, std::string(reference).c_str(), CURLU_URLENCODE);
  if (code == CURLUE_BAD_USER || code == CURLUE_BAD_PASSWORD || code == CURLUE_BAD_LOGIN)
    return login_in_it();
  if (code != CURLUE_OK) {
    return fail(ErrorCode::kInvalid, format("{} is not a usable URL: {}",
                                            without_secrets(reference), curl_url_strerror(code)));
  }
  return parse(part(handle.get(), CURLUPART_URL));
}

std::string Url::authority() const {
  return port_ == (https_ ? 443 : 80) ? host_ : format("{}:{}", host_, port_);
}

bool Url::is_loopback_address() const {
  if (host_.starts_with('[')) {
    in6_addr address{};
    return inet_pton(AF_INET6, host_.substr(1, host_.size() - 2).c_str(), &address) == 1 &&
           IN6_IS_ADDR_LOOPBACK(&address);
  }
  in_addr address{};
  return inet_pton(AF_INET, host_.c_str(), &address) == 1 && ntohl(address.s_addr) >> 24U == 127;
}

bool Url::same_origin(const Url& other) const {
  return https_ == other.https_ && host_ == other.host_ && port_ == other.port_;
}

Url Url::with_query(std::span<const std::pair<std::string, std::string>> parameters) const {
  std::string text = text_;
  char separator = text.find('?') == std::string::npos ? '?' : '&';
  for (const auto& [name, value] : parameters) {
    if (!text.ends_with('?') && !text.ends_with('&')) text += separator;
    separator = '&';
    text += percent_encode(name) + '=' + percent_encode(value);
  }
  Result<Url> url = parse(text);
  WINDLASS_CHECK(url.has_value());
  return *std::move(url);
}

std::string Url::shown() const {
  const std::size_t query = text_.find('?');
  if (query == std::string::npos) return printable(text_, 500);
  return printable(text_.substr(0, query), 500) + "?...";
}

std::string percent_encode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

}  // namespace windlass::http
