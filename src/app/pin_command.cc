#include "pin_command.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "annotations.h"
#include "digest_source.h"
#include "file_replacement.h"
#include "input_files.h"
#include "lookups.h"
#include "pin_edits.h"
#include "pin_files.h"
#include "pin_images.h"
#include "pin_inputs.h"
#include "pin_json.h"
#include "pin_lines.h"
#include "pin_report.h"
#include "pin_sarif.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/manifest/unified_diff.h"

namespace windlass::app {
namespace {

class Pinning {
 public:
  Pinning(const PinCommand& command, PinInputs inputs, const Streams& streams, Console& console,
          Interruption& interruption, DigestSource::MakeLookups make_lookups, std::stop_token stop)
      : command_(command),
        inputs_(std::move(inputs)),
        skip_(skip_list_of(command.common)),
        streams_(streams),
        console_(console),
        interruption_(interruption),
        stop_(std::move(stop)),
        store_({.manifest = inputs_.manifest}, streams.in, stop_),
        digests_({.lock = inputs_.lock ? &*inputs_.lock : nullptr,
                  .use_lock = command.action != PinAction::kUpdate && !command.verify,
                  .offline = command.offline,
                  .platform = command.common.platform},
                 std::move(make_lookups)) {
    report_.file_errors = std::move(inputs_.errors);
    used_rules_.resize(inputs_.manifest.rules.size());
  }

  // Reads all files, and asks for digests as images are found. An error ends the run.
  Result<void> read() {
    for (std::size_t i = 0; i < inputs_.paths.size() && !stop_.stop_requested(); ++i) {
      const InputPath& input = inputs_.paths[i];
      auto file = store_.open(input.path, input.found_in_folder);
      if (!file) {
        report_.file_errors.push_back(std::move(file.error()));
        continue;
      }
      if (!*file) continue;
      const PlannedFile* planned = inputs_.plan ? &inputs_.plan->files[i] : nullptr;
      if (auto added = add_file(std::move(**file), planned); !added) return added;
    }
    return {};
  }

  void await() {
    for (std::size_t i = 0; i < report_.images.size() && !stop_.stop_requested(); ++i) {
      if (!tickets_[i]) continue;
      const DigestAnswer answer = digests_.await(*tickets_[i], stop_);
      if (!stop_.stop_requested()) take_answer(answer, command_, report_.images[i]);
    }
  }

  // Makes the new contents of every file, and puts them where the mode says. Nothing is written
  // when something failed, without --keep-going.
  void write() {
    std::vector<FileReplacement> prepared;
    PinPlan plan;
    for (std::size_t i = 0; i < files_.size() && !stop_.stop_requested(); ++i) {
      PinFile& file = files_[i];
      const bool is_stdout = command_.mode == PinMode::kStdout && !command_.is_report();
      const std::string unchanged = is_stdout && file.kept ? file.kept->bytes() : std::string();
      auto edited = edit_file(store_, file, images_of(file), command_);
      if (!edited) {
        report_.file_errors.push_back(std::move(edited.error()));
      } else if (*edited) {
        put((**edited), file, prepared, plan);
      }
      if (is_stdout && may_write()) {
        streams_.out << (edited && *edited ? (**edited).bytes : unchanged);
      }
    }
    if (stop_.stop_requested()) return;
    if (command_.mode == PinMode::kPlan) put_plan(plan.to_text(), prepared);
    const bool keeps_lock = command_.mode == PinMode::kStdout || command_.mode == PinMode::kInPlace;
    if (keeps_lock && digests_.lock_changed()) {
      // Somebody else's entries, written since it was read, must not be lost.
      prepare(command_.lock, inputs_.lock->to_text(), inputs_.lock_stamp, prepared);
    }
    if (!prepared.empty() && may_write()) commit(prepared);
    if (command_.mode == PinMode::kInPlace || command_.mode == PinMode::kApply) {
      report_.take_back_unwritten(may_write() ? "its file could not be written"
                                              : "its file was not written, as something failed");
    }
  }

