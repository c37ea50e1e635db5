// Secret: a password or token. It cannot be printed by accident and is overwritten when it goes.
//
// A value; each copy overwrites itself. What reveal() shows must not be copied into anything that
// lives on, nor into a log, an error or a URL.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace windlass::credentials {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string_view text) : bytes_(text.begin(), text.end()) {}
  ~Secret() { erase(); }
  Secret(const Secret&) = default;
  Secret(Secret&& other) noexcept = default;  // the bytes move, no copy stays behind
  Secret& operator=(Secret other) noexcept {
    bytes_.swap(other.bytes_);
    return *this;
  }

  std::string_view reveal() const { return {bytes_.data(), bytes_.size()}; }
  bool empty() const { return bytes_.empty(); }

  friend bool operator==(const Secret&, const Secret&) = default;

 private:
  void erase();

  std::vector<char> bytes_;  // never in the object itself, as a short std::string would be
};

// Overwrites `text` and empties it: for the strings a secret passes through.
void erase(std::string& text);

}  // namespace windlass::credentials
