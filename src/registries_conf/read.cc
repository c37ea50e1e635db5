#include <algorithm>
#include <array>
#include <stdexcept>

namespace windlass::registries_conf {

// The parser takes some things for granted that a text can break, such as "[)". What would end the
// program, or let it go anywhere in a release build, becomes a fault of the file.
constexpr void take_for_granted(bool holds) {
  if (!holds) throw std::domain_error("it is not TOML");
}

}  // namespace windlass::registries_conf

#undef NDEBUG
#define TOML_ASSERT(expression) ::windlass::registries_conf::take_for_granted(!!(expression))
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/registries_conf/load.h"

namespace windlass::registries_conf {
namespace {

constexpr std::array<std::string_view, 2> kKnownElsewhere = {"additional-layer-store-auth-helper",
                                                             "registry"};

// A host or path as it may stand in a file, in the form that is compared; nothing when it is none.
std::optional<std::string> clean_name(std::string_view text) {
  while (text.ends_with('/')) text.remove_suffix(1);
  const bool is_odd = text.empty() || text.contains("://") || std::ranges::any_of(text, [](char c) {
                        return c <= ' ' || c == '?' || c == '\x7f';
                      });
  if (is_odd) return std::nullopt;
  const std::size_t slash = std::min(text.find('/'), text.size());
  std::string host = to_lower(text.substr(0, slash));
  if (host == "index.docker.io" || host == "registry-1.docker.io") host = "docker.io";
  return host + std::string(text.substr(slash));
}

bool is_helper_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

// `text`, valid UTF-8, with one '?' for each character that is not ASCII, so that places stay what
// they are. All that means anything here is ASCII, and the parser's tables of other characters have
// holes that it falls into.
std::string ascii_of(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool goes_on = (byte & 0xc0U) == 0x80U;
    if (!goes_on) out += byte < 0x80U ? c : '?';
  }
  return out;
}

// Walks one document and tells what is wrong where.
class Reader {
 public:
  Reader(const std::string& name, Loaded& into) : name_(name), into_(into) {}

  void read(const toml::table& document) {
    for (const auto& [key, value] : document) {
      const std::string_view name = key.str();
      if (name == "unqualified-search-registries") {
        read_searched(value);
      } else if (name == "aliases") {
        read_aliases(value);
      } else if (name == "credential-helpers") {
        read_helpers(value);
      } else if (name == "short-name-mode") {
        read_short_name_mode(value);
      } else if (name == "registries") {
        tell(value, name, "this is version 1 of the format, which is not read; see [[registry]]");
      } else if (std::ranges::find(kKnownElsewhere, name) == kKnownElsewhere.end()) {
        tell(value, name, "no such key is known");
      }
    }
    each_table(document, "registry", [this](const toml::table& table) { read_registry(table); });
  }

 private:
  std::string place(const toml::node& node) const {
    return format("{}:{}", printable(name_), node.source().begin.line);
  }

  std::string exact_place(const toml::node& node) const {
    return format("{}:{}", place(node), node.source().begin.column);
  }

  Error error(const toml::node& node, std::string_view key, std::string_view what) const {
    return {.code = ErrorCode::kInvalid,
            .message = format("{}: {}: {}", exact_place(node), printable(key, 60), what)};
  }

  void tell(const toml::node& node, std::string_view key, std::string_view what) {
    into_.problems.push_back(error(node, key, what));
  }

  // The first fault of an entry is kept with it.
  void fault(Registry& registry, const toml::node& node, std::string_view key,
             std::string_view what) {
    tell(node, key, what);
    if (!registry.fault) registry.fault = into_.problems.back();
  }

