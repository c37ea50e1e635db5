#include "pin_command.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "file_replacement.h"
#include "input_files.h"
#include "lookups.h"
#include "pin_report.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/manifest/manifest.h"
#include "windlass/manifest/unified_diff.h"

namespace windlass::app {
namespace {

constexpr std::size_t kManifestBytesMax = std::size_t{64} << 20U;

// A file on its way from reading to writing. `first_image` is where its images start in the report.
struct FileWork {
  manifest::Manifest manifest;
  std::size_t first_image = 0;
  std::vector<std::optional<std::size_t>> tickets;  // one for each finding
  std::string edited;                               // differs from the file when something changes

  bool changes() const { return edited != manifest.bytes(); }
};

struct InputPath {
  std::string path;
  bool found_in_folder = false;  // rather than named by the user
};

// Folders are full of JSON that is none of ours, and often not quite JSON: comments, trailing
// commas.
bool is_other_json(std::string_view path, std::string_view bytes) {
  return path.ends_with(".json") && !bytes.contains("image");
}

class Pinning {
 public:
  Pinning(const PinCommand& command, const Streams& streams, Console& console)
      : command_(command), streams_(streams), console_(console) {}

  bool is_check() const { return command_.mode == PinMode::kCheck; }

  // Reads and parses all files. What is wrong with them is in the report afterwards.
  void read() {
    for (const auto& [path, found_in_folder] : paths_) {
      auto bytes = read_input(path, streams_.in, kManifestBytesMax);
      if (!bytes) {
        report_.file_errors.push_back(std::move(bytes.error()));
        continue;
      }
      const std::string name = path == kStandardInput ? "<stdin>" : path;
      if (found_in_folder && is_other_json(path, *bytes)) continue;
      auto manifest = manifest::Manifest::parse(name, std::move(*bytes));
      if (!manifest) {
        report_.file_errors.push_back(std::move(manifest.error()));
        continue;
      }
      add_file(std::move(*manifest));
    }
  }

  // The files that the command line names. False when there is a usage error, which has been told.
  bool find_files() {
    for (const std::string& argument : command_.paths) {
      auto files = files_named_by(argument);
      if (!files) {
        report_.file_errors.push_back(std::move(files.error()));
        continue;
      }
      for (std::string& file : *files) {
        if (!known_.insert(file).second) continue;
        const bool found_in_folder = file != argument;
        paths_.push_back({std::move(file), found_in_folder});
      }
    }
    const bool to_stdout = command_.mode == PinMode::kStdout && !command_.json;
    if (to_stdout && paths_.size() > 1) {
      console_.error(
          format("pin: {} files are named and standard output takes one; choose "
                 "--in-place, --diff, --check or -o json",
                 paths_.size()));
      return false;
    }
    if (command_.mode == PinMode::kInPlace && known_.contains(kStandardInput)) {
      console_.error("pin: standard input cannot be changed in place; leave out --in-place");
      return false;
    }
    return true;
  }

  bool needs_lookups() const {
    return !is_check() && std::ranges::any_of(report_.images, [](const PinnedImage& image) {
      return image.status == PinStatus::kUnpinned;
    });
  }

  void ask(Lookups& lookups) {
    for (FileWork& file : files_) {
      for (std::size_t i = 0; i < file.tickets.size(); ++i) {
        const PinnedImage& image = report_.images[file.first_image + i];
        if (image.status != PinStatus::kUnpinned) continue;
        file.tickets[i] = lookups.ask(image.finding.reference->written());
      }
    }
  }

  // False when interrupted.
  bool await(Lookups& lookups, const std::stop_token& stop) {
    for (FileWork& file : files_) {
      for (std::size_t i = 0; i < file.tickets.size(); ++i) {
        if (!file.tickets[i]) continue;
        const resolver::ImageResult result = lookups.await(*file.tickets[i], stop);
        if (stop.stop_requested()) return false;
        take(result, report_.images[file.first_image + i]);
      }
    }
    return true;
  }

