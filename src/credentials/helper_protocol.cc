#include "helper_protocol.h"

#include <algorithm>

#include "json.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::credentials {
namespace {

constexpr std::string_view kNotFound = "credentials not found in native keychain";
constexpr std::string_view kTokenUser = "<token>";

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

}  // namespace

Result<std::string> helper_program(std::string_view helper) {
  if (helper.empty() || !std::ranges::all_of(helper, is_plain)) {
    return fail(ErrorCode::kInvalid,
                format("the credential helper {} cannot be: letters, digits, '-', '_' and '.' are "
                       "expected",
                       quoted(helper, 60)));
  }
  return "docker-credential-" + std::string(helper);
}

Result<std::optional<Credential>> read_helper_answer(const ProgramEnd& end,
                                                     const std::string& program,
                                                     const std::string& key) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kUnauthenticated, format("{} get for {}: {}; run it by hand to see more",
                                                    program, printable(key), why));
  };
  if (end.status != 0) {
    // In so many words, as the protocol has it; some programs put blanks around them.
    if (trim(end.output) == kNotFound) return std::nullopt;
    return refuse(format("it ended with status {}", end.status));
  }
  const Result<boost::json::value> answer = parse_secret_object(end.output, program);
  if (!answer) return refuse("its answer is not the JSON object that is expected");
  const boost::json::object& object = answer->get_object();
  bool user_is_text = false;
  bool secret_is_text = false;
  const std::string_view user = string_member(object, "Username", &user_is_text);
  const std::string_view secret = string_member(object, "Secret", &secret_is_text);
  if (!user_is_text || !secret_is_text)
    return refuse("its answer holds Username or Secret, but not as text");
  if (user.empty() && secret.empty()) return std::nullopt;
  if (user == kTokenUser) return Credential::identity_token({}, Secret(secret), program);
  return Credential::password(std::string(user), Secret(secret), program);
}

}  // namespace windlass::credentials
