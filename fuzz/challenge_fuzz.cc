// WWW-Authenticate headers: whatever a server sends, reading ends, and what is read can be shown.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "challenge.h"
#include "windlass/base/check.h"
#include "windlass/base/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windlass;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto challenges = registry::parse_challenges({text.substr(0, size / 2), text});
  const auto chosen = registry::choose(challenges);
  if (chosen && chosen->scheme == "bearer") WINDLASS_CHECK(!chosen->find("realm")->empty());
  const std::string shown = registry::schemes(challenges);
  WINDLASS_CHECK(shown.find('\n') == std::string::npos && shown.size() < 2000);
  return 0;
}
