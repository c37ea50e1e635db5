#include "json.h"

#include <cstddef>
#include <cstring>

#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::credentials {
namespace {

class ErasingMemory final : public boost::json::memory_resource {
 private:
  // The library gives some blocks back with another alignment than it asked for; none needs more
  // than the usual one.
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    WINDLASS_CHECK(alignment <= alignof(std::max_align_t));
    return ::operator new(size);
  }
  void do_deallocate(void* memory, std::size_t size, std::size_t) override {
    explicit_bzero(memory, size);
    ::operator delete(memory);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

Result<boost::json::value> parse_secret_object(std::string_view json, std::string_view place) {
  const auto refuse = [&](std::size_t offset, std::string_view why) {
    const TextPosition at = position_in(json, offset);
    return fail(ErrorCode::kInvalid,
                format("{}:{}:{}: not valid JSON: {}", place, at.line, at.column, why));
  };
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  std::string_view text = json;
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  if (const std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos)
    return refuse(bad + (json.size() - text.size()), "not UTF-8");

  boost::json::stream_parser parser;
  parser.reset(boost::json::make_shared_resource<ErasingMemory>());
  boost::json::error_code error;
  const std::size_t used = parser.write_some(text.data(), text.size(), error);
  const std::size_t offset = used + (json.size() - text.size());
  if (error) return refuse(offset, error.message());
  parser.finish(error);
  if (error) return refuse(json.size(), "it ends too early");
  if (!trim(text.substr(used)).empty()) return refuse(offset, "something follows the value");
  boost::json::value value = parser.release();
  if (!value.is_object()) return refuse(0, "an object is expected");
  return value;
}

std::string_view string_member(const boost::json::object& object, std::string_view name,
                               bool* is_string) {
  const boost::json::value* member = object.if_contains(name);
  *is_string = member == nullptr || member->is_null() || member->is_string();
  if (member == nullptr || !member->is_string()) return {};
  return member->get_string();
}

}  // namespace windlass::credentials
