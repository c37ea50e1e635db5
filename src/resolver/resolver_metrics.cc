#include "resolver_metrics.h"

#include <string_view>

namespace windlass::resolver {
namespace {

using telemetry::MetricWriter;

constexpr std::array<std::string_view, kOrigins> kOriginNames = {
    "lookup", "shared", "cache", "digest", "skipped", "malformed", "refused"};

double seconds_of(const std::optional<Duration>& duration) {
  return std::chrono::duration<double>(duration.value_or(Duration::zero())).count();
}

void write_counts(const Status& status, MetricWriter& writer) {
  const auto owners = [&](const char* state, std::size_t count) {
    writer.gauge("windlass_resolver_owners", "Owners that are remembered, by state.",
                 {{"state", state}}, static_cast<double>(count));
  };
  owners("pending", status.owners.pending);
  owners("resolved", status.owners.resolved);
  owners("failed", status.owners.failed);
  const auto lookups = [&](const char* state, std::size_t count) {
    writer.gauge("windlass_resolver_lookups", "Lookups that somebody waits for, by state.",
                 {{"state", state}}, static_cast<double>(count));
  };
  lookups("running", status.lookups_running);
  lookups("waiting", status.lookups - status.lookups_running);
  writer.gauge("windlass_resolver_oldest_lookup_seconds",
               "Age of the oldest lookup that somebody waits for.", {},
               seconds_of(status.oldest_lookup));
}

void write_registry(const RegistryStatus& registry, MetricWriter& writer) {
  const telemetry::Labels labels = {{"registry", registry.host}};
  writer.gauge("windlass_resolver_registry_waiting", "Lookups that wait for their turn.", labels,
               static_cast<double>(registry.waiting));
  writer.gauge("windlass_resolver_registry_running", "Tries under way.", labels,
               registry.under_way);
  writer.gauge("windlass_resolver_registry_tripped",
               "1 while the circuit breaker lets only probes through.", labels,
               registry.tripped ? 1 : 0);
  writer.gauge("windlass_resolver_registry_shut_seconds",
               "How long the registry will be left alone, by its own wish or for its failures.",
               labels, seconds_of(registry.opens_in));
}

void write_tally(const std::string& host, const RegistryTally& tally, MetricWriter& writer) {
  const auto tries = [&](std::string_view outcome, std::uint64_t count) {
    if (count == 0) return;
    writer.counter("windlass_resolver_tries_total", "Tries that ended, by outcome.",
                   {{"registry", host}, {"outcome", std::string(outcome)}},
                   static_cast<double>(count));
  };
  tries("found", tally.found);
  tries("abandoned", tally.abandoned);
  for (std::size_t code = 0; code < tally.failed.size(); ++code)
    tries(to_string(static_cast<ErrorCode>(code)), tally.failed[code]);
  const telemetry::Labels labels = {{"registry", host}};
  writer.counter("windlass_resolver_retries_total", "Tries after a lookup's first.", labels,
                 static_cast<double>(tally.retries));
  writer.histogram("windlass_resolver_try_seconds", "How long tries took.", labels, tally.seconds);
  if (tally.rate_limit) {
    writer.gauge("windlass_resolver_rate_limit_remaining",
                 "Requests that the registry will still answer, as it last said.", labels,
                 static_cast<double>(tally.rate_limit->remaining));
  }
}

}  // namespace

void write_metrics(const Status& status, const Tallies& tallies, MetricWriter& writer) {
  write_counts(status, writer);
  for (std::size_t i = 0; i < kOrigins; ++i) {
    writer.counter("windlass_resolver_images_total",
                   "Images that owners asked for, by where the answer comes from.",
                   {{"from", std::string(kOriginNames[i])}},
                   static_cast<double>(tallies.images()[i]));
  }
  for (const RegistryStatus& registry : status.registries) write_registry(registry, writer);
  for (const auto& [host, tally] : tallies.registries()) write_tally(host, tally, writer);
}

}  // namespace windlass::resolver
