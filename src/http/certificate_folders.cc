#include "windlass/http/certificate_folders.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::http {
namespace {

namespace fs = std::filesystem;

// A folder of more files than this is something else.
constexpr std::size_t kFilesMax = 1'000;

Result<std::vector<fs::path>> files_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (files.size() == kFilesMax) {
      return fail(ErrorCode::kInvalid,
                  format("{} has more than {} files; name a folder of certificates alone",
                         printable(folder.native()), kFilesMax));
    }
    files.push_back(at->path());
  }
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory)
    return files;
  if (error) {
    return fail(ErrorCode::kInvalid,
                format("cannot read the certificates in {}: {}; check its permissions",
                       printable(folder.native()), error.message()));
  }
  std::ranges::sort(files);
  return files;
}

bool is_there(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  // One that must not be looked into is there, and its host must not be asked without it.
  return fs::exists(status) || (error && status.type() != fs::file_type::not_found);
}

std::vector<std::string> names_of(const std::string& authority) {
  std::vector<std::string> names = {authority};
  const bool has_port = authority.rfind(':') != std::string::npos && !authority.ends_with(']');
  if (!has_port) names.push_back(authority + ":443");
  if (authority == "registry-1.docker.io") names.emplace_back("docker.io");
  return names;
}

}  // namespace

Result<TlsSettings> read_certificate_folder(const std::string& folder) {
  Result<std::vector<fs::path>> files = files_in(folder);
  if (!files) return fail(std::move(files.error()));
  TlsSettings settings;
  const auto has = [&](const fs::path& file) {
    return std::ranges::find(*files, file) != files->end();
  };
  for (const fs::path& file : *files) {
    const std::string extension = file.extension();
    if (extension == ".crt") settings.ca_files.push_back(file);
    if (extension != ".cert" && extension != ".key") continue;
    const bool is_certificate = extension == ".cert";
    fs::path other = file;
    other.replace_extension(is_certificate ? ".key" : ".cert");
    if (!has(other)) {
      return fail(ErrorCode::kInvalid,
                  format("{} is one half of a client certificate: {} is missing; put it there, or "
                         "take the other away",
                         printable(file.native()), printable(other.filename().native())));
    }
    // One identity per host: with several pairs, the first by name.
    if (is_certificate && settings.client_certificate_file.empty()) {
      settings.client_certificate_file = file;
      settings.client_key_file = other;
    }
  }
  return settings;
}

Result<TlsSettings> CertificateFolders::of_host(const std::string& authority) const {
  for (const std::string& root : roots_) {
    for (const std::string& name : names_of(authority)) {
      const fs::path folder = fs::path(root) / name;
      if (is_there(folder)) return read_certificate_folder(folder);
    }
  }
  return TlsSettings{};
}

}  // namespace windlass::http
