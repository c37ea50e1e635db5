#include "windlass/http/message.h"

#include <cstring>

#include "windlass/base/text.h"

namespace windlass::http {

std::string_view to_string(Method method) {
  switch (method) {
    case Method::kGet: return "GET";
    case Method::kHead: return "HEAD";
    case Method::kPost: return "POST";
  }
  return "?";
}

void Headers::add(std::string name, std::string value) {
  fields_.emplace_back(std::move(name), std::move(value));
}

void Headers::continue_last(std::string_view more) {
  if (!fields_.empty()) fields_.back().second.append(" ").append(more);
}

void Headers::erase(std::string_view name) {
  std::erase_if(fields_, [&](const Field& f) { return equals_ignoring_case(f.first, name); });
}

void Headers::erase_values() {
  for (Field& field : fields_) explicit_bzero(field.second.data(), field.second.size());
  fields_.clear();
}

const std::string* Headers::find(std::string_view name) const {
  for (const Field& field : fields_) {
    if (equals_ignoring_case(field.first, name)) return &field.second;
  }
  return nullptr;
}

std::vector<std::string_view> Headers::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Field& field : fields_) {
    if (equals_ignoring_case(field.first, name)) values.emplace_back(field.second);
  }
  return values;
}

}  // namespace windlass::http
