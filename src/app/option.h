// Option and CommandSpec: the command line as data. The parser, the help texts, the manual pages,
// the shell completions, the reference page and the configuration file all read these definitions.
//
// Values; `set` writes into what the options were made for, which outlives them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windlass/base/time.h"

namespace windlass::app {

// What a shell offers for a value.
enum class Completes { kNothing, kFiles };

struct Option {
  std::string name;                     // "timeout", without its dashes
  char letter = 0;                      // 'q' of -q; 0 for none
  std::string value = {};               // what it takes, such as "TIME"; empty for a flag
  std::string help = {};                // no full stop at its end
  std::string group = {};               // heading in help texts
  std::string initial = {};             // its value when it is not given, for people
  std::vector<std::string> words = {};  // the only values there are, when not empty
  Completes completes = Completes::kNothing;
  bool repeats = false;
  bool in_config = true;                   // may stand in a configuration file
  std::vector<std::string> excludes = {};  // options that make no sense beside it
  std::string needs = {};                  // the option that it makes no sense without

  // Takes the value ("" for a flag). "" when it is fine, else what is wrong with it.
  std::function<std::string(std::string_view value)> set = {};
};

struct Example {
  std::string command;
  std::string what;
};

struct CommandSpec {
  std::string name;        // "pin"; empty for the program itself
  std::string summary;     // one line, no full stop
  std::string operands;    // "[PATH|-]..."
  std::string about = {};  // paragraphs, for the help text and the manual page
  std::vector<Option> options = {};
  std::vector<Example> examples = {};
  bool completes_files = false;                 // its operands are files
  std::vector<std::string> operand_words = {};  // the only operands there are, when not empty
};

// Setters for `Option::set`.
using Setter = std::function<std::string(std::string_view)>;

Setter to_flag(bool& target);
Setter to_value(std::string& target);
Setter to_list(std::vector<std::string>& target);
Setter to_number(int& target, int least, int most);
Setter to_rate(double& target);  // per second
Setter to_duration(Duration& target);

// For options with `words`, which the parser has checked.
template <class T>
Setter to_one_of(T& target, std::map<std::string, T, std::less<>> values) {
  return [&target, values = std::move(values)](std::string_view word) {
    target = values.find(word)->second;
    return std::string();
  };
}

}  // namespace windlass::app