  // Makes the new contents of every file, and proves them.
  void edit() {
    for (FileWork& file : files_) {
      const manifest::Style style =
          command_.keep_tag ? manifest::Style::kTagAndDigest : manifest::Style::kDigest;
      std::vector<manifest::Edit> edits;
      bool failed = false;
      for (std::size_t i = 0; i < file.tickets.size(); ++i) {
        const PinnedImage& image = report_.images[file.first_image + i];
        failed = failed || image.status == PinStatus::kFailed;
        if (image.status == PinStatus::kPinned) {
          edits.push_back({.finding = i, .digest = image.digest, .style = style});
        }
      }
      if (edits.empty() || (failed && !command_.keep_going)) continue;
      auto edited = file.manifest.edited(edits);
      if (edited) {
        file.edited = std::move(*edited);
      } else {
        report_.file_errors.push_back(std::move(edited.error()));
      }
    }
  }

  bool failed() const {
    return !report_.file_errors.empty() ||
           std::ranges::any_of(report_.images, [](const PinnedImage& image) {
             return image.status == PinStatus::kFailed;
           });
  }

  // Writes to where the mode says. Nothing is written when something failed, without --keep-going.
  void write() {
    if (command_.mode == PinMode::kInPlace) {
      if (!failed() || command_.keep_going) write_in_place();
      return;
    }
    if (command_.json || is_check()) return;
    for (const FileWork& file : files_) {
      if (command_.mode == PinMode::kDiff) {
        streams_.out << manifest::unified_diff(file.manifest.bytes(), file.edited,
                                               file.manifest.file_name());
      } else if (!failed() || command_.keep_going) {
        streams_.out << file.edited;
      }
    }
  }

  ExitCode tell() {
    const ExitCode code = report_.exit_code(is_check());
    console_.finish_progress();
    for (const Error& error : report_.file_errors) console_.error(error.message);
    for (const PinnedImage& image : report_.images) tell_image(image);
    if (command_.json) streams_.out << report_.to_json(code);
    tell_summary();
    return code;
  }

 private:
  void add_file(manifest::Manifest manifest) {
    if (!manifest.left_alone().empty()) {
      console_.warning(
          format("{}: {}; left alone", printable(manifest.file_name()), manifest.left_alone()));
    }
    FileWork file{.manifest = std::move(manifest), .first_image = report_.images.size()};
    file.edited = file.manifest.bytes();
    file.tickets.resize(file.manifest.findings().size());
    for (const manifest::Finding& finding : file.manifest.findings()) {
      report_.images.push_back(image_of(file.manifest.file_name(), finding));
    }
    files_.push_back(std::move(file));
  }

  static PinnedImage image_of(const std::string& file, const manifest::Finding& finding) {
    PinnedImage image{.file = file, .finding = finding};
    switch (finding.state) {
      case manifest::FindingState::kUnpinned: image.status = PinStatus::kUnpinned; break;
      case manifest::FindingState::kPinned:
        image.status = PinStatus::kAlreadyPinned;
        image.digest = finding.reference->digest();
        break;
      case manifest::FindingState::kLeftAlone: image.reason = finding.reason; break;
      case manifest::FindingState::kInvalid:
        image.status = PinStatus::kFailed;
        image.error = Error{ErrorCode::kInvalid, finding.reason};
        break;
    }
    return image;
  }

  void take(const resolver::ImageResult& result, PinnedImage& image) const {
    if (result.resolution) {
      image.status = PinStatus::kPinned;
      image.digest = result.resolution->digest;
      image.pinned_text = image.finding.reference->pinned_text(*image.digest, command_.keep_tag);
    } else if (result.error) {
      image.status = PinStatus::kFailed;
      image.error = result.error->with_context(image.place());
    } else {
      image.status = PinStatus::kSkipped;
      image.reason = "its registry is on the skip list";
    }
  }

