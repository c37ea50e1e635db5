#include "json_text.h"

#include <boost/json/serialize.hpp>

namespace windlass::app {
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

}  // namespace windlass::app
