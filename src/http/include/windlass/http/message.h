// What is sent to a server and what comes back. Plain values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windlass/base/time.h"

namespace windlass::http {

enum class Method { kGet, kHead, kPost };

std::string_view to_string(Method method);  // "GET"

// Header fields in the order sent. Names compare without regard to case; a name may occur often.
class Headers {
 public:
  using Field = std::pair<std::string, std::string>;

  Headers() = default;
  Headers(std::initializer_list<Field> fields) : fields_(fields) {}

  void add(std::string name, std::string value);
  void continue_last(std::string_view more);  // of a field that goes on in the next line
  void clear() { fields_.clear(); }
  void erase(std::string_view name);
  void erase_values();  // overwrites them first: they may be passwords and tokens

  // The first value of `name`, or nullptr.
  const std::string* find(std::string_view name) const;
  std::vector<std::string_view> all(std::string_view name) const;

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }
  std::size_t size() const { return fields_.size(); }

 private:
  std::vector<Field> fields_;
};

struct Request {
  Method method = Method::kGet;
  std::string url;  // absolute, http or https, without user or password
  Headers headers;
  std::string body;                             // kPost only
  Duration timeout = std::chrono::seconds(30);  // from send() to the last byte, waiting included
  std::size_t body_bytes_max = std::size_t{4} << 20U;  // of the answer; a longer one is kInvalid
  // Only for a server that the user has called insecure: whoever answers is believed.
  bool any_certificate = false;
};

// An answer with any status: what a status means is the caller's affair.
struct Response {
  int status = 0;
  Headers headers;
  std::string body;
};

}  // namespace windlass::http
