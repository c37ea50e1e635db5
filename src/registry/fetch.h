// fetch(): one request with all its redirects, and the registry's wish to be left alone respected.
#pragma once

#include <stop_token>

#include "context.h"
#include "endpoint.h"

namespace windlass::registry {

struct Answer {
  http::Response response;
  http::Url url;           // that gave it
  bool elsewhere = false;  // after a redirect to another origin
};

// Follows up to ten redirects. Authorization goes to the origin it was given for and to no other;
// there is no way from https to http, nor into our own network. A POST is not repeated elsewhere.
// Errors name the host.
Task<Result<Answer>> fetch(Context& context, http::Request request, Trust trust, TimePoint deadline,
                           std::stop_token stop);

}  // namespace windlass::registry