  void write_in_place() {
    std::vector<FileReplacement> prepared;
    for (const FileWork& file : files_) {
      if (!file.changes()) continue;
      auto replacement = FileReplacement::prepare(file.manifest.file_name(), file.edited);
      if (replacement) {
        prepared.push_back(std::move(*replacement));
        report_.changed_files.push_back(file.manifest.file_name());
      } else {
        report_.file_errors.push_back(std::move(replacement.error()));
      }
    }
    if (!report_.file_errors.empty() && !command_.keep_going) {
      report_.changed_files.clear();
      return;
    }
    for (std::size_t i = 0; i < prepared.size(); ++i) {
      if (auto done = prepared[i].commit(); !done) {
        report_.file_errors.push_back(std::move(done.error()));
      }
    }
  }

  void tell_image(const PinnedImage& image) {
    switch (image.status) {
      case PinStatus::kFailed: console_.error(image.error->message); break;
      case PinStatus::kUnpinned:
        if (!command_.json) {
          streams_.out << image.place() << ": " << printable(image.finding.text, 1000)
                       << " is not pinned\n";
        }
        break;
      case PinStatus::kPinned:
        if (!image.finding.reference->has_written_tag()) {
          console_.warning(
              format("{}: {}: no tag: the image floats with \"latest\" until the next "
                     "update; name a tag",
                     image.place(), printable(image.finding.text)));
        }
        console_.detail(format("{}: {}", image.place(), image.pinned_text));
        break;
      case PinStatus::kAlreadyPinned:
        console_.detail(
            format("{}: {}: already pinned", image.place(), printable(image.finding.text)));
        break;
      case PinStatus::kSkipped:
        console_.detail(format("{}: {}: left alone: {}", image.place(),
                               printable(image.finding.text), image.reason));
        break;
    }
  }

  std::size_t count(PinStatus status) const {
    return static_cast<std::size_t>(
        std::ranges::count(report_.images, status, &PinnedImage::status));
  }

  // One line for people; a program that reads standard output has its report.
  void tell_summary() {
    const std::size_t bad = count(PinStatus::kFailed);
    if (is_check()) {
      if (const std::size_t unpinned = count(PinStatus::kUnpinned); unpinned > 0) {
        console_.note(format("{} of {} images are not pinned; 'windlass pin -i' pins them",
                             unpinned, report_.images.size()));
      }
      return;
    }
    if (command_.mode != PinMode::kInPlace) return;
    if (failed() && !command_.keep_going) {
      console_.note("nothing was written; --keep-going writes what could be pinned");
    } else {
      console_.note(format("{} images pinned in {} files, {} were pinned before{}",
                           count(PinStatus::kPinned), report_.changed_files.size(),
                           count(PinStatus::kAlreadyPinned),
                           bad > 0 ? format(", {} failed", bad) : ""));
    }
  }

  const PinCommand& command_;
  const Streams& streams_;
  Console& console_;
  std::vector<InputPath> paths_;
  std::set<std::string, std::less<>> known_;  // the same, to find doubles
  std::vector<FileWork> files_;
  PinReport report_;
};

}  // namespace

ExitCode run_pin(const PinCommand& command, const Streams& streams, const Environment& environment,
                 Clock& clock, Console& console, const std::stop_token& stop) {
  Pinning pinning(command, streams, console);
  if (!pinning.find_files()) return ExitCode::kUsage;
  pinning.read();
  const auto interrupted = [&] {
    console.finish_progress();
    console.error("interrupted; no file was changed");
    return ExitCode::kInterrupted;
  };
  if (stop.stop_requested()) return interrupted();
  if (pinning.needs_lookups()) {
    auto lookups = Lookups::create(command.common, environment, clock, console);
    if (!lookups) {
      console.error(lookups.error().message);
      return ExitCode::kInput;
    }
    pinning.ask(**lookups);
    if (!pinning.await(**lookups, stop)) return interrupted();
  }
  if (!pinning.is_check()) pinning.edit();
  pinning.write();
  return pinning.tell();
}

}  // namespace windlass::app
