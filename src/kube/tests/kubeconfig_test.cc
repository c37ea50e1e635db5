#include "windlass/kube/kubeconfig.h"

#include <gtest/gtest.h>

#include "windlass/base/testing/temporary_folder.h"

namespace windlass::kube {
namespace {

constexpr std::string_view kConfig = R"(apiVersion: v1
kind: Config
current-context: main
contexts:
- name: main
  context: {cluster: one, user: alice, namespace: shop}
- name: other
  context: {cluster: two, user: robot}
- name: lost
  context: {cluster: nowhere, user: alice}
clusters:
- name: one
  cluster:
    server: https://one.test:6443/
    certificate-authority-data: Y2VydA==
    tls-server-name: kubernetes
- name: two
  cluster: {server: "https://two.test", certificate-authority: pki/ca.crt, proxy-url: "socks5://proxy.test:1080"}
users:
- name: alice
  user:
    client-certificate-data: Y2VydA==
    client-key-data: a2V5
- name: robot
  user: {tokenFile: token, as: eve, as-groups: [a, b], as-user-extra: {team: [x]}}
)";

Result<Connection> connection(std::string_view text, const std::string& context = "") {
  const Result<Kubeconfig> config = Kubeconfig::parse(text, "/home/u/.kube/config");
  if (!config) return fail(config.error());
  return config->connection(context);
}

std::string replaced(std::string_view from, std::string_view to) {
  std::string text(kConfig);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Kubeconfig, TheCurrentContext) {
  const Result<Connection> one = connection(kConfig);
  ASSERT_TRUE(one.has_value()) << one.error().message;
  EXPECT_EQ(one->source, "context main of /home/u/.kube/config");
  EXPECT_EQ(one->server, "https://one.test:6443");
  EXPECT_EQ(one->ca_pem, "cert");
  EXPECT_EQ(one->server_name, "kubernetes");
  EXPECT_EQ(one->default_namespace, "shop");
  EXPECT_EQ(one->identity.client_certificate_pem.reveal(), "cert");
  EXPECT_EQ(one->identity.client_key_pem.reveal(), "key");
}

TEST(Kubeconfig, AnotherContextWithPathsBesideItsFile) {
  const Result<Connection> two = connection(kConfig, "other");
  ASSERT_TRUE(two.has_value()) << two.error().message;
  EXPECT_EQ(two->ca_file, "/home/u/.kube/pki/ca.crt");
  EXPECT_EQ(two->proxy, "socks5h://proxy.test:1080");
  EXPECT_EQ(two->default_namespace, "default");
  EXPECT_EQ(two->identity.token_file, "/home/u/.kube/token");
  const std::vector<std::pair<std::string, std::string>> headers = {
      {"Impersonate-User", "eve"},
      {"Impersonate-Group", "a"},
      {"Impersonate-Group", "b"},
      {"Impersonate-Extra-team", "x"}};
  EXPECT_EQ(two->identity.impersonation, headers);
}

TEST(Kubeconfig, ABadEntryIsNamedAndHarmsOnlyThoseWhoUseIt) {
  struct Row {
    std::string_view from;
    std::string_view to;
    std::string_view says;
  };
  const Row table[] = {
      {"Y2VydA==", "'cana!ry'", ":15: clusters[0].cluster.certificate-authority-data: base64"},
      {"server: https://one.test:6443/", "x: y", ":14: clusters[0].cluster.server: it is required"},
      {"https://one.test:6443/", "ftp://x", ":14: clusters[0].cluster.server: an address"},
      {"https://one.test:6443/", "http://one.test", ":14: clusters[0].cluster.server: https is"},
      {"https://one.test:6443/", "http://127.one.test", ":14: clusters[0].cluster.server: https"},
      {"tls-server-name: kubernetes", "insecure-skip-tls-verify: true",
       ":16: clusters[0].cluster.insecure-skip-tls-verify: it cannot be true"},
      {"tls-server-name: kubernetes", "proxy-url: gopher://x", "proxy-url: http://, https:// or"},
      {"    client-key-data: a2V5\n", "", "users[0].user.client-certificate: a client certificate"},
      {"client-key-data: a2V5", "client-key-data: [canary]", "client-key-data: a text is expected"},
      {"client-key-data: a2V5", "client-key-data: a2V5\n    username: u\n    token: canary",
       "users[0].user.username: a user and password cannot stand beside a token"},
      {"client-key-data: a2V5", "client-key-data: a2V5\n    auth-provider: {name: gcp}",
       "auth-provider: no longer supported"},
      {"client-key-data: a2V5", "client-key-data: a2V5\n    exec: {command: c, apiVersion: v1}",
       "users[0].user.exec.apiVersion: client.authentication.k8s.io/v1"},
      {"client-key-data: a2V5", "client-key-data: a2V5\n    as-groups: [g]",
       "as: a user is needed"},
      {"user: alice, namespace", "user: bob, namespace", "there is no user named \"bob\""},
  };
  for (const Row& row : table) {
    const std::string text = replaced(row.from, row.to);
    const Result<Connection> one = connection(text);
    ASSERT_FALSE(one.has_value()) << row.says;
    EXPECT_EQ(one.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(one.error().message.starts_with("/home/u/.kube/config:")) << one.error().message;
    EXPECT_NE(one.error().message.find(row.says), std::string::npos) << one.error().message;
    EXPECT_EQ(one.error().message.find("canary"), std::string::npos);
    EXPECT_TRUE(connection(text, "other").has_value());
  }
}

TEST(Kubeconfig, AServersAddressIsWhatPathsCanBeAppendedTo) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"HTTPS://One.TEST:6443", "https://one.test:6443"},
      {"https://one.test:443/", "https://one.test"},
      {"https://one.test/k8s/clusters/c-1//", "https://one.test/k8s/clusters/c-1"},
      {"https://one.test/api?a=b", "https://one.test/api"},
      {"https://one.test/#part", "https://one.test"},
      {"https://[FD00::1]:6443", "https://[fd00::1]:6443"},
  };
  for (const auto& [written, server] : table) {
    const auto one = connection(replaced("https://one.test:6443", written));
    ASSERT_TRUE(one.has_value()) << written << ": " << one.error().message;
    EXPECT_EQ(one->server, server) << written;
  }
}

