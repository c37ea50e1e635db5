#include "option_parser.h"

#include <algorithm>
#include <optional>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::unexpected<Error> wrong(std::string what) {
  return fail(ErrorCode::kInvalid, std::move(what));
}

// How many letters have to be changed, put in or taken out.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

class ArgumentReader {
 public:
  ArgumentReader(std::span<const std::string> arguments, std::span<const Option> options)
      : arguments_(arguments), options_(options) {}

  Result<ParsedArguments> read() {
    bool options_end = false;
    while (next_ < arguments_.size()) {
      const std::string_view argument = arguments_[next_++];
      Result<void> done;
      if (options_end || argument == "-" || !argument.starts_with('-')) {
        parsed_.operands.emplace_back(argument);
      } else if (argument == "--") {
        options_end = true;
      } else if (argument.starts_with("--")) {
        done = read_long(argument.substr(2));
      } else {
        done = read_letters(argument.substr(1));
      }
      if (!done) return fail(std::move(done.error()));
    }
    if (auto fits = check_combination(); !fits) return fail(std::move(fits.error()));
    return std::move(parsed_);
  }

 private:
  Result<void> read_long(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const auto option = std::ranges::find(options_, name, &Option::name);
    if (option == options_.end()) return unknown(name);
    std::optional<std::string_view> value;
    if (equals != std::string_view::npos) value = text.substr(equals + 1);
    if (option->value.empty() && value) return wrong(format("--{} takes no value", name));
    return take(*option, "--" + option->name, value);
  }

  Result<void> read_letters(std::string_view letters) {
    while (!letters.empty()) {
      const char letter = letters.front();
      letters.remove_prefix(1);
      const auto option = std::ranges::find(options_, letter, &Option::letter);
      const std::string shown = "-" + printable(std::string_view(&letter, 1));
      if (option == options_.end()) return wrong(format("unknown option {}", shown));
      std::optional<std::string_view> value;
      if (!option->value.empty() && !letters.empty()) value = std::exchange(letters, {});
      if (auto taken = take(*option, shown, value); !taken) return taken;
    }
    return {};
  }

  Result<void> take(const Option& option, const std::string& shown,
                    std::optional<std::string_view> value) {
    if (!option.value.empty() && !value) {
      if (next_ == arguments_.size()) return wrong(format("{} needs a {}", shown, option.value));
      value = arguments_[next_++];
    }
    if (!parsed_.given.emplace(option.name, parsed_.operands.size()).second && !option.repeats &&
        !option.value.empty()) {
      return wrong(format("{} is given twice", shown));
    }
    if (const std::string problem = set_option(option, value.value_or("")); !problem.empty()) {
      return wrong(format("{}: {}", shown, problem));
    }
    return {};
  }

  Result<void> unknown(std::string_view name) const {
    std::vector<std::string> names;
    for (const Option& option : options_) names.push_back(option.name);
    const std::string similar = similar_name(name, names);
    return wrong(format("unknown option --{}{}", printable(name),
                        similar.empty() ? "" : format("; did you mean --{}?", similar)));
  }

  Result<void> check_combination() const {
    for (const Option& option : options_) {
      if (!parsed_.given.contains(option.name)) continue;
      for (const std::string& other : option.excludes) {
        if (parsed_.given.contains(other)) {
          return wrong(format("--{} and --{} do not go together", option.name, other));
        }
      }
      if (!option.needs.empty() && !parsed_.given.contains(option.needs)) {
        return wrong(format("--{} needs --{} beside it", option.name, option.needs));
      }
    }
    return {};
  }

  const std::span<const std::string> arguments_;
  const std::span<const Option> options_;
  std::size_t next_ = 0;
  ParsedArguments parsed_;
};

}  // namespace

Result<ParsedArguments> parse_arguments(std::span<const std::string> arguments,
                                        std::span<const Option> options) {
  return ArgumentReader(arguments, options).read();
}

std::string set_option(const Option& option, std::string_view value) {
  if (!option.words.empty() && std::ranges::find(option.words, value) == option.words.end()) {
    return format("{} is not {}", windlass::quoted(value), joined(option.words));
  }
  return option.set(value);
}

std::string similar_name(std::string_view name, std::span<const std::string> known) {
  constexpr std::size_t kChangesMax = 2;
  constexpr std::size_t kLengthMax = 40;
  if (name.size() > kLengthMax) return {};
  std::string best;
  std::size_t best_distance = kChangesMax + 1;
  for (const std::string& candidate : known) {
    const std::size_t changes = distance(name, candidate);
    const bool begins = name.size() >= 3 && candidate.starts_with(name);
    if (begins || changes < best_distance) {
      best = candidate;
      best_distance = begins ? 0 : changes;
    }
  }
  return best;
}

}  // namespace windlass::app
