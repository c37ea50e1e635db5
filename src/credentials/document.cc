#include "windlass/credentials/document.h"

#include <algorithm>

#include "json.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::credentials {
namespace {

void append_scalar(const boost::json::value& from, Value& to) {
  to.kind = Value::Kind::kScalar;
  to.is_string = from.is_string();
  if (from.is_string()) {
    to.scalar = Secret(std::string_view(from.get_string()));
  } else {
    to.scalar = Secret(boost::json::serialize(from));
  }
}

Value converted(const boost::json::value& from) {
  Value to;
  if (const boost::json::array* array = from.if_array()) {
    to.kind = Value::Kind::kSequence;
    to.items.reserve(array->size());
    for (const boost::json::value& item : *array) to.items.push_back(converted(item));
  } else if (const boost::json::object* object = from.if_object()) {
    to.kind = Value::Kind::kMapping;
    to.members.reserve(object->size());
    for (const auto& [name, item] : *object) to.members.emplace_back(name, converted(item));
  } else if (!from.is_null()) {
    append_scalar(from, to);
  }
  return to;
}

// What JSON takes for a number, apart from leading zeros, which it does not.
bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || text.size() > 15 || !std::ranges::all_of(text, is_digit)) return false;
  return text.size() == 1 || text.front() != '0';
}

void append_json(const Value& value, std::string& out) {
  bool first = true;
  const auto separate = [&] {
    if (!std::exchange(first, false)) out += ',';
  };
  switch (value.kind) {
    case Value::Kind::kNull: out += "null"; break;
    case Value::Kind::kScalar: {
      const std::string_view text = value.text();
      const bool plain = text == "true" || text == "false" || is_json_number(text);
      out += plain && !value.is_string ? std::string(text) : json_quoted(text);
      break;
    }
    case Value::Kind::kSequence:
      out += '[';
      for (const Value& item : value.items) {
        separate();
        append_json(item, out);
      }
      out += ']';
      break;
    case Value::Kind::kMapping:
      out += '{';
      for (const auto& [name, member] : value.members) {
        separate();
        out += json_quoted(name) + ':';
        append_json(member, out);
      }
      out += '}';
      break;
  }
}

}  // namespace

Value::Value() = default;
Value::~Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;

const Value* Value::find(std::string_view name) const {
  const auto found = std::ranges::find(members, name, &std::pair<std::string, Value>::first);
  if (found == members.end() || found->second.kind == Kind::kNull) return nullptr;
  return &found->second;
}

Result<Value> parse_json(std::string_view text, std::string_view place) {
  if (trim(text).empty()) return Value{};
  Result<boost::json::value> root = parse_secret_object(text, place);
  if (!root) return fail(std::move(root.error()));
  return converted(*root);
}

std::string to_json(const Value& value) {
  std::string out;
  append_json(value, out);
  return out;
}

std::string json_quoted(std::string_view text) { return boost::json::serialize(text); }

}  // namespace windlass::credentials
