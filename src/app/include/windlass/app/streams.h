// Streams and Environment: all that the program knows of the process it runs in, so that tests can
// run it too.
#pragma once

#include <cstddef>
#include <functional>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace windlass::app {

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  std::size_t err_columns = 80;
  std::function<bool()> out_has_no_reader = [] { return false; };  // a pipe whose reader went away
};

// The value of an environment variable; nullopt when it is not set or empty.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

}  // namespace windlass::app
