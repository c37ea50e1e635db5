#include "windlass/telemetry_export/trace_settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "windlass/base/format.h"
#include "windlass/base/number.h"
#include "windlass/base/text.h"
#include "windlass/http/url.h"

namespace windlass::telemetry_export {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// "%20" and its like; nothing when one is malformed.
std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned byte = 0;
    const char* digits = text.data() + i + 1;
    if (text.size() - i < 3) return std::nullopt;
    const auto [end, error] = std::from_chars(digits, digits + 2, byte, 16);
    if (error != std::errc() || end != digits + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

// "a=1,b=2", values percent-encoded: all or nothing.
std::optional<Pairs> pairs_of(std::string_view text) {
  Pairs pairs;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view entry = trim(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (entry.empty()) continue;
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const auto name = percent_decoded(trim(entry.substr(0, equals)));
    const auto value = percent_decoded(trim(entry.substr(equals + 1)));
    if (!name || name->empty() || !value) return std::nullopt;
    pairs.emplace_back(*name, *value);
  }
  return pairs;
}

bool is_header(const std::pair<std::string, std::string>& header) {
  constexpr std::string_view kName =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";
  return header.first.find_first_not_of(kName) == std::string::npos &&
         std::ranges::all_of(header.second,
                             [](char c) { return c == '\t' || (c >= ' ' && c != 0x7F); });
}

// Whether `name` is the sender's own to set: another value would break the request, or what the
// receiver makes of it.
bool is_reserved(std::string_view name) {
  constexpr std::string_view kReserved[] = {"Connection",
                                            "Content-Encoding",
                                            "Content-Length",
                                            "Content-Type",
                                            "Expect",
                                            "Host",
                                            "Keep-Alive",
                                            "Proxy-Connection",
                                            "TE",
                                            "Trailer",
                                            "Transfer-Encoding",
                                            "Upgrade"};
  return std::ranges::any_of(
      kReserved, [&](std::string_view reserved) { return equals_ignoring_case(name, reserved); });
}

// The items of "a,b".
std::vector<std::string> items_of(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (const auto item = trim(text.substr(0, comma)); !item.empty())
      items.push_back(to_lower(item));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

// `text` with "/v1/traces" at the end of its path.
std::string with_traces_path(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of("?#"), text.size());
  std::string_view base = text.substr(0, end);
  while (base.ends_with('/')) base.remove_suffix(1);
  return format("{}/v1/traces{}", base, text.substr(end));
}

class Reader {
 public:
  Reader(const Environment& environment, TraceSettings& settings)
      : environment_(environment), settings_(settings) {}

  void read(std::string_view service) {
    if (is_disabled()) return;
    read_wanted();
    read_endpoint();
    read_headers();
    settings_.tls.client_certificate_file = either("CLIENT_CERTIFICATE").second;
    settings_.tls.client_key_file = either("CLIENT_KEY").second;
    if (auto [name, file] = either("CERTIFICATE"); !file.empty())
      settings_.tls.ca_files.push_back(file);
    if (auto [name, text] = either("TIMEOUT"); !text.empty())
      read_milliseconds(name, text, settings_.timeout);
    if (auto [name, text] = either("PROTOCOL"); !text.empty() && to_lower(text) != "http/json")
      problem(name, quoted(text) + ": spans are sent as http/json");
    if (auto [name, text] = either("COMPRESSION"); !text.empty() && to_lower(text) != "none")
      problem(name, quoted(text) + ": spans are sent as they are");
    read_propagators();
    read_resource(service);
    read_sampler();
    read_limits();
  }

 private:
  std::string get(const std::string& name) const {
    const auto value = environment_(name);
    return value ? std::string(trim(*value)) : std::string();
  }

  // The variable for traces, else the one for everything: its name and value.
  std::pair<std::string, std::string> either(const std::string& what) const {
    const std::string special = "OTEL_EXPORTER_OTLP_TRACES_" + what;
    if (std::string value = get(special); !value.empty()) return {special, std::move(value)};
    const std::string general = "OTEL_EXPORTER_OTLP_" + what;
    return {general, get(general)};
  }

  void problem(std::string_view name, std::string_view text) {
    settings_.problems.push_back(format("{}: {}", name, text));
  }

  bool is_disabled() {
    const std::string text = to_lower(get("OTEL_SDK_DISABLED"));
    if (!text.empty() && text != "true" && text != "false")
      problem("OTEL_SDK_DISABLED", quoted(text) + " is neither true nor false");
    return text == "true";
  }

  // One that is not known counts as not named; "none" beside others says nothing.
  void read_wanted() {
    bool otlp = false;
    bool none = false;
    for (const std::string& exporter : items_of(get("OTEL_TRACES_EXPORTER"))) {
      otlp = otlp || exporter == "otlp";
      none = none || exporter == "none";
      if (exporter != "otlp" && exporter != "none")
        problem("OTEL_TRACES_EXPORTER", quoted(exporter) + " is not known; otlp and none are");
    }
    settings_.wanted = otlp || (!none && !either("ENDPOINT").second.empty());
  }

  // Baggage is in the standard's default; there is none here that would be lost.
  void read_propagators() {
    for (const std::string& name : items_of(get("OTEL_PROPAGATORS"))) {
      if (name != "tracecontext" && name != "baggage")
        problem("OTEL_PROPAGATORS", quoted(name) + " is not known; tracecontext is");
    }
  }

  void read_endpoint() {
    auto [name, text] = either("ENDPOINT");
    if (text.empty()) return;
    if (name == "OTEL_EXPORTER_OTLP_ENDPOINT") text = with_traces_path(text);
    if (const auto url = http::Url::parse(text)) {
      settings_.endpoint = url->to_string();
    } else {
      problem(name, url.error().message + "; no spans are sent");
      settings_.wanted = false;
    }
  }

  void read_headers() {
    const auto [name, text] = either("HEADERS");
    const auto pairs = pairs_of(text);
    if (!pairs || !std::ranges::all_of(*pairs, is_header)) {
      problem(name, "not of the form NAME=VALUE,NAME=VALUE, with values percent-encoded");
      return;
    }
    for (const auto& [header, value] : *pairs) {
      if (is_reserved(header)) {
        problem(name, header + " is not for others to set; it is left out");
      } else {
        settings_.headers.add(header, value);
      }
    }
  }

  void read_resource(std::string_view service) {
    const auto pairs = pairs_of(get("OTEL_RESOURCE_ATTRIBUTES"));
    if (!pairs)
      problem("OTEL_RESOURCE_ATTRIBUTES",
              "not of the form NAME=VALUE,NAME=VALUE, with values percent-encoded");
    std::string name = get("OTEL_SERVICE_NAME");
    Pairs others;
    for (const auto& [key, value] : pairs.value_or(Pairs{})) {
      if (key != "service.name") {
        others.emplace_back(key, value);
      } else if (name.empty()) {
        name = value;
      }
    }
    settings_.resource = {{"service.name", name.empty() ? std::string(service) : name}};
    settings_.resource.insert(settings_.resource.end(), others.begin(), others.end());
  }

  void read_sampler() {
    telemetry::Sampling& sampling = settings_.tracer.sampling;
    const std::string sampler = to_lower(get("OTEL_TRACES_SAMPLER"));
    if (sampler.empty()) return;
    constexpr std::string_view kParent = "parentbased_";
    const bool parent_based = sampler.starts_with(kParent);
    const std::string_view root =
        parent_based ? std::string_view(sampler).substr(kParent.size()) : sampler;
    if (root == "always_on" || root == "always_off") {
      sampling = {root == "always_on" ? 1.0 : 0.0, parent_based};
    } else if (root == "traceidratio") {
      sampling = {read_ratio(), parent_based};
    } else {
      problem("OTEL_TRACES_SAMPLER", quoted(sampler) + " is not known; every trace is recorded");
    }
  }

  double read_ratio() {
    const std::string text = get("OTEL_TRACES_SAMPLER_ARG");
    if (text.empty()) return 1;
    const auto ratio = parse_number<double>(text);
    if (ratio && *ratio >= 0 && *ratio <= 1) return *ratio;
    problem("OTEL_TRACES_SAMPLER_ARG",
            quoted(text) + " is not a number from 0 to 1; every trace is recorded");
    return 1;
  }

  std::optional<std::size_t> read_number(const std::string& name, const std::string& text,
                                         std::size_t least) {
    constexpr std::size_t kMost = 100'000'000;
    const auto number = parse_number<std::size_t>(text);
    if (number && *number >= least && *number <= kMost) return number;
    problem(name, format("{} is not a number from {} to {}", quoted(text), least, kMost));
    return std::nullopt;
  }

  void read_milliseconds(const std::string& name, const std::string& text, Duration& into) {
    if (const auto number = read_number(name, text, 1)) into = std::chrono::milliseconds(*number);
  }

  void read_limits() {
    const auto read = [&](const std::string& name, std::size_t least, std::size_t& into) {
      const std::string text = get(name);
      if (text.empty()) return;
      if (const auto number = read_number(name, text, least)) into = *number;
    };
    read("OTEL_BSP_MAX_QUEUE_SIZE", 1, settings_.queue_spans_max);
    read("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 1, settings_.batch_spans_max);
    settings_.batch_spans_max = std::min(settings_.batch_spans_max, settings_.queue_spans_max);
    if (const std::string text = get("OTEL_BSP_SCHEDULE_DELAY"); !text.empty())
      read_milliseconds("OTEL_BSP_SCHEDULE_DELAY", text, settings_.batch_delay);
    if (const std::string text = get("OTEL_BSP_EXPORT_TIMEOUT"); !text.empty())
      read_milliseconds("OTEL_BSP_EXPORT_TIMEOUT", text, settings_.export_timeout);
    telemetry::Tracer::Options& tracer = settings_.tracer;
    read("OTEL_ATTRIBUTE_COUNT_LIMIT", 0, tracer.fields_max);
    if (!get("OTEL_ATTRIBUTE_COUNT_LIMIT").empty()) tracer.event_fields_max = tracer.fields_max;
    read("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", 0, tracer.fields_max);
    read("OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT", 0, tracer.event_fields_max);
    read("OTEL_SPAN_EVENT_COUNT_LIMIT", 0, tracer.events_max);
    read("OTEL_SPAN_LINK_COUNT_LIMIT", 0, tracer.links_max);
    read("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", 0, tracer.text_bytes_max);
    read("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", 0, tracer.text_bytes_max);
  }

  const Environment& environment_;
  TraceSettings& settings_;
};

}  // namespace

TraceSettings trace_settings(const Environment& environment, std::string_view service) {
  TraceSettings settings;
  Reader(environment, settings).read(service);
  return settings;
}

}  // namespace windlass::telemetry_export
