#include "windlass/manifest/added_items.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "documents.h"
#include "event.h"
#include "plain_scalar.h"
#include "source_text.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

// What the added items are to be, as events: styles and places may differ.
struct Meaning {
  EventKind kind;
  std::string value;
  bool is_plain = false;

  friend bool operator==(const Meaning&, const Meaning&) = default;
};

Meaning meaning_of(const Event& event) {
  const bool is_scalar = event.kind == EventKind::kScalar;
  return {.kind = event.kind,
          .value = std::string(event.value),
          .is_plain = is_scalar && event.style == ScalarStyle::kPlain};
}

// A mapping's key, or the list under it, as they stand in the file.
struct Place {
  Event event;             // without its texts, which do not last
  std::string value;       // of a scalar
  std::size_t number = 0;  // of the event in the file
  std::size_t column = 0;  // characters in front of it on its line
};

// The top of the first document.
struct Top {
  Place root;
  Span last_value;             // of the root mapping
  std::size_t last_event = 0;  // number of the event that ends the root
  std::size_t end = 0;         // where the root ends: the next document or the end of the file
  std::optional<Place> list;   // what stands under the key
  bool list_is_empty = true;
};

class TopReader {
 public:
  TopReader(const SourceText& source, std::string_view key) : source_(source), key_(key) {}

  Result<Top> read(EventSource& events) {
    std::size_t depth = 0;
    for (std::size_t number = 0;; ++number) {
      const auto event = events.next();
      if (!event) return fail(event.error());
      switch (event->kind) {
        case EventKind::kDocumentStart: continue;
        case EventKind::kStreamEnd: return no_mapping(*event);
        case EventKind::kSequenceEnd:
        case EventKind::kMappingEnd: --depth; break;
        default:
          if (depth == 0 && event->kind != EventKind::kMappingStart) return no_mapping(*event);
          begin_node(*event, depth, number);
          break;
      }
      const bool opens =
          event->kind == EventKind::kSequenceStart || event->kind == EventKind::kMappingStart;
      depth += opens ? 1 : 0;
      if (depth == 0) {
        top_.last_event = number;
        top_.end = event->span.begin;
        return top_;
      }
      if (depth == 1 && !opens) end_child(*event);
      if (depth == 1 && number == top_.root.number) is_key_ = true;
    }
  }

 private:
  std::unexpected<Error> no_mapping(const Event& event) const {
    return fail(source_.error_at(event.span.begin, "expected a mapping"));
  }

  Place place_of(const Event& event, std::size_t number) const {
    Place place{.event = event,
                .value = std::string(event.value),
                .number = number,
                .column = source_.location(event.span.begin).column - 1};
    place.event.anchor = place.event.tag = place.event.value = {};
    return place;
  }

  void begin_node(const Event& event, std::size_t depth, std::size_t number) {
    if (depth == 0) {
      top_.root = place_of(event, number);
    } else if (depth == 1) {
      if (is_key_) {
        is_wanted_ = event.kind == EventKind::kScalar && event.value == key_;
      } else if (is_wanted_) {
        top_.list = place_of(event, number);
      }
    } else if (depth == 2 && is_wanted_ && !is_key_) {
      top_.list_is_empty = false;
    }
  }

  // A key or a value of the root is complete.
  void end_child(const Event& last) {
    if (!is_key_) top_.last_value = last.span;
    is_key_ = !is_key_;
  }

  const SourceText& source_;
  const std::string_view key_;
  Top top_;
  bool is_key_ = false;     // the next child of the root is a key
  bool is_wanted_ = false;  // the key that was read last is ours
};

// One way to write the items.
struct Insertion {
  Span replaced;  // usually empty
  std::string text;
  std::size_t number = 0;    // of the event that the added ones stand in front of
  bool takes_event = false;  // that event is gone
  std::vector<Meaning> added;
};

