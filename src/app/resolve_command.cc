#include "resolve_command.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input_files.h"
#include "json_text.h"
#include "lookups.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

namespace json = boost::json;

constexpr std::size_t kListBytesMax = std::size_t{64} << 20U;

struct Input {
  std::string image;
  std::string place;           // file:line:column, where it is from a file
  std::optional<Error> error;  // when it is not a reference
  std::size_t ticket = 0;      // otherwise
};

// UTF-16 has a NUL in most of its characters, and may be valid UTF-8 otherwise.
Result<void> check_text(std::string_view text, std::string_view file) {
  const std::size_t bad = std::min(first_invalid_utf8(text), text.find('\0'));
  if (bad == std::string_view::npos) return {};
  const TextPosition at = position_in(text, bad);
  return fail(ErrorCode::kInvalid, format("{}:{}:{}: not UTF-8 text; save the list as UTF-8",
                                          printable(file), at.line, at.column));
}

// One reference a line; blank lines and lines that start with # are for people.
void add_references_in(std::string_view text, std::string_view file, std::vector<Input>& inputs) {
  for (std::size_t line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::string_view image = trim(line);
    if (!image.empty() && !image.starts_with('#')) {
      inputs.push_back(
          {.image = std::string(image),
           .place = format("{}:{}:{}", printable(file), line_number, line.find(image) + 1)});
    }
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
}

json::object to_json(const resolver::ImageResult& result) {
  json::object entry = {{"image", result.image}, {"status", resolver::to_string(result.verdict)}};
  if (result.resolution) {
    const registry::Resolution& resolution = *result.resolution;
    entry["name"] = resolution.pinned_name();
    entry["registry"] = resolution.reference.registry();
    entry["repository"] = resolution.reference.repository();
    entry["digest"] = resolution.digest.to_string();
    if (!resolution.media_type.empty()) entry["mediaType"] = resolution.media_type;
    if (resolution.size) entry["size"] = *resolution.size;
    if (resolution.asked) entry["credentials"] = resolution.credential_source;
  }
  if (result.error) {
    entry["error"] = {{"kind", to_string(result.error->code)}, {"message", result.error->message}};
  }
  return entry;
}

// Writes each result in the format asked for; JSON needs its end.
class Printer {
 public:
  Printer(std::ostream& out, ResolveCommand::Output format, bool single)
      : out_(out), format_(format), single_(single) {}

  void print(const resolver::ImageResult& result) {
    switch (format_) {
      case ResolveCommand::Output::kJson: all_.push_back(to_json(result)); return;
      case ResolveCommand::Output::kNdjson: out_ << json::serialize(to_json(result)) << '\n'; break;
      case ResolveCommand::Output::kDigest:
        if (result.resolution) out_ << result.resolution->digest.to_string() << '\n';
        break;
      case ResolveCommand::Output::kText:
        if (!result.resolution) break;
        if (!single_) out_ << result.image << '\t';
        out_ << result.resolution->pinned_name() << '\n';
        break;
    }
    out_.flush();  // each answer is somebody's next step
  }

  void finish() {
    if (format_ == ResolveCommand::Output::kJson) out_ << indented(all_);
    out_.flush();
  }

 private:
  std::ostream& out_;
  const ResolveCommand::Output format_;
  const bool single_;
  json::array all_;
};

Result<std::vector<Input>> gather(const ResolveCommand& command, std::istream& standard_input,
                                  const std::stop_token& stop) {
  std::vector<Input> inputs;
  std::span<const std::string> images = command.images;
  const auto add_images = [&](std::size_t count) {
    for (const std::string& image : images.first(count)) inputs.push_back({.image = image});
    images = images.subspan(count);
  };
  if (!command.file.empty()) {
    add_images(command.images_before_file);
    auto text = read_input(command.file, standard_input, kListBytesMax, stop);
    if (!text) return fail(std::move(text.error()));
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    std::string_view list = *text;
    if (list.starts_with(kMark)) list.remove_prefix(kMark.size());
    const std::string name = command.file == kStandardInput ? "<stdin>" : command.file;
    if (auto readable = check_text(list, name); !readable) return fail(readable.error());
    add_references_in(list, name, inputs);
  }
  add_images(images.size());
  for (Input& input : inputs) {
    auto reference = image::ImageReference::parse(input.image);
    if (reference) continue;
    input.error = input.place.empty() ? std::move(reference.error())
                                      : reference.error().with_context(input.place);
  }
  return inputs;
}

// `is_input`: what fails is what was given, and not what a registry says of it.
ExitCode report_failure(const resolver::ImageResult& result, bool is_input, Console& console) {
  if (result.verdict == resolver::Verdict::kSkipped) {
    console.warning(
        format("{}: skipped: its registry is on the skip list", printable(result.image)));
  }
  if (!result.error) return ExitCode::kDone;
  console.error(result.error->message);
  return is_input ? ExitCode::kInput : exit_code_of_lookup(result.error->code);
}

}  // namespace

ExitCode run_resolve(const ResolveCommand& command, const Streams& streams,
                     const Environment& environment, Clock& clock, Console& console,
                     Observation& observation, const std::stop_token& stop) {
  auto inputs = gather(command, streams.in, stop);
  if (!inputs) {
    console.error(inputs.error().message);
    const bool interrupted = inputs.error().code == ErrorCode::kCancelled;
    return interrupted ? ExitCode::kInterrupted : ExitCode::kInput;
  }
  if (tell_unusable_files(command.common, console)) return ExitCode::kInput;
  auto lookups = Lookups::create(command.common, environment, clock, console, observation);
  if (!lookups) {
    console.error(lookups.error().message);
    return ExitCode::kInput;
  }
  for (Input& input : *inputs) {
    if (!input.error) input.ticket = (*lookups)->ask(input.image);
  }
  Printer printer(streams.out, command.output, command.file.empty() && inputs->size() == 1);
  ExitCode code = ExitCode::kDone;
  for (const Input& input : *inputs) {
    if (stop.stop_requested() || !streams.out) break;  // nobody reads what is still to come
    const resolver::ImageResult result =
        input.error ? resolver::ImageResult{.image = image::without_password(input.image),
                                            .verdict = resolver::Verdict::kFailed,
                                            .error = input.error}
                    : (*lookups)->await(input.ticket, stop);
    if (stop.stop_requested()) break;
    console.finish_progress();
    const bool is_input = input.error || (*lookups)->failed_by_source(input.ticket);
    code = worse(code, report_failure(result, is_input, console));
    printer.print(result);
  }
  printer.finish();
  if (stop.stop_requested()) {
    console.error("interrupted; what is above was known by then");
    return ExitCode::kInterrupted;
  }
  return code;
}

}  // namespace windlass::app
