#include "windlass/credentials/docker_config.h"

#include <algorithm>

#include "json.h"
#include "login_entry.h"
#include "registry_key.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/secret_file.h"

namespace windlass::credentials {

class DockerConfigReader {
 public:
  explicit DockerConfigReader(std::string place) { config_.place_ = std::move(place); }

  // The format before config.json: the logins by themselves.
  DockerConfig read_legacy(const boost::json::object& root) {
    for (const auto& [key, value] : root) read_entry(std::string(key), value);
    sort_entries();
    return std::move(config_);
  }

  DockerConfig read(const boost::json::object& root) {
    if (const boost::json::object* auths = section(root, "auths")) {
      for (const auto& [key, value] : *auths) read_entry(std::string(key), value);
    }
    sort_entries();
    if (const boost::json::object* helpers = section(root, "credHelpers")) {
      for (const auto& [key, value] : *helpers) read_helper(std::string(key), value);
    }
    bool is_string = false;
    config_.store_ = string_member(root, "credsStore", &is_string);
    if (!is_string) problem("credsStore: a string is expected");
    return std::move(config_);
  }

 private:
  const boost::json::object* section(const boost::json::object& root, std::string_view name) {
    const boost::json::value* member = root.if_contains(name);
    if (member == nullptr || member->is_null()) return nullptr;
    if (!member->is_object()) problem(format("{}: an object is expected", name));
    return member->if_object();
  }

  void problem(std::string text) {
    config_.problems_.push_back(format("{}: {}", config_.place_, text));
  }

  void read_entry(const std::string& key, const boost::json::value& value) {
    LoginEntry read = read_login_entry(value, config_.place_);
    RegistryKey parsed = parse_registry_key(key);
    DockerConfig::Entry entry{.path = std::move(parsed.path),
                              .legacy_hub = parsed.legacy_hub,
                              .login = std::move(read.login),
                              .problem = {}};
    if (!read.problem.empty()) {
      entry.problem = format("the login under {}: {}",
                             windlass::quoted(image::without_password(key)), read.problem);
      problem(entry.problem);
    }
    std::vector<DockerConfig::Entry>& entries = config_.entries_[parsed.host];
    entry.position = entries.size();
    entries.push_back(std::move(entry));
  }

  // Entries that are equal otherwise stay in the file's order.
  void sort_entries() {
    for (auto& [host, entries] : config_.entries_) {
      std::ranges::sort(entries, [](const DockerConfig::Entry& a, const DockerConfig::Entry& b) {
        if (a.path.size() != b.path.size()) return a.path.size() > b.path.size();
        if (a.legacy_hub != b.legacy_hub) return a.legacy_hub;
        return a.position < b.position;
      });
    }
  }

  void read_helper(const std::string& key, const boost::json::value& value) {
    if (!value.is_string()) {
      problem(format("the credential helper of {}: a string is expected",
                     windlass::quoted(image::without_password(key))));
      return;
    }
    config_.helpers_.insert_or_assign(parse_registry_key(key).host,
                                      std::string(value.get_string()));
  }

  DockerConfig config_;
};

Result<DockerConfig> DockerConfig::parse(std::string_view json, std::string place, Format format) {
  // An empty file is what some tools leave behind; it holds no logins.
  if (trim(json).empty()) {
    DockerConfig empty;
    empty.place_ = std::move(place);
    return empty;
  }
  Result<boost::json::value> root = parse_secret_object(json, place);
  if (!root) return fail(std::move(root.error()));
  DockerConfigReader reader(std::move(place));
  return format == Format::kLegacy ? reader.read_legacy(root->get_object())
                                   : reader.read(root->get_object());
}

Result<DockerConfig> DockerConfig::load(const std::filesystem::path& file) {
  const Format format = file.filename() == ".dockercfg" ? Format::kLegacy : Format::kConfig;
  const std::string place = printable(file.string(), 4096);
  Result<Secret> text = read_secret_file(file);
  if (!text && text.error().code == ErrorCode::kNotFound) return parse("", place, format);
  if (!text) return fail(ErrorCode::kInvalid, std::move(text.error().message));
  return parse(text->reveal(), place, format);
}

Found DockerConfig::find(const image::ImageReference& reference) const {
  Found found;
  const auto entries = entries_.find(reference.registry());
  if (entries == entries_.end()) return found;
  for (const Entry& entry : entries->second) {
    if (!is_below(reference.repository(), entry.path)) continue;
    if (entry.login) found.candidates.push_back(*entry.login);
    if (!entry.problem.empty()) {
      found.problems.push_back(
          {.code = ErrorCode::kInvalid, .message = format("{}: {}", place_, entry.problem)});
    }
  }
  return found;
}

std::string DockerConfig::helper_for(const image::ImageReference& reference) const {
  const auto own = helpers_.find(reference.registry());
  return own != helpers_.end() ? own->second : store_;
}

}  // namespace windlass::credentials
