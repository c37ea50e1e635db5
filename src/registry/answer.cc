#include "answer.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <ctime>

#include "windlass/base/format.h"
#include "windlass/base/number.h"
#include "windlass/base/text.h"
#include "windlass/oci/manifest.h"

namespace windlass::registry {
namespace {

namespace json = boost::json;

constexpr std::array<int, 7> kHeadCannotTell = {400, 403, 404, 405, 406, 415, 501};

std::string header(const http::Response& response, std::string_view name) {
  const std::string* value = response.headers.find(name);
  return value == nullptr ? std::string() : *value;
}

std::string media_type(const http::Response& response) {
  const std::string type = header(response, "content-type");
  return to_lower(trim(std::string_view(type).substr(0, type.find(';'))));
}

bool is_schema_1(std::string_view type) {
  return type.starts_with("application/vnd.docker.distribution.manifest.v1+");
}

Error schema_1() {
  return {.code = ErrorCode::kInvalid,
          .message =
              "the image has a schema 1 manifest, which no current runtime runs; push it "
              "again with a current tool"};
}

Result<Manifest> not_a_manifest(const http::Response& response, std::string_view why) {
  const std::string type = media_type(response);
  return fail(ErrorCode::kInvalid,
              format("the answer is not a manifest ({}): {}; check that this is a registry's name "
                     "and that no proxy or login page answers in its place",
                     type.empty() ? "no content type" : printable(type, 80), why));
}

std::string_view text_member(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

// {"errors":[{"code":...,"message":...}]}, and what others write instead.
std::string json_message(const json::value& body) {
  const json::object* object = body.if_object();
  if (object == nullptr) return {};
  if (const json::value* errors = object->if_contains("errors")) {
    const json::array* list = errors->if_array();
    if (list != nullptr && !list->empty() && list->front().is_object()) {
      const json::object& first = list->front().get_object();
      const std::string_view code = text_member(first, "code");
      const std::string_view message = text_member(first, "message");
      return format("{}{}{}", code, code.empty() || message.empty() ? "" : ": ", message);
    }
  }
  for (const std::string_view name : {"message", "details", "detail", "error"}) {
    if (const std::string_view text = text_member(*object, name); !text.empty())
      return std::string(text);
  }
  return {};
}

std::optional<std::time_t> http_date(const std::string& text) {
  std::tm parts{};
  if (strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts) == nullptr) return std::nullopt;
  return timegm(&parts);
}

ErrorCode code_of(int status) {
  switch (status) {
    case 401: return ErrorCode::kUnauthenticated;
    case 403: return ErrorCode::kForbidden;
    case 404: return ErrorCode::kNotFound;
    case 429: return ErrorCode::kThrottled;
    case 408:
    case 499:
    case 500:
    case 502:
    case 503:
    case 504:
    case 520:
    case 521:
    case 522:
    case 523:
    case 524: return ErrorCode::kUnavailable;
    // Any other 4xx is a refusal; what is left is no answer of the protocol.
    default: return status >= 400 && status < 500 ? ErrorCode::kForbidden : ErrorCode::kInvalid;
  }
}

// What Go's server, nginx and Apache say to plain http on a port where they speak TLS.
bool wants_tls(std::string_view body) {
  return body.contains("HTTP request to an HTTPS server") ||
         body.contains("HTTP request was sent to HTTPS port") ||
         body.contains("speaking plain HTTP to an SSL-enabled");
}

}  // namespace

std::optional<Result<Manifest>> read_head(const http::Response& response) {
  if (response.status != 200) {
    if (std::ranges::find(kHeadCannotTell, response.status) != kHeadCannotTell.end())
      return std::nullopt;
    return fail(describe_status(response));
  }
  const std::string type = media_type(response);
  if (is_schema_1(type)) return fail(schema_1());
  // Two that differ are worth as much as none.
  const std::vector<std::string_view> told = response.headers.all("docker-content-digest");
  if (told.empty() || std::ranges::any_of(told, [&](auto one) { return one != told.front(); }))
    return std::nullopt;
  Result<image::Digest> digest = image::Digest::parse(told.front());
  if (!digest) return std::nullopt;
  return Manifest{.digest = *std::move(digest),
                  .media_type = type,
                  .size = parse_number<std::uint64_t>(header(response, "content-length"))};
}

Result<Manifest> read_get(const http::Response& response) {
  if (response.status != 200) return fail(describe_status(response));
  const std::string encoding = to_lower(header(response, "content-encoding"));
  if (!encoding.empty() && encoding != "identity")
    return not_a_manifest(
        response, format("it is encoded ({}), which was not asked for", printable(encoding, 40)));
  const Result<oci::Manifest> document = oci::parse_manifest(response.body);
  if (!document) return not_a_manifest(response, document.error().message);
  const std::string type = media_type(response);
  if (is_schema_1(type) || document->kind == oci::Manifest::Kind::kSchema1) return fail(schema_1());
  return Manifest{.digest = image::Digest::sha256_of(response.body),
                  .media_type = document->media_type.empty() ? type : document->media_type,
                  .size = response.body.size()};
}

Result<Manifest> choose_platform(const http::Response& response, Manifest manifest,
                                 const oci::Platform& platform) {
  const Result<oci::Manifest> document = oci::parse_manifest(response.body);
  if (!document) return fail(document.error());
  if (document->kind != oci::Manifest::Kind::kIndex) return manifest;
  Result<oci::Descriptor> chosen = oci::choose(document->descriptors, platform);
  if (!chosen) return fail(std::move(chosen.error()));
  return Manifest{.digest = chosen->digest, .media_type = chosen->media_type, .size = chosen->size};
}

std::optional<RateLimit> rate_limit(const http::Response& response) {
  const std::string limit = header(response, "ratelimit-limit");
  const std::string remaining = header(response, "ratelimit-remaining");
  const auto count = [](std::string_view text) {
    return parse_number<std::int64_t>(trim(text.substr(0, text.find(';'))));
  };
  const auto limit_count = count(limit);
  const auto remaining_count = count(remaining);
  if (!limit_count || !remaining_count || *limit_count < 0) return std::nullopt;
  RateLimit rate{.limit = *limit_count, .remaining = *remaining_count};
  const std::size_t window = limit.find("w=");
  if (window != std::string::npos) {
    const auto seconds =
        parse_number<std::uint32_t>(trim(std::string_view(limit).substr(window + 2)));
    rate.window = std::chrono::seconds(seconds.value_or(0));
  }
  return rate;
}

Error describe_status(const http::Response& response) {
  if (response.status == 400 && wants_tls(response.body)) {
    return {.code = ErrorCode::kInvalid,
            .message =
                "it speaks TLS, and was asked without; ask it with TLS (--tls HOST), and not "
                "as --plain-http"};
  }
  if (response.status == 407) {
    return {.code = ErrorCode::kInvalid,
            .message = "the proxy on the way wants a login (407); write it into the proxy's URL"};
  }
  std::string message = registry_message(response);
  // An answer to HEAD has no words of its own, and this number is not known to everybody.
  if (response.status == 429 && message.empty()) message = "too many requests";
  return {
      .code = code_of(response.status),
      .message = format("answered {}{}{}", response.status, message.empty() ? "" : ": ", message),
      .retry_after = retry_after(response)};
}

std::string registry_message(const http::Response& response) {
  std::string_view body = trim(response.body);
  if (body.empty()) return {};
  const std::string type = media_type(response);
  if (body.starts_with('{')) {
    json::error_code error;
    const json::value value = json::parse(body, error);
    if (!error) return printable(json_message(value));
  }
  if (type.contains("html") || body.starts_with('<')) return "a web page";
  return printable(trim(body.substr(0, body.find('\n'))));
}

std::optional<Duration> retry_after(const http::Response& response) {
  const std::string text = header(response, "retry-after");
  if (const auto seconds = parse_number<std::uint32_t>(trim(text)))
    return std::chrono::seconds(*seconds);
  const auto until = http_date(text);
  const auto now = http_date(header(response, "date"));
  if (!until || !now) return std::nullopt;
  // A date may be further away than a Duration can say.
  constexpr std::time_t kLongest = std::time_t{366} * 24 * 3600;
  return std::chrono::seconds(std::clamp<std::time_t>(*until - *now, 0, kLongest));
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace windlass::registry
