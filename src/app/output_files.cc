#include "output_files.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "file_replacement.h"
#include "input_files.h"
#include "pin_plan.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kPlanBytesMax = std::size_t{64} << 20U;

struct NamedFile {
  std::string_view option;  // "" for an argument
  std::string path;
};

using NamedFiles = std::vector<NamedFile>;

// The same for two names of one file, hard links included, whether it is there yet or not.
std::string file_at(const std::string& path) {
  const FileStamp stamp = FileStamp::of(path);
  if (stamp == FileStamp()) return FileReplacement::identity_of(path);
  return format("{}:{}", stamp.device, stamp.inode);
}

bool has_something(const std::string& path) {
  std::error_code unused;
  return is_regular_file(path) && fs::file_size(path, unused) > 0;
}

// The text format of Prometheus begins with one of these here.
bool holds_metrics(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.starts_with("# HELP ") || line.starts_with("# TYPE ");
}

bool holds_plan(const std::string& path) {
  const auto bytes = read_option_file("--plan", path, kPlanBytesMax);
  return bytes && PinPlan::parse(path, *bytes).has_value();
}

void add(NamedFiles& files, std::string_view option, const std::string& path) {
  if (!path.empty() && path != kStandardInput) files.push_back({option, path});
}

NamedFiles read_by(const CommonOptions& common) {
  NamedFiles files;
  add(files, "--authfile", common.authfile);
  add(files, "--registries-conf", common.registries_conf);
  add(files, "--config", common.config);
  for (const std::string& file : common.ca_files) add(files, "--ca-file", file);
  for (const std::string& source : common.sources) {
    add(files, "--source", source.substr(source.find(':') + 1));
  }
  return files;
}

std::string clash(const NamedFiles& written, const NamedFiles& read) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    const NamedFile& output = written[i];
    // A device or a pipe would be replaced by a file. A lock is read before, which tells more.
    const bool is_there = FileStamp::of(output.path) != FileStamp();
    if (is_there && !is_regular_file(output.path) && output.option != "--lock") {
      return format("{} {}: is no regular file; name another file", output.option,
                    printable(output.path));
    }
    const std::string file = file_at(output.path);
    const auto is_same = [&](const NamedFile& other) { return file_at(other.path) == file; };
    const auto told = [&](const NamedFile& other) {
      return format("{} {}: is also {}, which it would overwrite; name another file", output.option,
                    printable(output.path),
                    other.option.empty() ? "an input" : "the file of " + std::string(other.option));
    };
    for (const NamedFile& input : read) {
      if (is_same(input)) return told(input);
    }
    for (const NamedFile& other : std::span(written).first(i)) {
      if (is_same(other)) return told(other);
    }
  }
  return {};
}

std::string something_else(const NamedFile& output, std::string_view wanted) {
  return format("{} {}: the file is there and {}; remove it, or name another file", output.option,
                printable(output.path), wanted);
}

std::string metrics_misuse(const CommonOptions& common) {
  const std::string& path = common.metrics_file;
  if (path.empty() || !has_something(path) || holds_metrics(path)) return {};
  return something_else({"--metrics-file", path}, "holds no metrics");
}

// Of a command that writes nothing but metrics and reads one file of its own.
std::string misuse_beside(const CommonOptions& common, std::string_view option,
                          const std::string& file) {
  NamedFiles written;
  add(written, "--metrics-file", common.metrics_file);
  NamedFiles read = read_by(common);
  add(read, option, file);
  const std::string misuse = clash(written, read);
  return misuse.empty() ? metrics_misuse(common) : misuse;
}

}  // namespace

Result<void> check_metrics_file(const CommonOptions& common) {
  const std::string& path = common.metrics_file;
  if (path.empty()) return {};
  const fs::path parent = fs::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.native();
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return {};
  const std::string why = std::error_code(errno, std::generic_category()).message();
  return fail(ErrorCode::kForbidden, format("--metrics-file: {}: cannot be written: {}: {}",
                                            printable(path), printable(folder), why));
}

std::string misuse_of_outputs(const ResolveCommand& command) {
  return misuse_beside(command.common, "--file", command.file);
}

std::string misuse_of_outputs(const KrmCommand& command) {
  return misuse_beside(command.common, "--lock", command.lock);
}

std::string misuse_of_outputs(const PinCommand& command) {
  NamedFiles written;
  NamedFiles read = read_by(command.common);
  const bool plans = command.mode == PinMode::kPlan;
  add(written, "--lock", command.lock);
  add(plans ? written : read, plans ? "--plan" : "--apply", command.plan);
  add(written, "--metrics-file", command.common.metrics_file);
  for (const std::string& path : command.paths) add(read, "", path);
  for (const std::string& file : command.rules) add(read, "--rules", file);
  if (std::string misuse = clash(written, read); !misuse.empty()) return misuse;
  if (plans && has_something(command.plan) && !holds_plan(command.plan)) {
    return something_else({"--plan", command.plan}, "holds no plan of this windlass");
  }
  return metrics_misuse(command.common);
}

}  // namespace windlass::app
