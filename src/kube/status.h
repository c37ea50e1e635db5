// What an API server's answer means when it is not the object asked for.
#pragma once

#include "windlass/base/error.h"
#include "windlass/http/message.h"

namespace windlass::kube {

// The code from the HTTP status; the message from the Status object in the body, if there is one;
// retry_after from Retry-After or from the Status.
Error describe_status(const http::Response& response);

}  // namespace windlass::kube
