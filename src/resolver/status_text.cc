#include "windlass/resolver/status_text.h"

#include <algorithm>
#include <boost/json.hpp>
#include <vector>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::resolver {
namespace {

namespace json = boost::json;

json::value milliseconds(const std::optional<Duration>& duration) {
  if (!duration) return nullptr;
  return std::chrono::duration_cast<std::chrono::milliseconds>(*duration).count();
}

json::object json_of(const RegistryStatus& registry) {
  return {{"host", registry.host},           {"lookups", registry.lookups},
          {"under_way", registry.under_way}, {"waiting", registry.waiting},
          {"tripped", registry.tripped},     {"opens_in_ms", milliseconds(registry.opens_in)},
          {"cause", registry.cause}};
}

json::object json_of(const LookupStatus& lookup) {
  return {{"image", lookup.image},
          {"identity", lookup.identity},
          {"state", to_string(lookup.state)},
          {"tries", lookup.tries},
          {"next_try_in_ms", milliseconds(lookup.next_try_in)},
          {"last_cause", lookup.last_cause},
          {"waiters", lookup.waiters},
          {"platform", lookup.platform}};
}

json::object json_of(const OwnerStatus& owner) {
  return {{"owner", owner.owner},
          {"images", owner.images},
          {"pending", owner.pending},
          {"answered_within_ms", milliseconds(owner.answered_within)}};
}

json::object json_of(const FailedOwner& owner) {
  return {{"owner", owner.owner}, {"images", owner.images}, {"failed", owner.failed},
          {"image", owner.image}, {"cause", owner.cause},   {"tries", owner.tries}};
}

template <class Row>
json::array json_of(const std::vector<Row>& rows) {
  json::array all;
  for (const Row& row : rows) all.push_back(json_of(row));
  return all;
}

// Rows of cells under a heading, columns aligned; nothing when there are no rows.
std::string table(std::vector<std::vector<std::string>> rows) {
  if (rows.size() < 2) return {};
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text = "\n";
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += format("{:<{}}  ", row[i], widths[i]);
    text.append(line, 0, line.find_last_not_of(' ') + 1).append("\n");
  }
  return text;
}

std::string or_dash(const std::optional<Duration>& duration) {
  return duration ? to_text(*duration) : "-";
}

// "tripped": it keeps failing, and is only probed. "parked": it asked to be left alone.
std::string state_of(const RegistryStatus& registry) {
  if (registry.tripped) return "tripped";
  return registry.opens_in ? "parked" : "open";
}

std::string registry_table(const Status& status) {
  std::vector<std::vector<std::string>> rows = {
      {"REGISTRY", "STATE", "LOOKUPS", "UNDER WAY", "WAITING", "OPENS IN", "CAUSE"}};
  for (const RegistryStatus& registry : status.registries) {
    rows.push_back({printable(registry.host), state_of(registry), std::to_string(registry.lookups),
                    std::to_string(registry.under_way), std::to_string(registry.waiting),
                    or_dash(registry.opens_in), printable(registry.cause)});
  }
  return table(std::move(rows));
}

std::string lookup_table(const Status& status) {
  std::vector<std::vector<std::string>> rows = {
      {"IMAGE", "STATE", "TRIES", "NEXT TRY IN", "WAITERS", "LAST CAUSE"}};
  for (const LookupStatus& lookup : status.details) {
    const std::string for_platform = lookup.platform.empty() ? "" : " for " + lookup.platform;
    rows.push_back({printable(lookup.image + for_platform), std::string(to_string(lookup.state)),
                    std::to_string(lookup.tries), or_dash(lookup.next_try_in),
                    std::to_string(lookup.waiters), printable(lookup.last_cause)});
  }
  return table(std::move(rows));
}

std::string pending_table(const Status& status) {
  std::vector<std::vector<std::string>> rows = {
      {"PENDING OWNER", "IMAGES", "PENDING", "TIME LEFT"}};
  for (const OwnerStatus& owner : status.pending) {
    rows.push_back({printable(owner.owner), std::to_string(owner.images),
                    std::to_string(owner.pending), or_dash(owner.answered_within)});
  }
  return table(std::move(rows));
}

std::string failed_table(const Status& status) {
  std::vector<std::vector<std::string>> rows = {
      {"FAILED OWNER", "IMAGES", "FAILED", "IMAGE", "TRIES", "CAUSE"}};
  for (const FailedOwner& owner : status.failed) {
    rows.push_back({printable(owner.owner), std::to_string(owner.images),
                    std::to_string(owner.failed), printable(owner.image),
                    std::to_string(owner.tries), printable(owner.cause)});
  }
  return table(std::move(rows));
}

}  // namespace

std::string to_json(const Status& status) {
  return json::serialize(
      json::object{{"owners",
                    {{"pending", status.owners.pending},
                     {"resolved", status.owners.resolved},
                     {"failed", status.owners.failed}}},
                   {"images",
                    {{"pending", status.images.pending},
                     {"resolved", status.images.resolved},
                     {"skipped", status.images.skipped},
                     {"failed", status.images.failed}}},
                   {"lookups", {{"total", status.lookups}, {"running", status.lookups_running}}},
                   {"tries", status.tries},
                   {"oldest_lookup_ms", milliseconds(status.oldest_lookup)},
                   {"registries", json_of(status.registries)},
                   {"details", json_of(status.details)},
                   {"pending_owners", json_of(status.pending)},
                   {"failed_owners", json_of(status.failed)}});
}

std::string to_table(const Status& status) {
  const std::string counts = format(
      "owners   {} pending, {} resolved, {} failed\n"
      "images   {} pending, {} resolved, {} skipped, {} failed\n"
      "lookups  {} in all, {} running, {} tries so far\n",
      status.owners.pending, status.owners.resolved, status.owners.failed, status.images.pending,
      status.images.resolved, status.images.skipped, status.images.failed, status.lookups,
      status.lookups_running, status.tries);
  return counts + registry_table(status) + lookup_table(status) + pending_table(status) +
         failed_table(status);
}

std::string to_line(const Status& status) {
  const ImageCounts& images = status.images;
  const std::size_t done = images.resolved + images.skipped + images.failed;
  std::string line = format("{} of {} images", done, done + images.pending);
  if (images.failed > 0) line += format(", {} failed", images.failed);
  if (status.lookups_running > 0) line += format("; {} running", status.lookups_running);
  std::optional<Duration> next;
  for (const LookupStatus& lookup : status.details) {
    if (lookup.next_try_in && (!next || *lookup.next_try_in < *next)) next = lookup.next_try_in;
  }
  if (next) line += format("; next try in {}", to_text(*next));
  return line;
}

}  // namespace windlass::resolver
