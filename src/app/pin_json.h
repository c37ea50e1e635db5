// A PinReport as JSON, for programs. docs/reference/cli.md describes the fields.
//
// Pure functions.
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "pin_report.h"

namespace windlass::app {

boost::json::object to_json(const Error& error);
boost::json::object to_json(const PinnedImage& image);

// One object with everything.
std::string pin_json(const PinReport& report, ExitCode code);

// One line for each image and each error of a file.
std::string pin_ndjson(const PinReport& report);

// A path as JSON can hold it: bytes that are not UTF-8 are escaped.
std::string json_path(const std::string& path);

}  // namespace windlass::app