// YAML reads some characters as line ends, or not at all, that JSON lets stand in a text.
std::string escaped(std::string_view json) {
  static constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
      {"\x7f", "\\u007f"},         {"\xe2\x80\xa8", "\\u2028"}, {"\xe2\x80\xa9", "\\u2029"},
      {"\xef\xbb\xbf", "\\ufeff"}, {"\xef\xbf\xbe", "\\ufffe"}, {"\xef\xbf\xbf", "\\uffff"}};
  std::string out;
  while (!json.empty()) {
    const auto* const found = std::ranges::find_if(
        kEscapes, [&](const auto& escape) { return json.starts_with(escape.first); });
    if (found != std::end(kEscapes)) {
      out += found->second;
      json.remove_prefix(found->first.size());
    } else if (json.size() > 1 && json[0] == '\xc2' && static_cast<std::uint8_t>(json[1]) < 0xA0) {
      out += format("\\u{:04x}", static_cast<unsigned>(static_cast<std::uint8_t>(json[1])));
      json.remove_prefix(2);
    } else {
      out += json.front();
      json.remove_prefix(1);
    }
  }
  return out;
}

class Writer {
 public:
  Writer(const SourceText& source, std::string_view key, std::span<const std::string> items)
      : source_(source), key_(key) {
    for (const std::string& item : items) items_.push_back(escaped(item));
    const std::size_t feed = source.bytes().find('\n');
    const bool has_returns =
        feed != std::string_view::npos && feed > 0 && source.bytes()[feed - 1] == '\r';
    line_end_ = has_returns ? "\r\n" : "\n";
  }

  // What the items mean; kInternal when one is no JSON.
  Result<void> read_items() {
    for (const std::string& item : items_) {
      const auto source = SourceText::create("item.json", item);
      if (!source) return fail(ErrorCode::kInternal, source.error().message);
      const auto events = open_events(*source, Syntax::kJson, 0);
      for (;;) {
        const auto event = events->next();
        if (!event) return fail(ErrorCode::kInternal, event.error().message);
        if (event->kind == EventKind::kStreamEnd) break;
        if (event->kind == EventKind::kDocumentStart || event->kind == EventKind::kDocumentEnd)
          continue;
        meanings_.push_back(meaning_of(*event));
      }
    }
    return {};
  }

  // The ways to write them, the best first.
  Result<std::vector<Insertion>> ways(const Top& top) const {
    if (top.list) return into_list(top, *top.list);
    const std::size_t first = top.root.number + 1;
    std::vector<Insertion> out;
    if (!top.root.event.flow) {
      out.push_back(
          at(top.end, break_before(top.end) + block(top.root.column) + line_end_, top.last_event));
      const std::size_t begin = top.root.event.span.begin;
      out.push_back(at(begin, in_line(block(top.root.column), top.root.column), first));
      return out;
    }
    const std::string entry = format("\"{}\":{}", key_, list());
    if (top.last_value.size() > 0) {
      out.push_back(at(top.last_value.end, "," + entry, top.last_event));
    }
    const bool is_empty = top.last_event == first;
    out.push_back(at(top.root.event.span.begin + 1, entry + (is_empty ? "" : ","), first));
    return out;
  }

 private:
  Result<std::vector<Insertion>> into_list(const Top& top, const Place& list) const {
    const Event& event = list.event;
    Insertion way{
        .replaced = event.span, .text = {}, .number = list.number + 1, .added = meanings_};
    const bool is_nothing = event.kind == EventKind::kScalar &&
                            event.style == ScalarStyle::kPlain &&
                            meaning_of_plain(list.value) == PlainMeaning::kNull;
    if (is_nothing) {
      way.text = (event.span.size() == 0 ? " " : "") + this->list();
      way.number = list.number;
      way.takes_event = true;
      way.added.insert(way.added.begin(), {.kind = EventKind::kSequenceStart, .value = {}});
      way.added.push_back({.kind = EventKind::kSequenceEnd, .value = {}});
    } else if (event.kind != EventKind::kSequenceStart) {
      return fail(source_.error_at(event.span.begin, format("expected a list under {}", key_)));
    } else if (event.flow) {
      way.replaced = {.begin = event.span.begin + 1, .end = event.span.begin + 1};
      way.text = joined() + (top.list_is_empty ? "" : ",");
    } else {
      way.replaced.end = event.span.begin;
      way.text = in_line(dashes(list.column), list.column);
    }
    return std::vector{std::move(way)};
  }

