#include "common_options.h"

#include "windlass/base/format.h"
#include "windlass/base/number.h"
#include "windlass/base/text.h"
#include "windlass/http/url.h"
#include "windlass/image/image_reference.h"
#include "windlass/oci/local_image.h"
#include "windlass/resolver/skip_list.h"

namespace windlass::app {
namespace {

constexpr const char* kLookups = "Lookups";
constexpr const char* kRegistries = "Registries";
constexpr const char* kMessages = "Messages and settings";

Setter to_platform(std::string& target) {
  return [&target](std::string_view value) -> std::string {
    const auto platform = oci::Platform::parse(value);
    if (!platform) return platform.error().message;
    target = platform->to_string();
    return {};
  };
}

Setter to_source(std::vector<std::string>& target) {
  return [&target](std::string_view value) -> std::string {
    if (value != "registry") {
      const auto source = oci::LocalSource::parse(value);
      if (!source) return source.error().message;
    }
    target.emplace_back(value);
    return {};
  };
}

// A name without a dot or a port is never a registry's: "nginx" is Docker Hub's library/nginx.
bool is_registry(std::string_view host) {
  const auto reference = image::ImageReference::parse(format("{}/app", host));
  return reference && reference->written_name().starts_with(host) &&
         (reference->registry() != "docker.io" || host.ends_with("docker.io"));
}

std::string shown(std::string_view value) {
  return windlass::quoted(image::without_password(value));
}

Setter to_skip_pattern(std::vector<std::string>& target) {
  return [&target](std::string_view value) -> std::string {
    const std::string_view host = value.substr(0, value.find('/'));
    const bool is_wildcard = host.starts_with("*.");
    const std::string name = to_lower(host.substr(is_wildcard ? 2 : 0));
    const bool is_host = is_registry(is_wildcard ? "below." + name : name);
    if (!is_host || !resolver::SkipList::parse(std::vector{std::string(value)})) {
      return format(
          "{} is not HOST[:PORT], *.SUFFIX, or either with /PATH, such as kind.local or "
          "docker.io/library",
          shown(value));
    }
    target.emplace_back(value);
    return {};
  };
}

bool is_port(std::string_view text) {
  const auto port = parse_number<int>(text);
  return port && *port > 0 && *port < 65536;
}

Setter to_host(std::vector<std::string>& target) {
  return [&target](std::string_view value) -> std::string {
    constexpr std::string_view kOfHosts = "abcdefghijklmnopqrstuvwxyz0123456789.-_[:]";
    std::string_view host = value;
    const std::size_t colon = value.rfind(':');
    const bool has_port = colon != std::string_view::npos && !value.ends_with(']');
    if (has_port) host = value.substr(0, colon);
    const bool in_brackets = host.starts_with('[') && host.ends_with(']');
    const bool is_host = !host.empty() &&
                         to_lower(host).find_first_not_of(kOfHosts) == std::string::npos &&
                         (in_brackets || host.find_first_of("[:]") == std::string_view::npos);
    if (!is_host || (has_port && !is_port(value.substr(colon + 1)))) {
      return format("{} is not HOST or HOST:PORT", shown(value));
    }
    target.emplace_back(value);
    return {};
  };
}

Setter to_url(std::string& target) {
  return [&target](std::string_view value) -> std::string {
    if (!http::Url::parse(value)) return shown(value) + " is not a URL such as http://host:4318/";
    target = value;
    return {};
  };
}

std::vector<Option> lookup_options(CommonOptions& target) {
  return {
      {.name = "timeout",
       .value = "TIME",
       .help = "Time for each image from its first request on, retries included; waiting for its "
               "turn at --max-in-flight and --rate takes none of it, as long lists have long waits",
       .group = kLookups,
       .initial = "30s",
       .set = to_duration(target.timeout)},
      {.name = "max-in-flight",
       .value = "N",
       .help = "Lookups at a time; the first of a registry is one more, so that none waits for "
               "another",
       .group = kLookups,
       .initial = "16",
       .set = to_number(target.in_flight_max, 1, 10000)},
      {.name = "retries",
       .value = "N",
       .help = "Tries after the first failed one, within the time; otherwise as many as fit in it",
       .group = kLookups,
       .set = to_number(target.retries, 0, 1000)},
      {.name = "rate",
       .value = "R",
       .help = "Lookups begun per second at each registry, such as 10 or 0.5; otherwise no limit",
       .group = kLookups,
       .set = to_rate(target.rate)},
      {.name = "skip",
       .value = "PATTERN",
       .help =
           "Leave images of this registry alone: HOST, *.SUFFIX, or either with /PATH; given, it "
           "takes the place of what is skipped otherwise",
       .group = kLookups,
       .initial = "kind.local, ko.local, dev.local",
       .repeats = true,
       .set = to_skip_pattern(target.skip)},
      {.name = "platform",
       .value = "OS/ARCH[/VARIANT]",
       .help = "The digest of this platform's image, not of the index of all; costs a GET",
       .group = kLookups,
       .set = to_platform(target.platform)},
      {.name = "source",
       .value = "SOURCE",
       .help = "Where digests come from, in order: oci:DIR, oci-archive:FILE, docker-archive:FILE, "
               "registry",
       .group = kLookups,
       .initial = "registry",
       .repeats = true,
       .set = to_source(target.sources)},
  };
}

std::vector<Option> registry_options(CommonOptions& target) {
  return {
      {.name = "authfile",
       .value = "FILE",
       .help = "Logins, in the format of Docker's config.json; otherwise $REGISTRY_AUTH_FILE, "
               "$DOCKER_CONFIG/config.json or ~/.docker/config.json, and podman's auth.json",
       .group = kRegistries,
       .completes = Completes::kFiles,
       .set = to_value(target.authfile)},
      {.name = "ca-file",
       .value = "FILE",
       .help = "Trust the certificates in this PEM file too",
       .group = kRegistries,
       .completes = Completes::kFiles,
       .repeats = true,
       .set = to_list(target.ca_files)},
      {.name = "plain-http",
       .value = "HOST[:PORT]",
       .help = "Ask this host over http, without TLS",
       .group = kRegistries,
       .repeats = true,
       .set = to_host(target.plain_http)},
      {.name = "tls",
       .value = "HOST[:PORT]",
       .help = "Ask this loopback host over TLS, as all others are",
       .group = kRegistries,
       .repeats = true,
       .set = to_host(target.tls)},
      {.name = "cert-dir",
       .value = "DIR",
       .help =
           "Certificates for every registry: CAs in *.crt, ours in *.cert with *.key; otherwise "
           "each registry's in certs.d/HOST:PORT of ~/.config/containers, /etc/containers and "
           "/etc/docker",
       .group = kRegistries,
       .completes = Completes::kFiles,
       .set = to_value(target.cert_dir)},
      {.name = "registries-conf",
       .value = "FILE",
       .help = "Mirrors, other locations, blocked and insecure registries; otherwise "
               "$CONTAINERS_REGISTRIES_CONF, or podman's files",
       .group = kRegistries,
       .completes = Completes::kFiles,
       .set = to_value(target.registries_conf)},
      {.name = "short-names",
       .value = "WHOSE",
       .help = "What a name without a registry means: docker: Docker Hub; podman: what "
               "registries.conf says",
       .group = kRegistries,
       .initial = "docker",
       .words = {"docker", "podman"},
       .set = to_one_of<bool>(target.podman_names, {{"docker", false}, {"podman", true}})},
      {.name = "trust-realm",
       .value = "HOST[:PORT]",
       .help = "Send logins to this token service although it is not of the registry's site",
       .group = kRegistries,
       .repeats = true,
       .set = to_host(target.trusted_realms)},
  };
}

std::vector<Option> message_options(CommonOptions& target) {
  return {
      {.name = "progress",
       .value = "WHEN",
       .help = "Show how far the lookups are, on standard error: live on a terminal, else a line "
               "every few seconds, with always from the start",
       .group = kMessages,
       .initial = "auto",
       .words = {"auto", "always", "never"},
       .set = to_one_of<When>(
           target.progress,
           {{"auto", When::kAuto}, {"always", When::kAlways}, {"never", When::kNever}})},
      {.name = "quiet",
       .letter = 'q',
       .help = "Tell errors only",
       .group = kMessages,
       .excludes = {"verbose"},
       .set = to_flag(target.quiet)},
      {.name = "verbose",
       .letter = 'v',
       .help = "Tell also what was asked, and what was left alone",
       .group = kMessages,
       .set = to_flag(target.verbose)},
      {.name = "log-format",
       .value = "FORMAT",
       .help = "Messages on standard error as text, or as JSON, one object a line",
       .group = kMessages,
       .initial = "text",
       .words = {"text", "json"},
       .set = to_one_of<bool>(target.json_log, {{"text", false}, {"json", true}})},
      {.name = "metrics-file",
       .value = "FILE",
       .help = "Write what the run did to FILE, as Prometheus' textfile collectors read it",
       .group = kMessages,
       .completes = Completes::kFiles,
       .set = to_value(target.metrics_file)},
      {.name = "trace-endpoint",
       .value = "URL",
       .help = "Send a trace of the run to this OpenTelemetry collector (OTLP over HTTP), such as "
               "http://localhost:4318/v1/traces; otherwise as the OTEL_* variables say",
       .group = kMessages,
       .set = to_url(target.trace_endpoint)},
      {.name = "config",
       .value = "FILE",
       .help = "Read options from this YAML file; those given here win",
       .group = kMessages,
       .completes = Completes::kFiles,
       .in_config = false,
       .set = to_value(target.config)},
  };
}

}  // namespace

std::vector<Option> common_options(CommonOptions& target) {
  std::vector<Option> options = lookup_options(target);
  for (auto& more : {registry_options(target), message_options(target)}) {
    options.insert(options.end(), more.begin(), more.end());
  }
  options.push_back(help_option(target.help));
  options.back().group = kMessages;
  return options;
}

Option help_option(bool& target) {
  return {.name = "help",
          .letter = 'h',
          .help = "Print this and end",
          .group = "Options",
          .in_config = false,
          .set = to_flag(target)};
}

}  // namespace windlass::app
