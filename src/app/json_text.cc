#include "json_text.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/stream_parser.hpp>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {

namespace json = boost::json;

namespace {

void write(std::string& out, const boost::json::value& value, std::size_t depth);

// The entries of an array or object between brackets, one a line.
template <class Container, class WriteEntry>
void write_entries(std::string& out, const Container& entries, char open, char close,
                   std::size_t depth, WriteEntry write_entry) {
  out += open;
  bool first = true;
  for (const auto& entry : entries) {
    out += first ? "\n" : ",\n";
    first = false;
    out.append(2 * (depth + 1), ' ');
    write_entry(entry);
  }
  if (!first) {
    out += '\n';
    out.append(2 * depth, ' ');
  }
  out += close;
}

void write(std::string& out, const boost::json::value& value, std::size_t depth) {
  if (const auto* array = value.if_array()) {
    write_entries(out, *array, '[', ']', depth,
                  [&](const boost::json::value& entry) { write(out, entry, depth + 1); });
  } else if (const auto* object = value.if_object()) {
    write_entries(out, *object, '{', '}', depth, [&](const boost::json::key_value_pair& entry) {
      out += boost::json::serialize(entry.key()) + ": ";
      write(out, entry.value(), depth + 1);
    });
  } else {
    out += boost::json::serialize(value);
  }
}

}  // namespace

std::string indented(const boost::json::value& value) {
  std::string out;
  write(out, value, 0);
  return out + '\n';
}

Result<json::value> parse_json(std::string_view file_name, std::string_view bytes) {
  const auto refuse = [&](std::size_t offset, std::string_view why) {
    const TextPosition at = position_in(bytes, offset);
    return fail(ErrorCode::kInvalid,
                format("{}:{}:{}: not JSON: {}", printable(file_name), at.line, at.column, why));
  };
  json::stream_parser parser;
  json::error_code error;
  const std::size_t used = parser.write_some(bytes.data(), bytes.size(), error);
  if (error) return refuse(used, error.message());
  if (!trim(bytes.substr(used)).empty()) return refuse(used, "something follows its end");
  parser.finish(error);
  if (error) return refuse(bytes.size(), bytes.empty() ? "it is empty" : "it ends too early");
  return parser.release();
}

std::optional<VersionProblem> version_problem(const json::value& root, int known) {
  const json::object* object = root.if_object();
  const json::value* version = object == nullptr ? nullptr : object->if_contains("version");
  if (version == nullptr) return VersionProblem{.what = "it has no \"version\""};
  if (*version == known) return std::nullopt;
  const std::string written = printable_message(json::serialize(*version), 200);
  if (version->is_int64() ? version->get_int64() > known : version->is_uint64()) {
    return VersionProblem{
        .what = format("it is of version {}, and this windlass knows version {}", written, known),
        .is_newer = true};
  }
  return VersionProblem{
      .what = format("its \"version\" is {}, and must be the number {}", written, known)};
}

}  // namespace windlass::app
