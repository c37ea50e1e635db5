// The second program of docs/guides/controller.md: a handler that ends later, and a retry policy.
//
// It fetches pages from a server of its own; each key is a URL.
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "windlass/base/clock.h"
#include "windlass/http/curl_client.h"
#include "windlass/reconcile/controller.h"
#include "windlass/telemetry_export/metrics_server.h"

using namespace windlass;
using namespace std::chrono_literals;
using reconcile::Outcome;

namespace {

Result<Outcome> outcome_of(const Result<http::Response>& answer) {
  if (!answer) return fail(answer.error());
  if (answer->status == 200) return Outcome::done();
  return fail(ErrorCode::kNotFound, "status " + std::to_string(answer->status));
}

reconcile::Options options() {
  reconcile::Options options = {.run_timeout = 10s, .max_in_flight = 1000};
  // [policy]
  options.retry_policy = [](const reconcile::FailedRun& failed) {
    if (failed.error.code == ErrorCode::kNotFound)
      return reconcile::RetryDecision::give_up("it is not there");
    if (failed.error.retry_after) return reconcile::RetryDecision::after(*failed.error.retry_after);
    return failed.tries < 50 ? reconcile::RetryDecision::with_backoff()
                             : reconcile::RetryDecision::give_up();
  };
  // [policy]
  return options;
}

}  // namespace

int main() {
  Clock& clock = system_clock();
  telemetry::Metrics metrics;
  const auto server = telemetry_export::MetricsServer::start(clock, "127.0.0.1:0", metrics, {});
  const auto client = http::CurlClient::create(clock, {});
  if (!server || !client) return 1;

  // [handler]
  reconcile::Controller controller(
      clock, "pages", options(), reconcile::AsyncHandler([&](reconcile::PendingRun run) {
        const http::Request request{.url = run.key()};
        const std::stop_token stop = run.context().stop();
        (*client)->send(request, stop,
                        [run = std::move(run)](const Result<http::Response>& answer) mutable {
                          run.finish(outcome_of(answer));
                        });
      }));
  // [handler]

  const std::string url = "http://" + (*server)->address();
  for (int page = 0; page < 100; ++page)
    controller.enqueue_now(url + "/metrics?page=" + std::to_string(page));
  controller.enqueue_now(url + "/none");

  // [run]
  std::stop_source stop;
  Result<reconcile::StopReport> left;
  {
    const std::jthread worker([&] { left = controller.run(stop.get_token(), 1); });
    while (!controller.empty()) clock.sleep_until(clock.now() + 1ms, {});
    stop.request_stop();
  }
  // [run]
  const reconcile::Stats stats = controller.stats();
  std::printf("%d fetched, %d given up, %zu left\n", static_cast<int>(stats.done),
              static_cast<int>(stats.given_up), left ? left->running.size() + left->ready : 1);
  return left ? 0 : 1;
}