TEST(Kubeconfig, AProxysSchemeIsReadInAnyCase) {
  const auto two = connection(replaced("socks5://proxy", "SOCKS5://proxy"), "other");
  ASSERT_TRUE(two.has_value()) << two.error().message;
  EXPECT_EQ(two->proxy, "socks5h://proxy.test:1080");
}

TEST(Kubeconfig, AContextThatDoesNotExistIsAnsweredWithThoseThatDo) {
  const Result<Connection> none = connection(kConfig, "none");
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(none.error().message,
            "/home/u/.kube/config: there is no context \"none\"; there are: lost, main, other");
  EXPECT_EQ(connection(replaced("current-context: main\n", "")).error().code, ErrorCode::kNotFound);
  EXPECT_NE(connection(kConfig, "lost").error().message.find("no cluster named \"nowhere\""),
            std::string::npos);
}

TEST(Kubeconfig, AnExecPluginIsToldWhatItAskedFor) {
  const Result<Connection> one = connection(replaced(
      "client-key-data: a2V5",
      "client-key-data: a2V5\n    exec: {command: bin/aws, args: [eks], env: [{name: A, value: b}],"
      " apiVersion: client.authentication.k8s.io/v1, provideClusterInfo: true}"));
  ASSERT_TRUE(one.has_value()) << one.error().message;
  const ExecPlugin& plugin = *one->identity.exec;
  EXPECT_EQ(plugin.command, (std::vector<std::string>{"/home/u/.kube/bin/aws", "eks"}));
  EXPECT_EQ(plugin.environment.at(0), std::pair(std::string("A"), std::string("b")));
  EXPECT_EQ(plugin.cluster_json,
            R"({"server":"https://one.test:6443","tls-server-name":"kubernetes",)"
            R"("certificate-authority-data":"Y2VydA=="})");
}

TEST(Kubeconfig, WhatIsNoKubeconfigIsRefused) {
  for (const std::string_view text : {"[]", "kind: Pod", "a: 'x", "clusters: {}\nclusters: {}"})
    EXPECT_EQ(Kubeconfig::parse(text, "f").error().code, ErrorCode::kInvalid) << text;
  EXPECT_TRUE(Kubeconfig::parse("", "f").has_value());
  const Result<Kubeconfig> odd =
      Kubeconfig::parse("users: [{user: {}}, {name: a}, {name: a}]\nclusters: 1\n", "f");
  ASSERT_TRUE(odd.has_value());
  EXPECT_EQ(odd->problems(), (std::vector<std::string>{
                                 "f:2: clusters: a list is expected",
                                 "f:1: users[0].name: a name is expected; the entry is left out",
                                 "f:1: users[2].name: this name stands here twice; the first "
                                 "counts"}));
}

TEST(Kubeconfig, OfSeveralFilesTheFirstWithAnEntryCounts) {
  const TemporaryFolder temporary;
  const std::string& folder = temporary.root();
  temporary.write("a", "users: [{name: alice, user: {token: mine}}]\n");
  temporary.write("b", std::string(kConfig));
  const Result<Kubeconfig> both =
      Kubeconfig::load({folder + "/none", folder + "/a", folder + "/b"});
  ASSERT_TRUE(both.has_value()) << both.error().message;
  const Result<Connection> main = both->connection();
  ASSERT_TRUE(main.has_value()) << main.error().message;
  EXPECT_EQ(main->identity.token.reveal(), "mine");
  EXPECT_TRUE(main->identity.client_key_pem.empty());
  EXPECT_EQ(Kubeconfig::load({folder + "/none"}).error().code, ErrorCode::kNotFound);
  temporary.write("c", "a: 'x");
  EXPECT_EQ(Kubeconfig::load({folder + "/b", folder + "/c"}).error().code, ErrorCode::kInvalid);
}

TEST(InCluster, IsWhatAPodIsGiven) {
  const TemporaryFolder temporary;
  const std::string& folder = temporary.root();
  EXPECT_EQ(in_cluster("", "", folder).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(in_cluster("10.0.0.1", "443", folder).error().code, ErrorCode::kNotFound);
  temporary.write("token", "t");
  temporary.write("namespace", "shop\n");
  EXPECT_EQ(in_cluster("10.0.0.1", "44x", folder).error().code, ErrorCode::kInvalid);
  Result<Connection> pod = in_cluster("fd00::1", "443", folder);
  ASSERT_TRUE(pod.has_value()) << pod.error().message;
  EXPECT_EQ(pod->server, "https://[fd00::1]:443");
  EXPECT_EQ(pod->identity.token_file, folder + "/token");
  EXPECT_EQ(pod->default_namespace, "shop");
  EXPECT_EQ(pod->ca_file, "");
  temporary.write("ca.crt", "x");
  EXPECT_EQ(in_cluster("10.0.0.1", "443", folder)->ca_file, folder + "/ca.crt");
}

}  // namespace
}  // namespace windlass::kube
