#include "windlass/kube/kubeconfig.h"

#include <algorithm>

#include "connection_reader.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/secret_file.h"
#include "windlass/credentials/section.h"

namespace windlass::kube {
namespace {

using credentials::Section;

std::string shown(const std::filesystem::path& file) { return printable(file.string(), 4096); }

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + printable(name, 100);
  return all.empty() ? "none" : all;
}

}  // namespace

Result<Kubeconfig> Kubeconfig::parse(std::string_view text, const std::filesystem::path& file) {
  Result<credentials::Value> root = credentials::parse_yaml(text, shown(file));
  if (!root) return fail(std::move(root.error()));
  Kubeconfig config;
  config.files_ = shown(file);
  if (root->kind == credentials::Value::Kind::kNull) return config;
  const Section section(*root, shown(file), "", config.problems_);
  if (!config.problems_.empty()) return fail(ErrorCode::kInvalid, config.problems_.front());
  if (section.has("kind") && section.text("kind") != "Config")
    return fail(ErrorCode::kInvalid, format("{}: kind: Config is expected", shown(file)));
  config.current_context_ = section.text("current-context");
  const auto read = [&](std::string_view list, std::string_view member, Entries& entries) {
    for (const Section& item : section.sections(list)) {
      std::string name = item.text("name");
      if (name.empty()) {
        item.note("name", "a name is expected; the entry is left out");
        continue;
      }
      const credentials::Value* value = item.value().find(member);
      Entry entry{.value = value == nullptr ? credentials::Value() : *value,
                  .file = file,
                  .path = format("{}.{}", item.path(), member)};
      if (!entries.try_emplace(std::move(name), std::move(entry)).second)
        item.note("name", "this name stands here twice; the first counts");
    }
  };
  read("clusters", "cluster", config.clusters_);
  read("users", "user", config.users_);
  read("contexts", "context", config.contexts_);
  return config;
}

Result<Kubeconfig> Kubeconfig::load(const std::vector<std::filesystem::path>& files) {
  Kubeconfig all;
  std::vector<std::string> missing;
  for (const std::filesystem::path& file : files) {
    const Result<credentials::Secret> text = credentials::read_secret_file(file);
    if (!text && text.error().code == ErrorCode::kNotFound) {
      missing.push_back(file.string());
      continue;
    }
    if (!text) return fail(text.error());
    Result<Kubeconfig> config = parse(text->reveal(), file);
    if (!config) return config;
    all.merge(*std::move(config));
  }
  if (missing.size() == files.size()) {
    return fail(ErrorCode::kNotFound, format("no kubeconfig: there is no {}",
                                             missing.empty() ? "file" : joined(missing)));
  }
  return all;
}

void Kubeconfig::merge(Kubeconfig later) {
  clusters_.merge(later.clusters_);
  users_.merge(later.users_);
  contexts_.merge(later.contexts_);
  if (current_context_.empty()) current_context_ = std::move(later.current_context_);
  files_ += (files_.empty() ? "" : ", ") + later.files_;
  std::ranges::move(later.problems_, std::back_inserter(problems_));
}

std::vector<std::string> Kubeconfig::contexts() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : contexts_) names.push_back(name);
  return names;
}

Result<Connection> Kubeconfig::connection(const std::string& context) const {
  const std::string& name = context.empty() ? current_context_ : context;
  if (name.empty()) {
    return fail(ErrorCode::kNotFound,
                format("{}: no current-context; name one of: {}", files_, joined(contexts())));
  }
  if (!contexts_.contains(name)) {
    return fail(ErrorCode::kNotFound, format("{}: there is no context {}; there are: {}", files_,
                                             quoted(name, 100), joined(contexts())));
  }
  return ConnectionReader(*this, name).read();
}

}  // namespace windlass::kube
