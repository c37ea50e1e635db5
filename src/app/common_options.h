// CommonOptions: how lookups are made and what is told meanwhile, for every command.
//
// A value.
#pragma once

#include <string>
#include <vector>

#include "option.h"
#include "windlass/base/time.h"

namespace windlass::app {

enum class When { kAuto, kAlways, kNever };

struct CommonOptions {
  int in_flight_max = 16;
  Duration timeout = std::chrono::seconds(30);  // per image, from its first request
  int retries = -1;                             // -1: as long as the time lasts
  double rate = 0;                              // lookups per second and registry; 0: no limit
  std::vector<std::string> skip;                // patterns of registries to leave alone
  std::string authfile;                         // empty: where Docker and podman look
  std::vector<std::string> ca_files;
  std::vector<std::string> plain_http;  // hosts
  std::vector<std::string> tls;         // loopback hosts that speak TLS
  std::string cert_dir;                 // for all hosts; empty: where Docker and podman look
  std::vector<std::string> trusted_realms;
  std::string registries_conf;       // empty: where podman looks
  bool podman_names = false;         // short names mean what registries.conf says
  std::string platform;              // "OS/ARCHITECTURE[/VARIANT]"; empty: the index of all
  std::vector<std::string> sources;  // files, and "registry"; empty: registries alone
  When progress = When::kAuto;
  bool quiet = false;
  bool json_log = false;
  std::string metrics_file;    // empty: none
  std::string trace_endpoint;  // empty: what OpenTelemetry's variables say
  bool verbose = false;
  std::string config;  // file; empty: none
  bool help = false;
};

// The options of a command that makes lookups. `target` outlives them.
std::vector<Option> common_options(CommonOptions& target);

// --help, for every command.
Option help_option(bool& target);

}  // namespace windlass::app
