// Kubeconfig: one or more kubeconfig files, merged as kubectl merges those that KUBECONFIG names.
//
// Entries are read when a connection is made of them, so a bad one harms only those who use it.
// What the files name (certificates, tokens) is read by whoever connects; programs are not run
// here.
//
// A value, constant once read.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/credentials/document.h"
#include "windlass/kube/connection.h"

namespace windlass::kube {

class Kubeconfig {
 public:
  // The first file that has an entry of a name, or a current context, counts. Files that do not
  // exist are passed over; kNotFound when none does. kInvalid with file, line and column when one
  // cannot be read.
  static Result<Kubeconfig> load(const std::vector<std::filesystem::path>& files);

  // `file` names the text, and relative paths in it start from its folder.
  static Result<Kubeconfig> parse(std::string_view text, const std::filesystem::path& file);

  // What the context says, or, with "", the current one. kNotFound names the contexts there are;
  // kInvalid names file, line and key.
  Result<Connection> connection(const std::string& context = "") const;

  std::vector<std::string> contexts() const;
  const std::string& current_context() const { return current_context_; }

  // One line for each entry that could not be told by a name.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  friend class ConnectionReader;

  struct Entry {
    credentials::Value value;  // what stands under "cluster", "user" or "context"
    std::filesystem::path file;
    std::string path;  // "users[0].user"
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  void merge(Kubeconfig later);

  Entries clusters_;
  Entries users_;
  Entries contexts_;
  std::string current_context_;
  std::string files_;  // for people
  std::vector<std::string> problems_;
};

}  // namespace windlass::kube
