#include "pin_inputs.h"

#include <map>

#include "input_files.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

constexpr std::size_t kRulesBytesMax = std::size_t{1} << 20U;
constexpr std::size_t kLockBytesMax = std::size_t{64} << 20U;

Result<std::vector<manifest::PathRule>> read_rules(const std::vector<std::string>& files) {
  std::vector<manifest::PathRule> rules;
  for (const std::string& file : files) {
    const auto bytes = read_option_file("--rules", file, kRulesBytesMax);
    if (!bytes) return fail(bytes.error());
    const auto read = manifest::parse_rules(file, *bytes);
    if (!read) return fail(read.error());
    rules.insert(rules.end(), read->begin(), read->end());
  }
  return rules;
}

Result<PinPlan> read_plan(const std::string& file) {
  const auto bytes = read_option_file("--apply", file, kLockBytesMax);
  if (!bytes) return fail(bytes.error());
  return PinPlan::parse(file, *bytes);
}

void find_paths(const PinCommand& command, PinInputs& inputs) {
  std::map<std::string, std::size_t> known;  // by identity: one file may be named in several ways
  for (const std::string& argument : command.paths) {
    FoundFiles found = files_named_by(argument, command.ignore_git);
    for (Error& error : found.errors) inputs.errors.push_back(std::move(error));
    for (std::string& file : found.files) {
      const bool found_in_folder = file != argument;
      const auto [at, is_new] =
          known.emplace(FileReplacement::identity_of(file), inputs.paths.size());
      if (is_new) {
        inputs.paths.push_back({std::move(file), found_in_folder});
      } else if (!found_in_folder) {
        inputs.paths[at->second].found_in_folder = false;
      }
    }
  }
}

}  // namespace

Result<LockFile> read_lock(const std::string& file, bool must_exist) {
  const auto bytes = read_option_file("--lock", file, kLockBytesMax);
  if (!bytes) {
    if (bytes.error().code == ErrorCode::kNotFound && !must_exist) return LockFile();
    return fail(bytes.error());
  }
  return LockFile::parse(file, *bytes);
}

Result<PinInputs> gather_inputs(const PinCommand& command) {
  PinInputs inputs;
  auto rules = read_rules(command.rules);
  if (!rules) return fail(std::move(rules.error()));
  const bool lists = command.mode == PinMode::kList || command.mode == PinMode::kExplain;
  inputs.manifest.rules = std::move(*rules);
  inputs.manifest.list_possible = lists;
  inputs.manifest.in_strings = command.in_strings;
  inputs.manifest.allow_duplicate_keys = command.allow_duplicate_keys;
  if (!command.format.empty()) inputs.manifest.format = manifest::parse_format(command.format);
  if (!command.lock.empty()) {
    inputs.lock_stamp = FileStamp::of(command.lock);
    auto lock = read_lock(command.lock, command.offline || command.is_check());
    if (!lock) return fail(std::move(lock.error()));
    inputs.lock = std::move(*lock);
  }
  if (command.mode == PinMode::kApply) {
    auto plan = read_plan(command.plan);
    if (!plan) return fail(std::move(plan.error()));
    for (const PlannedFile& file : plan->files) inputs.paths.push_back({file.path});
    inputs.plan = std::move(*plan);
  } else {
    find_paths(command, inputs);
  }
  return inputs;
}

std::string misuse_of(const PinCommand& command, const PinInputs& inputs) {
  if (command.mode == PinMode::kStdout && !command.is_report() && inputs.paths.size() > 1) {
    return format(
        "{} files are named and standard output takes one; choose --in-place, --diff, "
        "--check, --plan or -o json",
        inputs.paths.size());
  }
  const bool writes = command.mode == PinMode::kInPlace || command.mode == PinMode::kPlan ||
                      command.mode == PinMode::kApply;
  for (const InputPath& input : inputs.paths) {
    if (!writes || is_regular_file(input.path)) continue;
    if (input.path == kStandardInput) {
      return "standard input cannot be changed in place; leave out --in-place";
    }
    if (FileStamp::of(input.path) != FileStamp()) {
      return format("{}: is no regular file and cannot be changed in place; leave out --in-place",
                    printable(input.path));
    }
  }
  return {};
}

}  // namespace windlass::app