  // A new entry of the root, in front of event `number`.
  Insertion at(std::size_t byte, std::string text, std::size_t number) const {
    std::vector<Meaning> added = {{.kind = EventKind::kScalar, .value = std::string(key_)},
                                  {.kind = EventKind::kSequenceStart, .value = {}}};
    added.insert(added.end(), meanings_.begin(), meanings_.end());
    added.push_back({.kind = EventKind::kSequenceEnd, .value = {}});
    return {.replaced = {.begin = byte, .end = byte},
            .text = std::move(text),
            .number = number,
            .added = std::move(added)};
  }

  std::string joined() const {
    std::string out;
    for (const std::string& item : items_) out += (out.empty() ? "" : ",") + item;
    return out;
  }
  std::string list() const { return "[" + joined() + "]"; }

  // Lines without the end of the last.
  std::string dashes(std::size_t indent) const {
    std::string out;
    for (const std::string& item : items_) {
      if (!out.empty()) out += line_end_;
      out += std::string(indent, ' ') + "- " + item;
    }
    return out;
  }
  std::string block(std::size_t indent) const {
    return std::string(indent, ' ') + std::string(key_) + ":" + line_end_ + dashes(indent);
  }

  // In front of what stands at `indent` on a line of its own.
  std::string in_line(const std::string& lines, std::size_t indent) const {
    return lines.substr(indent) + line_end_ + std::string(indent, ' ');
  }

  std::string break_before(std::size_t byte) const {
    const std::string_view before = source_.bytes().substr(0, byte);
    return before.ends_with('\n') || before.size() == source_.text_begin() ? "" : line_end_;
  }

  const SourceText& source_;
  const std::string_view key_;
  std::vector<std::string> items_;
  std::vector<Meaning> meanings_;
  std::string line_end_;
};

bool is_same(const Event& a, const Event& b) {
  return a.kind == b.kind && a.style == b.style && a.flow == b.flow &&
         a.is_explicit == b.is_explicit && a.anchor == b.anchor && a.tag == b.tag &&
         a.value == b.value;
}

// The text after the insertion; nullopt unless it means what was there and the added items.
std::optional<std::string> proved(const SourceText& source, Syntax syntax, const Insertion& way) {
  std::string text(source.bytes());
  text.replace(way.replaced.begin, way.replaced.size(), way.text);
  const auto source_after = SourceText::create(source.file_name(), text);
  if (!source_after) return std::nullopt;
  const auto before = open_events(source, syntax, source.text_begin());
  const auto after = open_events(*source_after, syntax, source_after->text_begin());
  for (std::size_t number = 0;; ++number) {
    const auto old_event = before->next();
    if (!old_event) return std::nullopt;
    if (number == way.number) {
      for (const Meaning& added : way.added) {
        const auto new_event = after->next();
        if (!new_event) return std::nullopt;
        Meaning found = meaning_of(*new_event);
        // Our own key may be plain or quoted.
        if (&added == &way.added.front() && found.value == added.value) {
          found.is_plain = added.is_plain;
        }
        if (found != added) return std::nullopt;
      }
      if (way.takes_event) continue;
    }
    const auto new_event = after->next();
    if (!new_event || !is_same(*old_event, *new_event)) return std::nullopt;
    if (old_event->kind == EventKind::kStreamEnd) return text;
  }
}

}  // namespace

Result<std::string> with_items_added(std::string_view file_name, std::string_view bytes,
                                     std::string_view key, std::span<const std::string> items) {
  const auto source = SourceText::create(file_name, bytes);
  if (!source) return fail(source.error());
  const Syntax syntax = syntax_of(*source, std::nullopt);
  const auto events = open_events(*source, syntax, source->text_begin());
  const auto top = TopReader(*source, key).read(*events);
  if (!top) return fail(top.error());
  Writer writer(*source, key, items);
  if (auto read = writer.read_items(); !read) return fail(std::move(read.error()));
  const auto ways = writer.ways(*top);
  if (!ways) return fail(ways.error());
  for (const Insertion& way : *ways) {
    if (auto text = proved(*source, syntax, way)) return *std::move(text);
  }
  return fail(ErrorCode::kInternal,
              format("{}: {} cannot be added to it without changing what it says; please report "
                     "this",
                     printable(file_name), key));
}

}  // namespace windlass::manifest
