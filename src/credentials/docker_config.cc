#include "windlass/credentials/docker_config.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "json.h"
#include "registry_key.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/base64.h"

namespace windlass::credentials {

class DockerConfigReader {
 public:
  explicit DockerConfigReader(std::string place) { config_.place_ = std::move(place); }

  DockerConfig read(const boost::json::object& root) {
    if (const boost::json::object* auths = section(root, "auths")) {
      for (const auto& [key, value] : *auths) read_entry(std::string(key), value);
    }
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
    DockerConfig::Entry entry{.key = key, .logins = {}, .problem = {}};
    if (!value.is_object() && !value.is_null()) {
      entry.problem = "an object is expected";
    } else if (const boost::json::object* object = value.if_object()) {
      read_login(*object, entry);
    }
    if (!entry.problem.empty()) {
      entry.problem = format("the login under {}: {}", windlass::quoted(key), entry.problem);
      problem(entry.problem);
    }
    config_.entries_.push_back(std::move(entry));
  }

  void read_login(const boost::json::object& object, DockerConfig::Entry& entry) {
    for (const char* name : {"auth", "username", "password", "identitytoken", "registrytoken"}) {
      bool is_string = false;
      string_member(object, name, &is_string);
      if (!is_string) {
        entry.problem = format("{}: a string is expected", name);
        return;
      }
    }
    bool ignored = false;
    const auto member = [&](std::string_view name) {
      return string_member(object, name, &ignored);
    };
    if (const std::string_view token = member("registrytoken"); !token.empty()) {
      entry.logins.push_back(Credential::registry_token(Secret(token), config_.place_));
      return;
    }
    if (const std::string_view token = member("identitytoken"); !token.empty()) {
      entry.logins.push_back(Credential::identity_token(std::string(member("username")),
                                                        Secret(token), config_.place_));
      return;
    }
    if (const std::string_view auth = member("auth"); !auth.empty()) {
      read_auth(auth, entry);
    } else if (!member("username").empty() || !member("password").empty()) {
      entry.logins.push_back(Credential::password(std::string(member("username")),
                                                  Secret(member("password")), config_.place_));
    }
  }

  // "user:password" in base64; the password may hold colons, and old writers padded it with NULs.
  void read_auth(std::string_view auth, DockerConfig::Entry& entry) {
    std::optional<std::string> text = base64_decode(trim(auth));
    if (!text) {
      entry.problem = "auth is not base64";
      return;
    }
    const std::size_t colon = text->find(':');
    if (colon == std::string::npos) {
      entry.problem = "auth holds no colon between user and password";
    } else {
      std::string_view password = std::string_view(*text).substr(colon + 1);
      while (password.ends_with('\0')) password.remove_suffix(1);
      entry.logins.push_back(
          Credential::password(text->substr(0, colon), Secret(password), config_.place_));
    }
    erase(*text);
  }

  void read_helper(const std::string& key, const boost::json::value& value) {
    if (!value.is_string()) {
      problem(format("the credential helper of {}: a string is expected", windlass::quoted(key)));
      return;
    }
    config_.helpers_.insert_or_assign(parse_registry_key(key).host,
                                      std::string(value.get_string()));
  }

  DockerConfig config_;
};

Result<DockerConfig> DockerConfig::parse(std::string_view json, std::string place) {
  // An empty file is what some tools leave behind; it holds no logins.
  if (trim(json).empty()) {
    DockerConfig empty;
    empty.place_ = std::move(place);
    return empty;
  }
  Result<boost::json::value> root = parse_secret_object(json, place);
  if (!root) return fail(std::move(root.error()));
  return DockerConfigReader(std::move(place)).read(root->get_object());
}

Result<DockerConfig> DockerConfig::load(const std::filesystem::path& file) {
  constexpr std::uintmax_t kBytesMax = std::uintmax_t{4} << 20U;
  const std::string place = printable(file.string(), 4096);
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kInvalid, format("{}: cannot read it: {}", place, why));
  };
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory)
    return parse("", place);
  if (error) return refuse(error.message());
  if (size > kBytesMax) return refuse(format("it has more than {} bytes", kBytesMax));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return refuse(std::error_code(errno, std::generic_category()).message());
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  Result<DockerConfig> config = parse(text, place);
  erase(text);
  return config;
}

Found DockerConfig::find(const image::ImageReference& reference) const {
  std::vector<std::pair<RegistryKey, const Entry*>> fitting;
  for (const Entry& entry : entries_) {
    RegistryKey key = parse_registry_key(entry.key);
    if (key.covers(reference)) fitting.emplace_back(std::move(key), &entry);
  }
  // Entries that are equal otherwise stay in the file's order.
  std::ranges::sort(fitting, [](const auto& a, const auto& b) {
    if (a.first.path.size() != b.first.path.size())
      return a.first.path.size() > b.first.path.size();
    if (a.first.legacy_hub != b.first.legacy_hub) return a.first.legacy_hub;
    return a.second < b.second;
  });
  Found found;
  for (const auto& [key, entry] : fitting) {
    std::ranges::copy(entry->logins, std::back_inserter(found.candidates));
    if (!entry->problem.empty()) {
      found.problems.push_back(
          {.code = ErrorCode::kInvalid, .message = format("{}: {}", place_, entry->problem)});
    }
  }
  return found;
}

std::string DockerConfig::helper_for(const image::ImageReference& reference) const {
  const auto own = helpers_.find(reference.registry());
  return own != helpers_.end() ? own->second : store_;
}

}  // namespace windlass::credentials