  template <class Visit>
  void each_table(const toml::table& table, std::string_view key, Visit visit) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr) return tell(*node, key, format("expected [[{}]]", key));
    for (const toml::node& item : *array) {
      if (item.is_table()) {
        visit(*item.as_table());
      } else {
        tell(item, key, format("expected [[{}]]", key));
      }
    }
  }

  void read_searched(const toml::node& node) {
    const toml::array* array = node.as_array();
    if (array == nullptr)
      return tell(node, "unqualified-search-registries", "expected a list of hosts");
    std::vector<std::string> registries;
    for (const toml::node& item : *array) {
      const auto text = item.value<std::string_view>();
      const auto name = text ? clean_name(*text) : std::nullopt;
      if (name) {
        registries.push_back(*name);
      } else {
        tell(item, "unqualified-search-registries", "expected a registry's host");
      }
    }
    into_.registries.set_searched(std::move(registries));
  }

  void read_helpers(const toml::node& node) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return tell(node, "credential-helpers", "expected a list of names");
    std::vector<CredentialHelper> helpers;
    for (const toml::node& item : *array) {
      const auto name = item.value_exact<std::string_view>();
      if (name && is_helper_name(*name)) {
        helpers.push_back({.name = std::string(*name), .place = exact_place(item)});
      } else {
        tell(item, "credential-helpers",
             "expected containers-auth.json, or NAME of a program docker-credential-NAME: letters, "
             "digits, '-', '_' and '.'");
      }
    }
    // What is left of a list with faults decides, but for nothing: the files are asked then.
    into_.credential_helpers = std::move(helpers);
  }

  void read_short_name_mode(const toml::node& node) {
    const auto text = node.value_exact<std::string_view>();
    if (text != "enforcing" && text != "permissive" && text != "disabled")
      tell(node, "short-name-mode", "expected enforcing, permissive or disabled");
  }

  void read_aliases(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return tell(node, "aliases", "expected a table of names");
    for (const auto& [key, value] : *table) {
      const auto text = value.value<std::string>();
      const bool is_name =
          text && (text->empty() || (clean_name(*text) && image::ImageReference::parse(*text)));
      if (is_name) {
        into_.registries.set_alias(std::string(key.str()), *text);
      } else {
        tell(value, key.str(), "expected the full name of a repository, or \"\"");
      }
    }
  }

  std::optional<bool> flag(Registry& registry, const toml::node& node, std::string_view key) {
    if (const auto value = node.value_exact<bool>()) return value;
    fault(registry, node, key, "expected true or false");
    return std::nullopt;
  }

  std::string location(Registry& registry, const toml::node& node, std::string_view key) {
    const auto text = node.value_exact<std::string_view>();
    const auto name = text ? clean_name(*text) : std::nullopt;
    if (name) return *name;
    fault(registry, node, key, "expected HOST[:PORT][/PATH], without a scheme");
    return {};
  }

  void read_registry(const toml::table& table) {
    Registry registry{.place = place(table)};
    bool mirrors_by_digest = false;
    for (const auto& [key, value] : table) {
      const std::string_view name = key.str();
      if (name == "prefix") {
        registry.prefix = location(registry, value, name);
      } else if (name == "location") {
        registry.location = location(registry, value, name);
        registry.location_place = exact_place(value);
      } else if (name == "insecure") {
        registry.insecure = flag(registry, value, name).value_or(false);
      } else if (name == "blocked") {
        registry.blocked = flag(registry, value, name).value_or(false);
      } else if (name == "mirror-by-digest-only") {
        mirrors_by_digest = flag(registry, value, name).value_or(true);
      } else if (name != "mirror") {
        tell(value, name, "no such key is known in [[registry]]");
      }
    }
    each_table(table, "mirror", [&](const toml::table& mirror) {
      read_mirror(registry, mirror, mirrors_by_digest);
    });
    if (registry.prefix.empty()) registry.prefix = registry.location;
    if (registry.prefix == registry.location) registry.location.clear();
    if (registry.prefix.empty()) {
      if (!registry.fault) tell(table, "registry", "it has neither prefix nor location");
      return;
    }
    if (registry.location.starts_with('*'))
      fault(registry, table, "location", "a location is one host");
    into_.registries.add(std::move(registry));
  }

  // A mirror only spares the registry: one that makes no sense is left out, and the images are
  // still found.
  void read_mirror(Registry& of, const toml::table& table, bool by_digest) {
    Registry registry;  // for the mirror's own fault
    Mirror mirror{.pull_from = by_digest ? PullFrom::kDigestOnly : PullFrom::kAll};
    for (const auto& [key, value] : table) {
      const std::string_view name = key.str();
      if (name == "location") {
        mirror.location = location(registry, value, name);
        mirror.place = exact_place(value);
      } else if (name == "insecure") {
        mirror.insecure = flag(registry, value, name).value_or(false);
      } else if (name == "pull-from-mirror") {
        mirror.pull_from = pull_from(registry, value, mirror.pull_from);
      } else {
        tell(value, name, "no such key is known in [[registry.mirror]]");
      }
    }
    if (mirror.location.empty() || mirror.location.starts_with('*'))
      return tell(table, "mirror", "it is left out, for it has no usable location");
    if (!registry.fault) {
      auto usable = check_location(mirror.location, mirror.place);
      if (usable) return of.mirrors.push_back(std::move(mirror));
      into_.problems.push_back(std::move(usable.error()));
    }
    into_.problems.back().message += "; the mirror is left out";
  }

  PullFrom pull_from(Registry& registry, const toml::node& node, PullFrom otherwise) {
    const auto text = node.value_exact<std::string_view>();
    if (text == "all") return PullFrom::kAll;
    if (text == "digest-only") return PullFrom::kDigestOnly;
    if (text == "tag-only") return PullFrom::kTagOnly;
    fault(registry, node, "pull-from-mirror", "expected all, digest-only or tag-only");
    return otherwise;
  }

  const std::string& name_;
  Loaded& into_;
};

}  // namespace

void read(std::string_view text, const std::string& name, Loaded& into) {
  const auto not_read = [&](std::string_view place, std::string_view why) {
    into.problems.push_back({.code = ErrorCode::kInvalid,
                             .message = format("{}:{} the file is not read: {}", printable(name),
                                               place, printable(why, 300))});
  };
  if (const std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos) {
    return not_read(format("{}:", position_in(text, bad).line), "it is not UTF-8");
  }
  try {
    Reader(name, into).read(toml::parse(ascii_of(text), std::string_view(name)));
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    not_read(format("{}:{}:", at.line, at.column), error.description());
  } catch (const std::domain_error& error) {
    not_read("", error.what());
  }
}

}  // namespace windlass::registries_conf
