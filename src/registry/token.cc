#include "token.h"

#include <algorithm>
#include <boost/json.hpp>
#include <ctime>
#include <vector>

#include "windlass/base/format.h"
#include "windlass/credentials/base64.h"

namespace windlass::registry {
namespace {

using credentials::Credential;
namespace json = boost::json;

constexpr std::size_t kBodyBytesMax = std::size_t{512} << 10U;
// A request header larger than this is refused by most servers.
constexpr std::size_t kTokenBytesMax = std::size_t{64} << 10U;
constexpr std::chrono::seconds kDefaultLifetime{60};  // the specification's
constexpr std::chrono::hours kLongestLifetime{24};

// Both formats are in UTC: "Sun, 06 Nov 1994 08:49:37 GMT" and "1994-11-06T08:49:37Z".
std::optional<std::time_t> parse_time(const std::string& text, const char* form) {
  std::tm parts{};
  if (strptime(text.c_str(), form, &parts) == nullptr) return std::nullopt;
  return timegm(&parts);
}

// How old the token was when it came, by the server's own clock; ours may differ from it.
std::chrono::seconds age(const json::object& object, const http::Response& response) {
  const json::value* issued_text = object.if_contains("issued_at");
  const std::string* date_text = response.headers.find("date");
  if (issued_text == nullptr || !issued_text->is_string() || date_text == nullptr) return {};
  const auto issued =
      parse_time(std::string(std::string_view(issued_text->get_string())), "%Y-%m-%dT%H:%M:%S");
  const auto date = parse_time(*date_text, "%a, %d %b %Y %H:%M:%S GMT");
  if (!issued || !date || *date < *issued) return {};
  return std::min<std::chrono::seconds>(std::chrono::seconds(*date - *issued), kLongestLifetime);
}

Duration lifetime(const json::object& object, const http::Response& response) {
  std::chrono::seconds expires_in = kDefaultLifetime;
  if (const json::value* value = object.if_contains("expires_in")) {
    json::error_code error;
    const auto seconds = value->to_number<std::int64_t>(error);
    if (!error && seconds > 0)
      expires_in = std::chrono::seconds(
          std::min<std::int64_t>(seconds, std::chrono::seconds(kLongestLifetime).count()));
  }
  return std::max(Duration::zero(), Duration(expires_in - age(object, response)));
}

std::string_view member(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

// What RFC 6750 allows, loosely: visible ASCII. Anything else could end the header line.
bool is_sendable(std::string_view token) {
  return token.size() <= kTokenBytesMax &&
         std::ranges::all_of(token, [](char c) { return c > ' ' && c < '\x7f'; });
}

using Parameters = std::vector<std::pair<std::string, std::string>>;

std::string form(const Parameters& parameters) {
  std::string body;
  for (const auto& [name, value] : parameters) {
    if (!body.empty()) body += '&';
    body += name + '=' + http::percent_encode(value);
  }
  return body;
}

}  // namespace

std::string TokenRequest::key() const {
  return realm.to_string() + '\n' + service.value_or("\n") + '\n' + scope + '\n' +
         credential.fingerprint();
}

http::Request to_http(const TokenRequest& request) {
  http::Request out;
  out.body_bytes_max = kBodyBytesMax;
  out.headers.add("Accept", "application/json");
  Parameters parameters;
  if (request.service) parameters.emplace_back("service", *request.service);
  parameters.emplace_back("scope", request.scope);
  const Credential& credential = request.credential;
  if (credential.kind() == Credential::Kind::kIdentityToken) {
    out.method = http::Method::kPost;
    out.url = request.realm.to_string();
    out.headers.add("Content-Type", "application/x-www-form-urlencoded");
    parameters.emplace_back("client_id", "windlass");
    parameters.emplace_back("grant_type", "refresh_token");
    parameters.emplace_back("refresh_token", credential.secret().reveal());
    out.body = form(parameters);
    credentials::erase(parameters.back().second);
    return out;
  }
  out.url = request.realm.with_query(parameters).to_string();
  if (credential.kind() == Credential::Kind::kPassword) {
    std::string login = credential.user() + ':' + std::string(credential.secret().reveal());
    out.headers.add("Authorization", "Basic " + credentials::base64_encode(login));
    credentials::erase(login);
  }
  return out;
}

Result<Token> parse_token(const http::Response& response, const http::Url& realm) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kInvalid,
                format("no token in the answer of {}: {}; check that no proxy or login page "
                       "answers in its place, or ask who runs it",
                       realm.shown(), why));
  };
  json::error_code error;
  const json::value body = json::parse(response.body, error);
  if (error || !body.is_object()) return refuse("it is not a JSON object");
  const json::object& object = body.get_object();
  std::string_view text = member(object, "token");
  if (text.empty()) text = member(object, "access_token");
  if (text.empty()) return refuse("neither token nor access_token is there");
  if (!is_sendable(text))
    return refuse("the token holds characters that cannot be sent, or is too long");
  return Token{.value = credentials::Secret(text), .lifetime = lifetime(object, response)};
}

}  // namespace windlass::registry
