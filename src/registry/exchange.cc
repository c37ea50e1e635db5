#include "exchange.h"

#include "answer.h"
#include "echo.h"
#include "fetch.h"
#include "windlass/base/format.h"

namespace windlass::registry {
namespace {

// What services answer to a login they do not take.
bool is_about_login(int status) { return status == 400 || status == 401 || status == 403; }

Error refused(const TokenRequest& request, http::Response response) {
  const std::string_view secret = request.credential.secret().reveal();
  std::string in_form = http::percent_encode(secret);
  mask_secrets(response, std::vector<std::string_view>{secret, in_form});
  credentials::erase(in_form);
  Error error = describe_status(response);
  if (is_about_login(response.status)) {
    if (response.status != 403) error.code = ErrorCode::kUnauthenticated;
  } else if (!is_retryable(error.code)) {
    error.code = ErrorCode::kInvalid;
    error.message += "; check the registry's name, or ask who runs it for its token service";
  }
  return std::move(error).with_context("token service " + request.realm.shown());
}

Task<Result<Token>> exchange(Context& context, TokenRequest request, Trust trust,
                             std::stop_token stop) {
  const TimePoint deadline = saturating_add(context.clock.now(), context.options.request_timeout);
  Task<Result<Answer>> fetching =
      fetch(context, to_http(request), std::move(trust), deadline, std::move(stop));
  Result<Answer> answer = co_await fetching;
  if (!answer)
    co_return fail(std::move(answer.error()), "fetch token from " + request.realm.shown());
  if (answer->response.status != 200) co_return fail(refused(request, std::move(answer->response)));
  Result<Token> token = parse_token(answer->response, request.realm);
  credentials::erase(answer->response.body);
  co_return token;
}

}  // namespace

TokenCache::Exchange exchange_of(Context& context, TokenRequest request, Trust trust) {
  return [&context, request = std::move(request),
          trust = std::move(trust)](std::stop_token stop) mutable {
    return exchange(context, std::move(request), std::move(trust), std::move(stop));
  };
}

}  // namespace windlass::registry
