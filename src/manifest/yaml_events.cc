#include "yaml_events.h"

#include <yaml.h>

#include <algorithm>
#include <string>

#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/manifest/yaml_words.h"

namespace windlass::manifest {
namespace {

std::string_view text_of(const yaml_char_t* text) {
  if (text == nullptr) return {};
  return reinterpret_cast<const char*>(text);
}

ScalarStyle style_of(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: return ScalarStyle::kSingleQuoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return ScalarStyle::kDoubleQuoted;
    case YAML_LITERAL_SCALAR_STYLE: return ScalarStyle::kLiteral;
    case YAML_FOLDED_SCALAR_STYLE: return ScalarStyle::kFolded;
    default: return ScalarStyle::kPlain;
  }
}

}  // namespace

struct YamlEvents::Parser {
  yaml_parser_t parser{};
  yaml_event_t event{};
  bool has_event = false;

  explicit Parser(std::string_view text) {
    WINDLASS_CHECK(yaml_parser_initialize(&parser) == 1);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Parser() {
    drop_event();
    yaml_parser_delete(&parser);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  void drop_event() {
    if (has_event) yaml_event_delete(&event);
    has_event = false;
  }
  bool read_event() {
    drop_event();
    has_event = yaml_parser_parse(&parser, &event) == 1;
    return has_event;
  }
};

namespace {

// libyaml's span of a node starts at its anchor or tag. `properties` of them stand in front of the
// value, apart from blanks, line breaks and comments.
std::size_t skip_properties(std::string_view bytes, Span span, int properties) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::size_t i = span.begin;
  while (i < span.end) {
    const char c = bytes[i];
    if (kBlanks.contains(c)) {
      ++i;
    } else if (c == '#' && i > span.begin) {
      while (i < span.end && bytes[i] != '\n') ++i;
    } else if (properties > 0) {
      --properties;
      while (i < span.end && !kBlanks.contains(bytes[i])) ++i;
    } else {
      break;
    }
  }
  return i;
}

void fill_node(Event& out, const yaml_char_t* anchor, const yaml_char_t* tag,
               std::string_view bytes) {
  out.anchor = text_of(anchor);
  out.tag = text_of(tag);
  const int properties = (anchor != nullptr ? 1 : 0) + (tag != nullptr ? 1 : 0);
  if (properties > 0) out.span.begin = skip_properties(bytes, out.span, properties);
}

}  // namespace

YamlEvents::YamlEvents(const SourceText& source, std::size_t begin)
    : source_(source),
      begin_(begin),
      first_character_(source.character_at(begin)),
      parser_(std::make_unique<Parser>(source.bytes().substr(begin))) {}

YamlEvents::~YamlEvents() = default;

std::size_t YamlEvents::byte_of(std::size_t character) const {
  const auto added = std::lower_bound(blanks_.begin(), blanks_.end(), character) - blanks_.begin();
  return source_.byte_of(first_character_ + character - static_cast<std::size_t>(added));
}

Error YamlEvents::error() const {
  const yaml_parser_t& parser = parser_->parser;
  if (parser.error == YAML_MEMORY_ERROR)
    return {.code = ErrorCode::kUnavailable, .message = "no memory left to parse YAML"};
  const std::string_view problem = parser.problem == nullptr ? "" : parser.problem;
  if (parser.error == YAML_READER_ERROR) {
    return source_.error_at(begin_ + parser.problem_offset, yaml_problem_in_words(problem));
  }
  const std::size_t at = byte_of(parser.problem_mark.index);
  std::string message(yaml_problem_in_words(problem));
  // "while parsing a block mapping" says what is open; its line helps when that is far above.
  const std::string_view context = parser.context == nullptr ? "" : parser.context;
  const std::size_t article = context.find(" a ");
  const std::size_t line = source_.location(byte_of(parser.context_mark.index)).line;
  if (article != std::string_view::npos && line != source_.location(at).line)
    message += format(" (the {} starts on line {})", context.substr(article + 3), line);
  return source_.error_at(at, message);
}

bool YamlEvents::get_over_empty_value() {
  constexpr std::size_t kBlanksMax = 100;
  const yaml_parser_t& parser = parser_->parser;
  const bool is_empty_value = parser.error == YAML_SCANNER_ERROR && parser.problem != nullptr &&
                              std::string_view(parser.problem) == "found unexpected ':'";
  if (!is_empty_value || blanks_.size() == kBlanksMax) return false;
  if (with_blanks_.empty()) with_blanks_ = source_.bytes().substr(begin_);
  const std::size_t behind_colon = parser.problem_mark.index + 1;
  with_blanks_.insert(byte_of(behind_colon) - begin_ + blanks_.size(), 1, ' ');
  blanks_.push_back(behind_colon);
  parser_ = std::make_unique<Parser>(with_blanks_);
  for (std::size_t i = 0; i < events_read_; ++i) {
    if (!parser_->read_event()) return false;
  }
  return true;
}

Result<Event> YamlEvents::next() {
  do {
    while (!parser_->read_event()) {
      if (!get_over_empty_value()) return fail(error());
    }
    ++events_read_;
  } while (parser_->event.type == YAML_STREAM_START_EVENT);

  const yaml_event_t& event = parser_->event;
  Event out;
  out.span = {.begin = byte_of(event.start_mark.index), .end = byte_of(event.end_mark.index)};
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      out.kind = EventKind::kDocumentStart;
      out.is_explicit = event.data.document_start.implicit == 0;
      break;
    case YAML_DOCUMENT_END_EVENT:
      out.kind = EventKind::kDocumentEnd;
      out.is_explicit = event.data.document_end.implicit == 0;
      break;
    case YAML_ALIAS_EVENT:
      out.kind = EventKind::kAlias;
      out.anchor = text_of(event.data.alias.anchor);
      break;
    case YAML_SCALAR_EVENT: {
      const auto& scalar = event.data.scalar;
      out.kind = EventKind::kScalar;
      out.style = style_of(scalar.style);
      out.value = {reinterpret_cast<const char*>(scalar.value), scalar.length};
      fill_node(out, scalar.anchor, scalar.tag, source_.bytes());
      break;
    }
    case YAML_SEQUENCE_START_EVENT:
      out.kind = EventKind::kSequenceStart;
      out.flow = event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
      fill_node(out, event.data.sequence_start.anchor, event.data.sequence_start.tag,
                source_.bytes());
      break;
    case YAML_MAPPING_START_EVENT:
      out.kind = EventKind::kMappingStart;
      out.flow = event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
      fill_node(out, event.data.mapping_start.anchor, event.data.mapping_start.tag,
                source_.bytes());
      break;
    case YAML_SEQUENCE_END_EVENT: out.kind = EventKind::kSequenceEnd; break;
    case YAML_MAPPING_END_EVENT: out.kind = EventKind::kMappingEnd; break;
    default: out.kind = EventKind::kStreamEnd; break;
  }
  return out;
}

}  // namespace windlass::manifest
