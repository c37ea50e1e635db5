#include "config_file.h"

#include <algorithm>
#include <vector>

#include "option_parser.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "yaml_value.h"

namespace windlass::app {
namespace {

std::unexpected<Error> wrong(std::string_view file, std::size_t line, std::size_t column,
                             std::string_view what) {
  return fail(ErrorCode::kInvalid, format("{}:{}:{}: {}", printable(file), line, column, what));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

class ConfigReader {
 public:
  ConfigReader(std::string_view file, const CommandSpec& command,
               std::span<const CommandSpec> commands, const GivenOptions& given)
      : file_(file), command_(command), commands_(commands), given_(given) {}

  Result<void> read(const YamlValue& root) const {
    if (root.kind == YamlValue::Kind::kNull) return {};
    if (root.kind != YamlValue::Kind::kMapping) {
      return wrong(file_, root.line, root.column, "expected options, such as \"timeout: 10s\"");
    }
    for (const YamlValue::Entry& entry : root.entries) {
      const auto section = std::ranges::find(commands_, entry.key, &CommandSpec::name);
      auto done = section != commands_.end() && has_options(*section)
                      ? read_section(entry, *section)
                      : read_option(entry, command_, true);
      if (!done) return done;
    }
    return {};
  }

 private:
  // An option of every command that makes lookups: it may stand at the top.
  bool is_common(std::string_view name) const {
    return std::ranges::all_of(commands_, [&](const CommandSpec& command) {
      return !has_options(command) ||
             std::ranges::find(command.options, name, &Option::name) != command.options.end();
    });
  }

  static bool has_options(const CommandSpec& command) { return command.options.size() > 1; }

  Result<void> read_section(const YamlValue::Entry& section, const CommandSpec& command) const {
    if (section.value.kind == YamlValue::Kind::kNull) return {};
    if (section.value.kind != YamlValue::Kind::kMapping) {
      return wrong(file_, section.value.line, section.value.column,
                   format("expected the options of {} below its name", command.name));
    }
    for (const YamlValue::Entry& entry : section.value.entries) {
      if (auto done = read_option(entry, command, false); !done) return done;
    }
    return {};
  }

  Result<void> read_option(const YamlValue::Entry& entry, const CommandSpec& command,
                           bool top) const {
    const auto option = std::ranges::find(command.options, entry.key, &Option::name);
    const bool known =
        option != command.options.end() && option->in_config && (!top || is_common(option->name));
    if (!known) return unknown(entry, command, top);
    const bool wanted = command.name == command_.name && !is_overruled(*option);
    if (!wanted) return {};
    return set_from_yaml(*option, entry.value, file_);
  }

  bool is_overruled(const Option& option) const {
    if (given_.contains(option.name)) return true;
    const auto is_given = [&](const std::string& name) { return given_.contains(name); };
    if (std::ranges::any_of(option.excludes, is_given)) return true;
    return std::ranges::any_of(command_.options, [&](const Option& other) {
      return given_.contains(other.name) &&
             std::ranges::find(other.excludes, option.name) != other.excludes.end();
    });
  }

  std::unexpected<Error> unknown(const YamlValue::Entry& entry, const CommandSpec& command,
                                 bool top) const {
    std::vector<std::string> known;
    for (const Option& option : command.options) {
      if (option.in_config && (!top || is_common(option.name))) known.push_back(option.name);
    }
    for (const CommandSpec& section : commands_) {
      if (top && has_options(section)) known.push_back(section.name);
    }
    const std::string similar = similar_name(entry.key, known);
    return wrong(
        file_, entry.line, entry.column,
        format("unknown option {}{}; there are {}", windlass::quoted(entry.key),
               similar.empty() ? "" : format("; did you mean {}?", similar), joined(known)));
  }

  const std::string_view file_;
  const CommandSpec& command_;
  const std::span<const CommandSpec> commands_;
  const GivenOptions& given_;
};

}  // namespace

Result<void> set_from_yaml(const Option& option, const YamlValue& value,
                           std::string_view file_name) {
  const bool is_list = value.kind == YamlValue::Kind::kSequence;
  if (value.kind == YamlValue::Kind::kMapping || (is_list && !option.repeats)) {
    return wrong(file_name, value.line, value.column, format("{} takes one value", option.name));
  }
  const std::span<const YamlValue> values = is_list ? std::span(value.items) : std::span(&value, 1);
  for (const YamlValue& one : values) {
    if (one.kind != YamlValue::Kind::kScalar) {
      return wrong(file_name, one.line, one.column, format("{} needs a value", option.name));
    }
    if (const std::string problem = set_option(option, one.scalar); !problem.empty()) {
      return wrong(file_name, one.line, one.column, format("{}: {}", option.name, problem));
    }
  }
  return {};
}

Result<void> apply_config(std::string_view file_name, std::string_view bytes,
                          const CommandSpec& command, std::span<const CommandSpec> commands,
                          const GivenOptions& given) {
  const auto root = parse_yaml(file_name, bytes);
  if (!root) return fail(root.error());
  return ConfigReader(file_name, command, commands, given).read(*root);
}

}  // namespace windlass::app
