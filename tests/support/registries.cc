#include "registries.h"

#include <algorithm>
#include <boost/json.hpp>

#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/http/curl_client.h"

namespace windlass::test_support {
namespace {

namespace json = boost::json;

std::string text(const json::value& value) { return json::value_to<std::string>(value); }

std::vector<std::string> command(std::string script, const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {WINDLASS_PYTHON, "-B",
                                        WINDLASS_SUPPORT + std::move(script)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

}  // namespace

std::string Logged::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

FakeRegistry::FakeRegistry(const std::vector<std::string>& options)
    : process_(command("/fake_registry.py", options)),
      tls_(std::ranges::find(options, "--tls") != options.end()) {
  const json::value ready = json::parse(process_.first_line());
  main_port_ = static_cast<int>(ready.at("main").as_int64());
  other_port_ = static_cast<int>(ready.at("other").as_int64());
  proxy_port_ = static_cast<int>(ready.at("proxy").as_int64());
  connect();
}

std::string FakeRegistry::host() const { return format("127.0.0.1:{}", main_port_); }
std::string FakeRegistry::other_host() const { return format("127.0.0.1:{}", other_port_); }

std::string FakeRegistry::proxy() const { return format("http://127.0.0.1:{}", proxy_port_); }

std::string FakeRegistry::image(const std::string& behaviours, const std::string& tag) const {
  return format("{}/b/{}/app:{}", host(), behaviours, tag);
}

void FakeRegistry::connect() {
  http::CurlClient::Options options;
  if (tls_) {
    options.tls.ca_files = {certificate_folder() + "/ca.crt"};
    options.tls.client_certificate_file = certificate_folder() + "/client.crt";
    options.tls.client_key_file = certificate_folder() + "/client.key";
  }
  auto client = http::CurlClient::create(system_clock(), std::move(options));
  WINDLASS_CHECK(client.has_value());
  http_ = *std::move(client);
}

std::string FakeRegistry::control(const std::string& path) const {
  const Result<http::Response> response =
      http_->send_blocking({.url = format("{}://{}{}", tls_ ? "https" : "http", host(), path),
                            .body_bytes_max = std::size_t{256} << 20U,
                            .any_certificate = true});
  WINDLASS_CHECK(response.has_value() && response->status == 200);
  return response->body;
}

std::string FakeRegistry::digest(const std::string& behaviours, const std::string& platform) const {
  const json::value expected =
      json::parse(control(format("/_expect?name=b/{}/app&tag=v1", behaviours)));
  return platform.empty() ? text(expected.at("digest"))
                          : text(expected.at("children").at(platform));
}

std::vector<Logged> FakeRegistry::log() const {
  std::vector<Logged> requests;
  const json::value log = json::parse(control("/_log"));
  for (const json::value& entry : log.as_array()) {
    Logged request{.listener = text(entry.at("listener")),
                   .connection = static_cast<int>(entry.at("connection").as_int64()),
                   .time = entry.at("time").to_number<double>(),
                   .method = text(entry.at("method")),
                   .target = text(entry.at("target")),
                   .path = text(entry.at("path")),
                   .query = text(entry.at("query")),
                   .headers = {},
                   .body = text(entry.at("body"))};
    for (const auto& [name, value] : entry.at("headers").as_object())
      request.headers[std::string(name)] = text(value);
    requests.push_back(std::move(request));
  }
  return requests;
}

void FakeRegistry::clear_log() const { control("/_clear"); }

const std::string& certificate_folder() {
  static const TemporaryFolder folder;
  static const std::string path = [] {
    output_of({WINDLASS_PYTHON, "-B", "-c",
               "import sys; sys.path.insert(0, sys.argv[1]); import certificates; "
               "certificates.make(sys.argv[2])",
               WINDLASS_SUPPORT, folder.path("tls")});
    return folder.path("tls");
  }();
  return path;
}

const LocalFiles& local_files() {
  static const TemporaryFolder folder;
  static const LocalFiles files = [] {
    const json::value made = json::parse(
        output_of({WINDLASS_PYTHON, "-B", WINDLASS_SUPPORT "/local_images.py", folder.path("")}));
    LocalFiles out{.folder = folder.path(""), .layout = {}, .docker = {}};
    for (const auto& [name, digest] : made.at("layout").as_object())
      out.layout[std::string(name)] = text(digest);
    for (const json::value& name : made.at("docker").as_array()) out.docker.push_back(text(name));
    return out;
  }();
  return files;
}

RealRegistry::RealRegistry(const std::vector<std::string>& options)
    : process_([&] {
        std::vector<std::string> arguments =
            command("/real_registry.py",
                    {"--program", WINDLASS_DOCKER_REGISTRY, "--folder", folder_.path("registry")});
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
      }()) {
  const json::value ready = json::parse(process_.first_line());
  host_ = text(ready.at("host"));
  if (ready.at("ca").is_string()) ca_file_ = text(ready.at("ca"));
  if (ready.at("log").is_string()) log_file_ = text(ready.at("log"));
  for (const auto& [name, digest] : ready.at("images").as_object())
    images_[std::string(name)] = text(digest);
}

}  // namespace windlass::test_support
