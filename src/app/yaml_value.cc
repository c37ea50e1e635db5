#include "yaml_value.h"

#include <yaml.h>

#include <algorithm>

#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/manifest/yaml_words.h"

namespace windlass::app {
namespace {

constexpr int kDepthMax = 100;

class Reader {
 public:
  Reader(std::string_view file_name, std::string_view bytes)
      : file_name_(file_name), bytes_(bytes) {
    WINDLASS_CHECK(yaml_parser_initialize(&parser_) == 1);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(bytes.data()),
                                 bytes.size());
  }
  ~Reader() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  Result<YamlValue> read_first() {
    auto more = begin_document();
    if (!more) return fail(std::move(more.error()));
    return *more ? value(0) : YamlValue();
  }

  Result<YamlValue> read_only() {
    auto document = read_first();
    while (document && event_.type != YAML_STREAM_END_EVENT) {
      const auto more = begin_document();
      if (!more) return fail(more.error());
      if (!*more) break;
      const yaml_mark_t mark = event_.start_mark;
      auto another = value(0);
      if (!another) return another;
      if (another->kind == YamlValue::Kind::kNull) continue;
      if (document->kind != YamlValue::Kind::kNull) {
        return wrong(mark, "a second document begins here, and only one is read: write all in one");
      }
      document = std::move(another);
    }
    return document;
  }

 private:
  // Up to the first event of the next document's value. False when there is none.
  Result<bool> begin_document() {
    do {
      if (auto read = next(); !read) return fail(std::move(read.error()));
      if (event_.type == YAML_STREAM_END_EVENT) return false;
    } while (event_.type != YAML_DOCUMENT_START_EVENT);
    if (auto read = next(); !read) return fail(std::move(read.error()));
    return true;
  }

  std::unexpected<Error> wrong(const yaml_mark_t& mark, std::string_view what) const {
    return fail(ErrorCode::kInvalid, format("{}:{}:{}: {}", printable(file_name_), mark.line + 1,
                                            mark.column + 1, what));
  }

  // libyaml counts bytes alone before it knows lines.
  std::unexpected<Error> wrong_byte() const {
    const TextPosition at = position_in(bytes_, parser_.problem_offset);
    return wrong({.index = 0, .line = at.line - 1, .column = at.column - 1},
                 "a byte that no YAML in UTF-8 has: save the file as UTF-8");
  }

  Result<void> next() {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_) == 1) return {};
    if (parser_.error == YAML_READER_ERROR) return wrong_byte();
    return wrong(parser_.problem_mark, manifest::yaml_problem_in_words(
                                           parser_.problem == nullptr ? "" : parser_.problem));
  }

  // Of the event that was read last; afterwards that is the value's own last event.
  Result<YamlValue> value(int depth) {
    YamlValue value{.line = event_.start_mark.line + 1, .column = event_.start_mark.column + 1};
    if (depth > kDepthMax) return wrong(event_.start_mark, "nested too deep");
    if (event_.type == YAML_SCALAR_EVENT) {
      const auto& scalar = event_.data.scalar;
      value.scalar.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
      const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
      const bool null =
          plain && (value.scalar.empty() || value.scalar == "~" || value.scalar == "null");
      value.kind = null ? YamlValue::Kind::kNull : YamlValue::Kind::kScalar;
      return value;
    }
    if (event_.type == YAML_ALIAS_EVENT) return value;
    const bool is_mapping = event_.type == YAML_MAPPING_START_EVENT;
    value.kind = is_mapping ? YamlValue::Kind::kMapping : YamlValue::Kind::kSequence;
    const auto end = is_mapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
    while (true) {
      if (auto read = next(); !read) return fail(std::move(read.error()));
      if (event_.type == end) return value;
      auto added = is_mapping ? add_entry(value, depth) : add_item(value, depth);
      if (!added) return fail(std::move(added.error()));
    }
  }

  Result<void> add_item(YamlValue& sequence, int depth) {
    auto item = value(depth + 1);
    if (!item) return fail(std::move(item.error()));
    sequence.items.push_back(std::move(*item));
    return {};
  }

  Result<void> add_entry(YamlValue& mapping, int depth) {
    const yaml_mark_t mark = event_.start_mark;
    auto key = value(depth + 1);
    if (!key) return fail(std::move(key.error()));
    if (key->kind == YamlValue::Kind::kMapping || key->kind == YamlValue::Kind::kSequence) {
      return wrong(mark, "expected a plain key");
    }
    if (mapping.find(key->scalar) != nullptr) {
      return wrong(mark, format("the key {} stands here twice", windlass::quoted(key->scalar)));
    }
    if (auto read = next(); !read) return read;
    auto entry_value = value(depth + 1);
    if (!entry_value) return fail(std::move(entry_value.error()));
    mapping.entries.push_back({.key = std::move(key->scalar),
                               .line = key->line,
                               .column = key->column,
                               .value = std::move(*entry_value)});
    return {};
  }

  const std::string file_name_;
  const std::string_view bytes_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

}  // namespace

const YamlValue* YamlValue::find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &found->value;
}

std::string_view YamlValue::text_at(std::initializer_list<std::string_view> path) const {
  const YamlValue* at = this;
  for (const std::string_view key : path) {
    at = at->find(key);
    if (at == nullptr) return {};
  }
  return at->scalar;
}

Result<YamlValue> parse_yaml(std::string_view file_name, std::string_view bytes) {
  return Reader(file_name, bytes).read_only();
}

Result<YamlValue> parse_first_yaml(std::string_view file_name, std::string_view bytes) {
  return Reader(file_name, bytes).read_first();
}

}  // namespace windlass::app
