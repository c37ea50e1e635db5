#include "pin_plan.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <utility>

#include "json_text.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

namespace json = boost::json;

constexpr std::string_view kAdvice = "make a new one with --plan";

using Style = PinCommand::Style;

constexpr std::array<std::pair<std::string_view, Style>, 4> kStyles = {
    {{"as-written", Style::kAsWritten},
     {"tag", Style::kTag},
     {"digest", Style::kDigest},
     {"comment", Style::kComment}}};

std::string_view name_of(Style style) {
  for (const auto& [name, value] : kStyles) {
    if (value == style) return name;
  }
  return kStyles.front().first;
}

// Reads one plan. What is wrong ends in `problem_`; values read after that are of no use.
class PlanReader {
 public:
  Result<PinPlan> read(std::string_view file_name, std::string_view bytes) {
    const auto root = parse_json(file_name, bytes);
    if (!root) return fail(ErrorCode::kInvalid, format("{}; {}", root.error().message, kAdvice));
    PinPlan plan;
    std::string_view advice = kAdvice;
    if (auto problem = version_problem(*root, PinPlan::kVersion)) {
      if (problem->is_newer) advice = kNewerProgram;
      problem_ = std::move(problem->what);
    } else {
      plan.files = read_files(*root);
    }
    if (problem_.empty()) return plan;
    return fail(ErrorCode::kInvalid, format("{}: not a plan that can be used: {}; {}",
                                            printable(file_name), problem_, advice));
  }

 private:
  std::vector<PlannedFile> read_files(const json::value& root) {
    std::vector<PlannedFile> files;
    for_each(root, "files", [&](const json::value& file) { files.push_back(read_file(file)); });
    return files;
  }

  PlannedFile read_file(const json::value& entry) {
    PlannedFile file{.path = text(entry, "file"), .contents = digest(entry, "contents")};
    for_each(entry, "edits",
             [&](const json::value& edit) { file.edits.push_back(read_edit(edit)); });
    return file;
  }

  PlannedEdit read_edit(const json::value& entry) {
    PlannedEdit edit{.line = number(entry, "line"),
                     .column = number(entry, "column"),
                     .offset = number(entry, "offset"),
                     .image = text(entry, "image"),
                     .becomes = text(entry, "becomes")};
    const json::value* value = member(entry, "digest");
    if (value != nullptr && !value->is_null()) edit.digest = digest(entry, "digest");
    const std::string style = text(entry, "style");
    for (const auto& [name, style_value] : kStyles) {
      if (name == style) {
        edit.style = style_value;
        return edit;
      }
    }
    note(format("\"style\" is {}, and may be as-written, tag, digest or comment",
                windlass::quoted(style)));
    return edit;
  }

  const json::value* member(const json::value& entry, std::string_view name) {
    const json::object* object = entry.if_object();
    const json::value* value = object == nullptr ? nullptr : object->if_contains(name);
    if (value == nullptr) note(format("no {}", windlass::quoted(name)));
    return value;
  }

  std::string text(const json::value& entry, std::string_view name) {
    const json::value* value = member(entry, name);
    if (value == nullptr) return {};
    if (!value->is_string()) note(format("{} is not a text", windlass::quoted(name)));
    return value->is_string() ? std::string(value->get_string()) : std::string();
  }

  std::size_t number(const json::value& entry, std::string_view name) {
    const json::value* value = member(entry, name);
    if (value == nullptr) return 0;
    if (value->is_int64() && value->get_int64() >= 0) {
      return static_cast<std::size_t>(value->get_int64());
    }
    note(format("{} is not a number", windlass::quoted(name)));
    return 0;
  }

  template <class Read>
  void for_each(const json::value& entry, std::string_view name, Read read) {
    const json::value* value = member(entry, name);
    if (value == nullptr || !value->is_array()) {
      note(format("{} is not a list", windlass::quoted(name)));
      return;
    }
    const std::size_t depth = place_.size();
    for (std::size_t i = 0; i < value->get_array().size(); ++i) {
      place_ += format("{}[{}]: ", name, i);
      read(value->get_array()[i]);
      place_.resize(depth);
    }
  }

  image::Digest digest(const json::value& entry, std::string_view name) {
    auto parsed = image::Digest::parse(text(entry, name));
    if (parsed) return *parsed;
    note(format("{}: {}", windlass::quoted(name), parsed.error().message));
    return image::Digest::sha256_of({});
  }

  // The first problem is the one to tell: others may follow from it.
  void note(std::string_view problem) {
    if (problem_.empty()) problem_ = place_ + std::string(problem);
  }

  std::string place_;  // of the entry that is being read: "files[2]: edits[0]: "
  std::string problem_;
};

}  // namespace

Result<PinPlan> PinPlan::parse(std::string_view file_name, std::string_view bytes) {
  return PlanReader().read(file_name, bytes);
}

std::string PinPlan::to_text() const {
  json::array files_json;
  for (const PlannedFile& file : files) {
    json::array edits;
    for (const PlannedEdit& edit : file.edits) {
      edits.push_back({{"line", edit.line},
                       {"column", edit.column},
                       {"offset", edit.offset},
                       {"image", edit.image},
                       {"becomes", edit.becomes},
                       {"digest", edit.digest ? json::value(edit.digest->to_string()) : nullptr},
                       {"style", name_of(edit.style)}});
    }
    files_json.push_back({{"file", file.path},
                          {"contents", file.contents.to_string()},
                          {"edits", std::move(edits)}});
  }
  return indented(json::object{{"version", kVersion}, {"files", std::move(files_json)}});
}

}  // namespace windlass::app
