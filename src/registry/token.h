// Token requests and answers (distribution's token and OAuth2 specifications). Pure functions.
#pragma once

#include <optional>
#include <string>

#include "windlass/base/result.h"
#include "windlass/credentials/credential.h"
#include "windlass/http/message.h"
#include "windlass/http/url.h"

namespace windlass::registry {

// What a token is asked for with, and so what it is good for.
struct TokenRequest {
  http::Url realm;
  std::optional<std::string> service;  // as the challenge has it; may be ""
  std::string scope;
  credentials::Credential credential;

  std::string key() const;  // equal for requests that the same token answers
};

// GET with the login in Basic, or POST for an identity token, which is never part of a URL.
http::Request to_http(const TokenRequest& request);

struct Token {
  credentials::Secret value;
  Duration lifetime{};  // from when it came
};

// Reads a 200 answer. kInvalid when there is no usable token in it; the answer is never quoted.
Result<Token> parse_token(const http::Response& response, const http::Url& realm);

}  // namespace windlass::registry
