// Makes a Connection of one context of a Kubeconfig.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/credentials/section.h"
#include "windlass/kube/kubeconfig.h"

namespace windlass::kube {

class ConnectionReader {
 public:
  ConnectionReader(const Kubeconfig& config, std::string context)
      : config_(config), context_(std::move(context)) {}

  // kInvalid with the first of the problems.
  Result<Connection> read();

 private:
  const Kubeconfig::Entry* entry_of(const Kubeconfig::Entries& entries, const std::string& name,
                                    std::string_view kind, const credentials::Section& context);
  void read_cluster(const Kubeconfig::Entry& entry);
  void read_user(const Kubeconfig::Entry& entry);
  void read_exec(const credentials::Section& exec, const std::filesystem::path& file);
  void read_impersonation(const credentials::Section& user);
  void check(const credentials::Section& cluster);
  void tell_cluster(ExecPlugin& plugin) const;
  credentials::Secret decoded(const credentials::Section& section, std::string_view name);

  const Kubeconfig& config_;
  const std::string context_;
  Connection connection_;
  std::string cluster_extension_;  // JSON for an exec plugin
  std::vector<std::string> problems_;
};

}  // namespace windlass::kube
