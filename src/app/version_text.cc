#include "version_text.h"

#include <curl/curl.h>
#include <fmt/core.h>
#include <yaml.h>

#include <boost/version.hpp>
#include <string_view>

#include "version.h"
#include "windlass/base/format.h"

namespace windlass::app {

std::string version_text() {
  const std::string_view commit = kCommit;
  return format("windlass {}{}\nlibraries: {} libyaml/{} boost/{}.{} fmt/{}.{}.{}\n", kVersion,
                commit.empty() ? "" : format(" (commit {})", commit), curl_version(),
                yaml_get_version_string(), BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
                FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
}

}  // namespace windlass::app
