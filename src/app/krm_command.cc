#include "krm_command.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "config_file.h"
#include "digest_source.h"
#include "input_files.h"
#include "krm_results.h"
#include "pin_edits.h"
#include "pin_images.h"
#include "pin_inputs.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "yaml_value.h"

namespace windlass::app {
namespace {

constexpr std::size_t kListBytesMax = std::size_t{64} << 20U;
constexpr const char* kName = "<stdin>";

// The values of a ConfigMap are texts: a list is written with commas or line ends.
YamlValue as_list(const YamlValue& value) {
  YamlValue list{.kind = YamlValue::Kind::kSequence, .line = value.line, .column = value.column};
  std::string_view text = value.scalar;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(",\n ");
    const std::string_view word = trim(text.substr(0, end));
    YamlValue item{.kind = YamlValue::Kind::kScalar, .line = value.line, .column = value.column};
    item.scalar = word;
    if (!word.empty()) list.items.push_back(std::move(item));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return list;
}

// Options in the data (or spec) of the function's own configuration.
Result<void> apply_function_config(const YamlValue& list, KrmCommand& command) {
  const YamlValue* config = list.find("functionConfig");
  if (config == nullptr) return {};
  const CommandSpec spec = krm_spec(command);
  for (const std::string_view where : {"data", "spec"}) {
    const YamlValue* data = config->find(where);
    if (data == nullptr) continue;
    for (const YamlValue::Entry& entry : data->entries) {
      const auto option = std::ranges::find(spec.options, entry.key, &Option::name);
      if (option == spec.options.end() || !option->in_config) {
        return fail(ErrorCode::kInvalid,
                    format("{}:{}:{}: functionConfig: unknown option {}; 'windlass krm --help' "
                           "tells which there are",
                           kName, entry.line, entry.column, windlass::quoted(entry.key)));
      }
      const bool is_text = entry.value.kind == YamlValue::Kind::kScalar;
      const YamlValue value = option->repeats && is_text ? as_list(entry.value) : entry.value;
      if (auto done = set_from_yaml(*option, value, kName); !done) return done;
    }
  }
  return {};
}

// The command that `windlass pin` would be.
PinCommand as_pin(const KrmCommand& command) {
  return {.common = command.common,
          .in_strings = command.in_strings,
          .action = command.action,
          .style = command.style,
          .lock = command.lock,
          .offline = command.offline};
}

manifest::Manifest::Options manifest_options(const KrmCommand& command) {
  return {.in_strings = command.in_strings, .format = manifest::Format::kKubernetes};
}

class KrmRun {
 public:
  KrmRun(const KrmCommand& command, std::istream& in, std::optional<LockFile> lock,
         DigestSource::MakeLookups make_lookups, const std::stop_token& stop)
      : command_(as_pin(command)),
        skip_(skip_list_of(command.common)),
        lock_(std::move(lock)),
        stop_(stop),
        manifest_options_(manifest_options(command)),
        files_({.manifest = manifest_options_}, in, stop),
        digests_({.lock = lock_ ? &*lock_ : nullptr,
                  .offline = command.offline,
                  .platform = command.common.platform},
                 std::move(make_lookups)) {}

  // The list with its items pinned, or as it was when something failed; and its results.
  Result<std::string> pin(const std::string& bytes, const YamlValue& list) {
    auto manifest = manifest::Manifest::parse(kName, bytes, manifest_options_);
    if (!manifest) return fail(std::move(manifest.error()));
    std::vector<std::optional<std::size_t>> tickets;
    for (const manifest::Finding& finding : manifest->findings()) {
      images_.push_back(image_of(kName, finding, command_, skip_));
      tickets.emplace_back();
      if (const auto wanted = wanted_digest(images_.back(), command_, skip_)) {
        auto ticket = digests_.ask(*wanted);
        if (!ticket) return fail(std::move(ticket.error()));
        tickets.back() = *ticket;
      }
    }
    for (std::size_t i = 0; i < images_.size() && !stop_.stop_requested(); ++i) {
      if (tickets[i]) take_answer(digests_.await(*tickets[i], stop_), command_, images_[i]);
    }
    if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "interrupted");
    PinFile file{.path = kName, .name = kName, .kept = std::move(*manifest)};
    auto edited = edit_file(files_, file, images_, command_);
    if (!edited) return fail(std::move(edited.error()));
    for (PinnedImage& image : images_) {
      if (!*edited && image.is_edited()) image.take_back("another image of the list failed");
    }
    return with_results(*edited ? (**edited).bytes : bytes, list, images_);
  }

  bool failed() const {
    return std::ranges::any_of(images_, [](const PinnedImage& i) { return i.error.has_value(); });
  }
  const std::vector<PinnedImage>& images() const { return images_; }

 private:
  const PinCommand command_;
  const resolver::SkipList skip_;
  std::optional<LockFile> lock_;
  const std::stop_token stop_;
  const manifest::Manifest::Options manifest_options_;
  PinFiles files_;
  DigestSource digests_;
  std::vector<PinnedImage> images_;
};

Result<YamlValue> read_list(const std::string& bytes) {
  auto list = parse_first_yaml(kName, bytes);
  if (!list) return list;
  if (list->text_at({"kind"}) != "ResourceList") {
    return fail(
        ErrorCode::kInvalid,
        format("{}:1:1: expected a ResourceList, as orchestrators send it to functions", kName));
  }
  return list;
}

}  // namespace

ExitCode run_krm(const KrmCommand& command, const Streams& streams, const Environment& environment,
                 Clock& clock, Console& console, Observation& observation,
                 const std::stop_token& stop) {
  const auto give_up = [&](const Error& error) {
    console.error(error.message);
    return error.code == ErrorCode::kCancelled  ? ExitCode::kInterrupted
           : error.code == ErrorCode::kInternal ? ExitCode::kInternal
                                                : ExitCode::kInput;
  };
  const auto bytes = read_input("-", streams.in, kListBytesMax, stop);
  if (!bytes) return give_up(bytes.error());
  const auto list = read_list(*bytes);
  if (!list) return give_up(list.error());
  KrmCommand configured = command;
  if (auto done = apply_function_config(*list, configured); !done) return give_up(done.error());
  if (tell_unusable_files(configured.common, console)) return ExitCode::kInput;
  std::optional<LockFile> lock;
  if (!configured.lock.empty()) {
    auto read = read_lock(configured.lock, configured.offline);
    if (!read) return give_up(read.error());
    lock = std::move(*read);
  }
  KrmRun krm(
      configured, streams.in, std::move(lock),
      [&] { return Lookups::create(configured.common, environment, clock, console, observation); },
      stop);
  const auto pinned = krm.pin(*bytes, *list);
  console.finish_progress();
  if (!pinned) return give_up(pinned.error());
  streams.out << *pinned;
  for (const PinnedImage& image : krm.images()) {
    if (image.error) console.error(image.error->message);
  }
  return krm.failed() ? ExitCode::kCheckFailed : ExitCode::kDone;
}

}  // namespace windlass::app
