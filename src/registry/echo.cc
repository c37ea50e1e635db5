#include "echo.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <functional>
#include <string>
#include <vector>

#include "windlass/base/text.h"
#include "windlass/credentials/base64.h"
#include "windlass/credentials/secret.h"
#include "windlass/http/url.h"

namespace windlass::registry {
namespace {

namespace json = boost::json;

constexpr std::size_t kRecognisedBytes = 16;

std::string masked(std::string_view text, std::string_view secret) {
  const std::string_view start = secret.substr(0, kRecognisedBytes);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = std::min(text.find(start, at), text.size());
    out += text.substr(at, found - at);
    at = found;
    if (at == text.size()) break;
    const std::string_view rest = text.substr(at);
    at += static_cast<std::size_t>(std::ranges::mismatch(rest, secret).in1 - rest.begin());
    out += "***";
  }
  return out;
}

std::string masked(std::string_view text, std::span<const std::string_view> secrets) {
  std::string out(text);
  for (const std::string_view secret : secrets) {
    if (!secret.empty()) out = masked(out, secret);
  }
  return out;
}

// Within the document, for one secret may be written in many ways in JSON.
void mask_strings(json::value& value, std::span<const std::string_view> secrets) {
  if (json::string* text = value.if_string()) {
    *text = masked(std::string_view(*text), secrets);
  } else if (json::array* array = value.if_array()) {
    for (json::value& item : *array) mask_strings(item, secrets);
  } else if (json::object* object = value.if_object()) {
    for (auto& [name, member] : *object) mask_strings(member, secrets);
  }
}

// Of other answers nothing is shown.
bool may_be_shown(const http::Response& response) {
  return !response.body.empty() && (response.status < 200 || response.status >= 300);
}

using Login = std::array<std::string_view, 4>;

// Calls `use` with what the Authorization header holds: the login as sent, its password, and both
// as they are written in URLs. Not at all when there is none.
void with_login(const http::Request& request,
                const std::function<void(std::span<const std::string_view>)>& use) {
  const std::string* header = request.headers.find("Authorization");
  if (header == nullptr) return;
  const std::string_view value = *header;
  const std::string_view login = value.substr(std::min(value.find(' ') + 1, value.size()));
  std::string decoded;
  if (equals_ignoring_case(value.substr(0, 6), "basic "))
    decoded = credentials::base64_decode(login).value_or("");
  const std::string_view password =
      std::string_view(decoded).substr(std::min(decoded.find(':') + 1, decoded.size()));
  std::string login_in_url = http::percent_encode(login);
  std::string password_in_url = http::percent_encode(password);
  use(Login{login, password, login_in_url, password_in_url});
  credentials::erase(decoded);
  credentials::erase(login_in_url);
  credentials::erase(password_in_url);
}

}  // namespace

void mask_secrets(http::Response& response, std::span<const std::string_view> secrets) {
  if (!may_be_shown(response)) return;
  json::error_code error;
  json::value body = json::parse(response.body, error);
  if (!error && body.is_object()) {
    mask_strings(body, secrets);
    response.body = json::serialize(body);
  } else {
    response.body = masked(response.body, secrets);
  }
}

void mask_login(http::Response& response, const http::Request& request) {
  if (!may_be_shown(response)) return;
  with_login(request, [&](std::span<const std::string_view> login) {
    mask_secrets(response, login.first(2));
  });
}

std::string without_login(std::string text, const http::Request& request) {
  with_login(request, [&](std::span<const std::string_view> login) { text = masked(text, login); });
  return text;
}

}  // namespace windlass::registry
