// The exchange of a login for a token.
#pragma once

#include "context.h"
#include "endpoint.h"

namespace windlass::registry {

// One exchange, to be started by the TokenCache. Errors name the token service; the code is
// retryable when asking again may help, kForbidden or kUnauthenticated when the login was refused.
TokenCache::Exchange exchange_of(Context& context, TokenRequest request, Trust trust);

}  // namespace windlass::registry
