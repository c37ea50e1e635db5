#include "login_entry.h"

#include "json.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/base64.h"

namespace windlass::credentials {
namespace {

LoginEntry refuse(std::string why) { return {.login = std::nullopt, .problem = std::move(why)}; }

// "user:password" in base64; the password may hold colons, and old writers padded it with NULs.
LoginEntry read_auth(std::string_view auth, const std::string& source) {
  std::optional<std::string> text = base64_decode(trim(auth));
  if (!text) return refuse("auth is not base64");
  LoginEntry entry;
  const std::size_t colon = text->find(':');
  if (colon == std::string::npos) {
    entry.problem = "auth holds no colon between user and password";
  } else {
    std::string_view password = std::string_view(*text).substr(colon + 1);
    while (password.ends_with('\0')) password.remove_suffix(1);
    entry.login = Credential::password(text->substr(0, colon), Secret(password), source);
  }
  erase(*text);
  return entry;
}

}  // namespace

LoginEntry read_login_entry(const boost::json::value& value, const std::string& source) {
  if (value.is_null()) return {};
  if (!value.is_object()) return refuse("an object is expected");
  const boost::json::object& object = value.get_object();
  for (const char* name : {"auth", "username", "password", "identitytoken", "registrytoken"}) {
    bool is_string = false;
    string_member(object, name, &is_string);
    if (!is_string) return refuse(format("{}: a string is expected", name));
  }
  bool ignored = false;
  const auto member = [&](std::string_view name) { return string_member(object, name, &ignored); };
  if (const std::string_view token = member("registrytoken"); !token.empty())
    return {.login = Credential::registry_token(Secret(token), source), .problem = {}};
  const std::string user(member("username"));
  if (const std::string_view token = member("identitytoken"); !token.empty())
    return {.login = Credential::identity_token(user, Secret(token), source), .problem = {}};
  if (const std::string_view auth = member("auth"); !auth.empty()) return read_auth(auth, source);
  const std::string_view password = member("password");
  if (user.empty() && password.empty()) return {};
  return {.login = Credential::password(user, Secret(password), source), .problem = {}};
}

}  // namespace windlass::credentials
