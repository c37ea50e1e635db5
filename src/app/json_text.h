// JSON for output: indented for people who look, one line for streams.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace windlass::app {

std::string indented(const boost::json::value& value);  // ends with a newline

}  // namespace windlass::app