  ExitCode tell() {
    const ExitCode code = report_.exit_code(command_.is_check());
    console_.finish_progress();
    const bool lists = command_.mode == PinMode::kList || command_.mode == PinMode::kExplain;
    tell_unused_rules();
    tell_images(report_, !command_.is_report() && command_.is_check(), streams_.out, console_);
    switch (command_.output) {
      case PinCommand::Output::kText:
        if (lists) list_images(report_, streams_.out);
        break;
      case PinCommand::Output::kJson: streams_.out << pin_json(report_, code); break;
      case PinCommand::Output::kNdjson: streams_.out << pin_ndjson(report_); break;
      case PinCommand::Output::kSarif: streams_.out << pin_sarif(report_); break;
    }
    if (command_.github_annotations) streams_.err << github_annotations(report_);
    tell_summary(report_, command_, console_);
    return code;
  }

 private:
  std::span<PinnedImage> images_of(const PinFile& file) {
    return std::span(report_.images).subspan(file.first_image, file.image_count);
  }

  bool may_write() const { return !report_.failed() || command_.keep_going; }

  Result<void> add_file(PinFile file, const PlannedFile* planned) {
    const manifest::Manifest& manifest = *file.kept;
    if (!manifest.left_alone().empty()) {
      console_.warning(format("{}: {}; left alone", printable(file.name), manifest.left_alone()));
    }
    for (std::size_t i = 0; i < used_rules_.size(); ++i) {
      if (manifest.uses_rule(i)) used_rules_[i] = true;
    }
    file.first_image = report_.images.size();
    file.image_count = manifest.findings().size();
    for (const manifest::Finding& finding : manifest.findings()) {
      report_.images.push_back(image_of(file.name, finding, command_, skip_));
      PinnedImage& image = report_.images.back();
      if (inputs_.lock) compare_with_lock(command_, skip_, digests_, image);
      tickets_.emplace_back();
      if (const auto wanted = wanted_digest(image, command_, skip_)) {
        auto ticket = digests_.ask(*wanted);
        if (!ticket) return fail(std::move(ticket.error()));
        tickets_.back() = *ticket;
      }
    }
    if (planned != nullptr) {
      if (auto followed = start_plan(*planned, file); !followed) {
        report_.file_errors.push_back(std::move(followed.error()));
      }
    }
    store_.put_away(file);
    files_.push_back(std::move(file));
    return {};
  }

  Result<void> start_plan(const PlannedFile& planned, const PinFile& file) {
    if (PinFiles::contents_of(file) != planned.contents) {
      return fail(ErrorCode::kConflict, format("{}: has changed since the plan was made; make a "
                                               "new plan",
                                               printable(file.name)));
    }
    return follow_plan(planned, images_of(file));
  }

  void put(const EditedFile& edited, const PinFile& file, std::vector<FileReplacement>& prepared,
           PinPlan& plan) {
    if (command_.mode == PinMode::kDiff) {
      streams_.out << manifest::unified_diff(edited.manifest.bytes(), edited.bytes, file.name);
    } else if (command_.mode == PinMode::kPlan) {
      if (first_invalid_utf8(file.path) != std::string::npos) {
        report_.file_errors.push_back(
            {.code = ErrorCode::kInvalid,
             .message =
                 format("{}: its name is not UTF-8, and a plan cannot hold it; rename it, or "
                        "pin it without a plan",
                        printable(file.name))});
        return;
      }
      plan.files.push_back({.path = file.path,
                            .contents = image::Digest::sha256_of(edited.manifest.bytes()),
                            .edits = edited.edits});
    } else if (command_.mode == PinMode::kInPlace || command_.mode == PinMode::kApply) {
      targets_.insert(file.path);
      prepare(file.path, edited.bytes, file.stamp, prepared);
    }
  }

  void prepare(const std::string& path, std::string_view bytes, const FileStamp& stamp,
               std::vector<FileReplacement>& prepared) {
    auto replacement = FileReplacement::prepare(path, bytes, stamp, interruption_);
    if (!replacement) {
      report_.file_errors.push_back(std::move(replacement.error()));
      return;
    }
    prepared.push_back(std::move(*replacement));
  }

  void put_plan(std::string_view text, std::vector<FileReplacement>& prepared) {
    if (command_.plan == kStandardInput) {
      streams_.out << text;
    } else {
      prepare(command_.plan, text, FileStamp::of(command_.plan), prepared);
    }
  }

