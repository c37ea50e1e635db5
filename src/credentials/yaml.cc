#include <yaml.h>

#include <algorithm>
#include <map>

#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/document.h"

namespace windlass::credentials {
namespace {

constexpr int kDepthMax = 64;
constexpr std::size_t kValuesMax = 200'000;

std::size_t count_of(const Value& value) {
  std::size_t count = 1;
  for (const Value& item : value.items) count += count_of(item);
  for (const auto& [name, member] : value.members) count += count_of(member);
  return count;
}

void wipe(unsigned char* begin, const unsigned char* end) {
  if (begin != nullptr) explicit_bzero(begin, static_cast<std::size_t>(end - begin));
}

// libyaml's parser, with what it still holds overwritten at the end.
class Events {
 public:
  explicit Events(std::string_view text) {
    WINDLASS_CHECK(yaml_parser_initialize(&parser_) == 1);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Events() {
    drop();
    wipe(parser_.raw_buffer.start, parser_.raw_buffer.end);
    wipe(parser_.buffer.start, parser_.buffer.end);
    yaml_parser_delete(&parser_);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  bool next() {
    drop();
    has_event_ = yaml_parser_parse(&parser_, &event_) == 1;
    return has_event_;
  }

  const yaml_event_t& event() const { return event_; }
  const yaml_parser_t& parser() const { return parser_; }

 private:
  void drop() {
    if (!has_event_) return;
    if (event_.type == YAML_SCALAR_EVENT)
      wipe(event_.data.scalar.value, event_.data.scalar.value + event_.data.scalar.length);
    yaml_event_delete(&event_);
    has_event_ = false;
  }

  yaml_parser_t parser_{};
  yaml_event_t event_{};
  bool has_event_ = false;
};

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

bool is_null(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view place) : events_(text), place_(place) {}

  Result<Value> read() {
    Value root;
    // Stream and document begin; an empty stream has no document.
    for (;;) {
      if (!events_.next()) return fail(syntax_error());
      const yaml_event_type_t type = events_.event().type;
      if (type == YAML_STREAM_END_EVENT) return root;
      if (type == YAML_DOCUMENT_START_EVENT) break;
    }
    if (!events_.next()) return fail(syntax_error());
    if (Result<void> done = read_value(root, 0); !done) return fail(std::move(done.error()));
    while (events_.event().type != YAML_STREAM_END_EVENT) {
      if (!events_.next()) return fail(syntax_error());
      if (events_.event().type == YAML_DOCUMENT_START_EVENT)
        return refuse("a second document starts here; one is expected");
    }
    return root;
  }

 private:
  std::unexpected<Error> refuse(std::string_view why) const {
    const yaml_mark_t& mark = events_.event().start_mark;
    return fail(ErrorCode::kInvalid,
                format("{}:{}:{}: {}", place_, mark.line + 1, mark.column + 1, why));
  }

  Error syntax_error() const {
    const yaml_parser_t& parser = events_.parser();
    const yaml_mark_t& mark = parser.problem_mark;
    return {
        .code = ErrorCode::kInvalid,
        .message = format("{}:{}:{}: not valid YAML: {}", place_, mark.line + 1, mark.column + 1,
                          parser.problem == nullptr ? "no memory" : parser.problem)};
  }

  // The event at hand begins the value; afterwards it is the value's last.
  Result<void> read_value(Value& value, int depth) {
    const yaml_event_t& event = events_.event();
    value.line = static_cast<int>(event.start_mark.line) + 1;
    value.column = static_cast<int>(event.start_mark.column) + 1;
    if (++values_ > kValuesMax) return refuse("too many values");
    if (depth > kDepthMax) return refuse("too deeply nested");
    std::string anchor;
    switch (event.type) {
      case YAML_ALIAS_EVENT: return read_alias(value, depth);
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event.data.scalar;
        const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
        anchor = view(scalar.anchor);
        value.is_string = scalar.style != YAML_PLAIN_SCALAR_STYLE;
        if (!value.is_string && is_null(text)) break;
        value.kind = Value::Kind::kScalar;
        value.scalar = Secret(text);
        break;
      }
      case YAML_SEQUENCE_START_EVENT:
        anchor = view(event.data.sequence_start.anchor);
        if (Result<void> done = read_items(value, depth); !done) return done;
        break;
      case YAML_MAPPING_START_EVENT:
        anchor = view(event.data.mapping_start.anchor);
        if (Result<void> done = read_members(value, depth); !done) return done;
        break;
      default: return refuse("a value is expected");
    }
    if (!anchor.empty()) anchors_.insert_or_assign(anchor, value);
    return {};
  }

  Result<void> read_alias(Value& value, int depth) {
    const auto found = anchors_.find(view(events_.event().data.alias.anchor));
    if (found == anchors_.end()) return refuse("this alias has no anchor before it");
    // An anchored value may be as deep as anything else already.
    if (depth > kDepthMax / 2) return refuse("an alias so deeply nested");
    values_ += count_of(found->second);
    if (values_ > kValuesMax) return refuse("too many values, with aliases written out");
    value = found->second;
    return {};
  }

  Result<void> read_items(Value& value, int depth) {
    value.kind = Value::Kind::kSequence;
    for (;;) {
      if (!events_.next()) return fail(syntax_error());
      if (events_.event().type == YAML_SEQUENCE_END_EVENT) return {};
      if (Result<void> done = read_value(value.items.emplace_back(), depth + 1); !done) return done;
    }
  }

  Result<void> read_members(Value& value, int depth) {
    value.kind = Value::Kind::kMapping;
    for (;;) {
      if (!events_.next()) return fail(syntax_error());
      if (events_.event().type == YAML_MAPPING_END_EVENT) return {};
      if (events_.event().type != YAML_SCALAR_EVENT) return refuse("a name is expected");
      const auto& scalar = events_.event().data.scalar;
      std::string name(reinterpret_cast<const char*>(scalar.value), scalar.length);
      if (std::ranges::find(value.members, name, &std::pair<std::string, Value>::first) !=
          value.members.end())
        return refuse(format("{} stands here twice", quoted(name, 60)));
      auto& member = value.members.emplace_back(std::move(name), Value{});
      if (!events_.next()) return fail(syntax_error());
      if (Result<void> done = read_value(member.second, depth + 1); !done) return done;
    }
  }

  Events events_;
  const std::string place_;
  std::size_t values_ = 0;
  std::map<std::string, Value, std::less<>> anchors_;
};

}  // namespace

Result<Value> parse_yaml(std::string_view text, std::string_view place) {
  if (const std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos) {
    return fail(ErrorCode::kInvalid,
                format("{}:{}: not valid YAML: not UTF-8", place, position_in(text, bad).line));
  }
  return Reader(text, place).read();
}

}  // namespace windlass::credentials
