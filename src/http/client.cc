#include "windlass/http/client.h"

#include <future>

namespace windlass::http {

Result<Response> Client::send_blocking(Request request, std::stop_token stop) {
  std::promise<Result<Response>> promise;
  std::future<Result<Response>> answer = promise.get_future();
  send(std::move(request), std::move(stop),
       [&promise](Result<Response> result) { promise.set_value(std::move(result)); });
  return answer.get();
}

}  // namespace windlass::http