  void commit(std::vector<FileReplacement>& prepared) {
    if (auto synced = FileReplacement::sync_all(prepared); !synced) {
      report_.file_errors.push_back(std::move(synced.error()));
      return;
    }
    const auto on_failure = command_.keep_going ? FileReplacement::OnFailure::kKeepGoing
                                                : FileReplacement::OnFailure::kPutBack;
    Committed committed = FileReplacement::commit_all(prepared, on_failure, interruption_);
    for (Error& error : committed.errors) report_.file_errors.push_back(std::move(error));
    tell_links_that_were_parted(prepared);
    tell_lost_attributes(prepared);
    for (std::string& path : committed.written) {
      if (targets_.contains(path)) report_.changed_files.push_back(std::move(path));
    }
  }

  // Of a whole folder they were meant for something. Who names files may name any.
  void tell_unused_rules() {
    const bool of_folder = std::ranges::any_of(inputs_.paths, &InputPath::found_in_folder);
    for (std::size_t i = 0; of_folder && i < used_rules_.size(); ++i) {
      if (used_rules_[i]) continue;
      const manifest::PathRule& rule = inputs_.manifest.rules[i];
      console_.warning(
          format("{}the rule {} of kind {} leads to nothing in these files; check "
                 "both, or take it out",
                 rule.place, windlass::quoted(rule.path), windlass::quoted(rule.kind)));
    }
  }

  // Names of one file (hard links) are files of their own once one of them is replaced.
  void tell_links_that_were_parted(std::span<const FileReplacement> replaced) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<const FileReplacement*>> linked;
    for (const FileReplacement& file : replaced) {
      const FileStamp& old = file.stamp();
      if (file.is_in_place() && file.names() > 1) linked[{old.device, old.inode}].push_back(&file);
    }
    for (const auto& [unused, files] : linked) {
      const bool all = files.size() >= files.front()->names();
      for (const FileReplacement* file : files) {
        console_.warning(format("{}: {}", printable(file->path()),
                                all ? "was one file with its other names (hard links), which were "
                                      "changed as well; now each is a file of its own"
                                    : "has other names (hard links), which keep the old contents"));
      }
    }
  }

  void tell_lost_attributes(std::span<const FileReplacement> replaced) {
    for (const FileReplacement& file : replaced) {
      if (!file.is_in_place()) continue;
      for (const std::string& name : file.lost_attributes()) {
        console_.warning(format("{}: its extended attribute {} could not be kept",
                                printable(file.path()), printable(name)));
      }
    }
  }

  const PinCommand& command_;
  PinInputs inputs_;
  const resolver::SkipList skip_;
  const Streams& streams_;
  Console& console_;
  Interruption& interruption_;
  const std::stop_token stop_;
  PinFiles store_;
  DigestSource digests_;
  std::vector<PinFile> files_;
  std::vector<std::optional<std::size_t>> tickets_;  // one for each image of the report
  std::vector<bool> used_rules_;                     // one for each rule of the user
  std::set<std::string> targets_;                    // paths of manifests to be replaced
  PinReport report_;
};

}  // namespace

ExitCode run_pin(const PinCommand& command, const Streams& streams, const Environment& environment,
                 Clock& clock, Console& console, Observation& observation,
                 Interruption& interruption, const std::stop_token& stop) {
  auto inputs = gather_inputs(command);
  if (!inputs) {
    console.error(inputs.error().message);
    return ExitCode::kInput;
  }
  if (const std::string misuse = misuse_of(command, *inputs); !misuse.empty()) {
    console.error("pin: " + misuse);
    return ExitCode::kUsage;
  }
  if (tell_unusable_files(command.common, console)) return ExitCode::kInput;
  Pinning pinning(
      command, *std::move(inputs), streams, console, interruption,
      [&] { return Lookups::create(command.common, environment, clock, console, observation); },
      stop);
  if (auto read = pinning.read(); !read) {
    console.error(read.error().message);
    return ExitCode::kInput;
  }
  pinning.await();
  if (!command.is_check() && command.mode != PinMode::kList && command.mode != PinMode::kExplain) {
    pinning.write();
  }
  // After a commit an interrupt came too late to keep anything from being done.
  if (stop.stop_requested() && !interruption.has_committed()) {
    console.finish_progress();
    if (interruption.may_tell()) console.error("interrupted; no file was changed");
    return ExitCode::kInterrupted;
  }
  return pinning.tell();
}

}  // namespace windlass::app
