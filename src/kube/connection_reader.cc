#include "connection_reader.h"

#include <algorithm>
#include <array>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/base64.h"
#include "windlass/credentials/secret_file.h"
#include "windlass/http/url.h"

namespace windlass::kube {
namespace {

using credentials::Secret;
using credentials::Section;

constexpr std::string_view kExecGroup = "client.authentication.k8s.io/";

// Relative paths start from the folder of the file they stand in.
std::string beside(const std::filesystem::path& file, const std::string& path) {
  if (path.empty()) return path;
  return (file.parent_path() / path).lexically_normal().string();
}

bool is_loopback(const http::Url& url) {
  return url.host() == "localhost" || url.is_loopback_address();
}

// What paths are appended to. A query is left out, as kubectl has it.
std::string base_address(const http::Url& url) {
  std::string address = (url.is_https() ? "https://" : "http://") + url.authority() + url.path();
  while (address.ends_with('/')) address.pop_back();
  return address;
}

}  // namespace

Result<Connection> ConnectionReader::read() {
  const Kubeconfig::Entry& entry = config_.contexts_.at(context_);
  const std::string file = printable(entry.file.string(), 4096);
  connection_.source = format("context {} of {}", printable(context_, 100), file);
  const Section context(entry.value, file, entry.path, problems_);
  if (const std::string name = context.text("namespace"); !name.empty())
    connection_.default_namespace = name;
  const std::string cluster = context.text("cluster");
  const std::string user = context.text("user");
  if (cluster.empty()) context.note("cluster", "the name of a cluster is expected");
  if (const Kubeconfig::Entry* found = entry_of(config_.clusters_, cluster, "cluster", context))
    read_cluster(*found);
  if (const Kubeconfig::Entry* found = entry_of(config_.users_, user, "user", context))
    read_user(*found);
  if (!problems_.empty()) return fail(ErrorCode::kInvalid, problems_.front());
  if (connection_.identity.exec) tell_cluster(*connection_.identity.exec);
  return std::move(connection_);
}

const Kubeconfig::Entry* ConnectionReader::entry_of(const Kubeconfig::Entries& entries,
                                                    const std::string& name, std::string_view kind,
                                                    const Section& context) {
  if (name.empty()) return nullptr;
  const auto found = entries.find(name);
  if (found != entries.end()) return &found->second;
  context.note(kind, format("there is no {} named {}", kind, quoted(name, 100)));
  return nullptr;
}

Secret ConnectionReader::decoded(const Section& section, std::string_view name) {
  std::string text(section.secret(name).reveal());
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
  std::optional<std::string> bytes = credentials::base64_decode(text);
  credentials::erase(text);
  if (!bytes) {
    section.note(name, "base64 is expected");
    return {};
  }
  Secret secret(*bytes);
  credentials::erase(*bytes);
  return secret;
}

void ConnectionReader::read_cluster(const Kubeconfig::Entry& entry) {
  const Section cluster(entry.value, printable(entry.file.string(), 4096), entry.path, problems_);
  connection_.server = cluster.text("server");
  connection_.ca_file = beside(entry.file, cluster.text("certificate-authority"));
  connection_.ca_pem = decoded(cluster, "certificate-authority-data").reveal();
  connection_.any_certificate = cluster.flag("insecure-skip-tls-verify");
  connection_.server_name = cluster.text("tls-server-name");
  connection_.proxy = cluster.text("proxy-url");
  for (const Section& extension : cluster.sections("extensions")) {
    const credentials::Value* value = extension.value().find("extension");
    if (value != nullptr && extension.text("name") == "client.authentication.k8s.io/exec")
      cluster_extension_ = credentials::to_json(*value);
  }
  check(cluster);
}

void ConnectionReader::check(const Section& cluster) {
  if (!connection_.ca_pem.empty()) connection_.ca_file.clear();
  const bool has_ca = !connection_.ca_file.empty() || !connection_.ca_pem.empty();
  if (has_ca && connection_.any_certificate)
    cluster.note("insecure-skip-tls-verify", "it cannot be true beside a certificate-authority");
  const Result<http::Url> url = http::Url::parse(connection_.server);
  if (!url) {
    cluster.note("server", cluster.has("server")
                               ? "an address such as https://host:6443 is expected"
                               : "it is required");
  } else if (!url->is_https() && !is_loopback(*url)) {
    cluster.note("server", "https is expected: nobody is logged in without encryption");
  } else {
    connection_.server = base_address(*url);
  }
  if (connection_.proxy.empty()) return;
  constexpr std::array<std::string_view, 4> kSchemes = {"http", "https", "socks5", "socks5h"};
  const std::size_t end = connection_.proxy.find("://");
  const std::string scheme = to_lower(connection_.proxy.substr(0, end));
  if (end == std::string::npos || std::ranges::find(kSchemes, scheme) == kSchemes.end())
    cluster.note("proxy-url", "http://, https:// or socks5:// is expected");
  // The other end looks the name up, as kubectl has it.
  if (scheme == "socks5") connection_.proxy = "socks5h" + connection_.proxy.substr(end);
}

void ConnectionReader::read_user(const Kubeconfig::Entry& entry) {
  const Section user(entry.value, printable(entry.file.string(), 4096), entry.path, problems_);
  Identity& identity = connection_.identity;
  identity.token = user.secret("token");
  identity.token_file = beside(entry.file, user.text("tokenFile"));
  identity.user = user.text("username");
  identity.password = user.secret("password");
  const bool has_token = !identity.token.empty() || !identity.token_file.empty();
  if (has_token && !identity.user.empty())
    user.note("username", "a user and password cannot stand beside a token");
  identity.client_certificate_pem = decoded(user, "client-certificate-data");
  identity.client_key_pem = decoded(user, "client-key-data");
  if (identity.client_certificate_pem.empty())
    identity.client_certificate_file = beside(entry.file, user.text("client-certificate"));
  if (identity.client_key_pem.empty())
    identity.client_key_file = beside(entry.file, user.text("client-key"));
  const bool has_certificate =
      !identity.client_certificate_pem.empty() || !identity.client_certificate_file.empty();
  const bool has_key = !identity.client_key_pem.empty() || !identity.client_key_file.empty();
  if (has_certificate != has_key)
    user.note(has_key ? "client-key" : "client-certificate",
              "a client certificate and its key are needed, not one of them");
  read_impersonation(user);
  if (user.has("auth-provider"))
    user.note("auth-provider", "no longer supported by Kubernetes; use an exec plugin");
  if (const auto exec = user.section("exec")) read_exec(*exec, entry.file);
}

void ConnectionReader::read_exec(const Section& exec, const std::filesystem::path& file) {
  ExecPlugin plugin;
  std::string command = exec.text("command");
  if (command.empty()) exec.note("command", "the name of a program is expected");
  // With a slash it is a file, and not looked for in PATH.
  if (command.find('/') != std::string::npos) command = beside(file, command);
  plugin.command = exec.texts("args");
  plugin.command.insert(plugin.command.begin(), std::move(command));
  for (const Section& variable : exec.sections("env")) {
    std::string name = variable.text("name");
    if (name.empty() || name.find('=') != std::string::npos) {
      variable.note("name", "a name without '=' is expected");
    } else {
      plugin.environment.emplace_back(std::move(name), variable.text("value"));
    }
  }
  plugin.api_version = exec.text("apiVersion");
  const std::string_view version = plugin.api_version;
  if (!version.starts_with(kExecGroup) ||
      (version.substr(kExecGroup.size()) != "v1" && version.substr(kExecGroup.size()) != "v1beta1"))
    exec.note("apiVersion", format("{}v1 or v1beta1 is expected", kExecGroup));
  plugin.install_hint = exec.text("installHint");
  if (exec.text("interactiveMode") == "Always")
    exec.note("interactiveMode", "the plugin wants to ask somebody, and nobody is asked here");
  if (exec.flag("provideClusterInfo")) plugin.cluster_json = "{}";  // see tell_cluster()
  connection_.identity.exec = std::move(plugin);
}

void ConnectionReader::tell_cluster(ExecPlugin& plugin) const {
  if (plugin.cluster_json.empty()) return;
  std::string ca = connection_.ca_pem;
  if (!connection_.ca_file.empty()) {
    if (const auto text = credentials::read_secret_file(connection_.ca_file)) ca = text->reveal();
  }
  std::string json = "{\"server\":" + credentials::json_quoted(connection_.server);
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) json += format(",\"{}\":{}", name, credentials::json_quoted(value));
  };
  add("tls-server-name", connection_.server_name);
  if (connection_.any_certificate) json += ",\"insecure-skip-tls-verify\":true";
  add("certificate-authority-data", credentials::base64_encode(ca));
  add("proxy-url", connection_.proxy);
  if (!cluster_extension_.empty()) json += ",\"config\":" + cluster_extension_;
  plugin.cluster_json = json + "}";
}

void ConnectionReader::read_impersonation(const Section& user) {
  auto& headers = connection_.identity.impersonation;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (std::ranges::any_of(name + value, [](char c) { return c == '\n' || c == '\r'; })) {
      user.note("as", "a line break cannot stand in it");
    } else if (!value.empty()) {
      headers.emplace_back(name, value);
    }
  };
  add("Impersonate-User", user.text("as"));
  add("Impersonate-Uid", user.text("as-uid"));
  for (const std::string& group : user.texts("as-groups")) add("Impersonate-Group", group);
  if (const auto extra = user.section("as-user-extra")) {
    for (const auto& [name, value] : extra->value().members) {
      for (const std::string& text : extra->texts(name))
        add("Impersonate-Extra-" + http::percent_encode(name), text);
    }
  }
  if (!headers.empty() && headers.front().first != "Impersonate-User")
    user.note("as", "a user is needed to be somebody else");
}

}  // namespace windlass::kube
