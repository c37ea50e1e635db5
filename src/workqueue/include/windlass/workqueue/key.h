// Keys: what a WorkQueue holds, and how it stores and shows them.
//
// A key is a value that names what has to be worked on, such as "default/web". Keys that compare
// equal are one key, so never use a pointer to the object itself. KeyView<Key> is how keys are
// passed and shown: std::string_view for std::string, const Key& for every other type.
//
// Thread safety: values.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "windlass/workqueue/detail/compact_string.h"
#include "windlass/workqueue/detail/hash.h"

namespace windlass::workqueue {

template <class K>
concept QueueKey =
    std::copy_constructible<K> && std::equality_comparable<K> && requires(const K& k) {
      { std::hash<K>{}(k) } -> std::convertible_to<std::size_t>;
    };

// The name of a Kubernetes object.
struct NamespacedName {
  std::string ns;  // empty for objects that live in no namespace
  std::string name;

  friend bool operator==(const NamespacedName&, const NamespacedName&) = default;
  friend auto operator<=>(const NamespacedName&, const NamespacedName&) = default;
};

// "ns/name", or "name" where there is no namespace.
std::string to_string(const NamespacedName& name);

// How a queue keeps and shows keys of one type. `seed` differs from queue to queue where the hash
// can take one, so that nobody outside can choose keys that collide. What the last three members of
// the specialisations mean: see detail/spare_keys.h.
template <class K>
struct KeyTraits {
  using View = const K&;
  using Stored = K;

  static View view(const Stored& stored) { return stored; }
  static std::uint32_t hash(View key, std::uint64_t seed) {
    return detail::fold(std::hash<K>{}(key), seed);
  }
};

template <>
struct KeyTraits<std::string> {
  using View = std::string_view;
  using Stored = detail::CompactString;  // up to 23 bytes without an allocation

  static View view(const Stored& stored) { return stored.view(); }
  static std::uint32_t hash(View key, std::uint64_t seed) {
    return detail::narrowed(detail::hash_bytes(key, seed));
  }

  static bool wants_memory(View key) { return key.size() > Stored::kInlineMax; }
  static std::size_t memory_of(const Stored& stored) {
    return stored.on_heap() ? stored.view().size() : 0;
  }
  static void reuse(Stored& stored, View key) { stored.reuse_for(key); }
};

template <>
struct KeyTraits<NamespacedName> {
  using View = const NamespacedName&;
  using Stored = NamespacedName;

  static View view(const Stored& stored) { return stored; }
  static std::uint32_t hash(View key, std::uint64_t seed) {
    return detail::narrowed(detail::hash_bytes(key.name, detail::hash_bytes(key.ns, seed)));
  }

  static bool wants_memory(View key) {
    return std::max(key.ns.size(), key.name.size()) > std::string().capacity();
  }
  static std::size_t memory_of(const Stored& stored) {
    const bool any =
        std::max(stored.ns.capacity(), stored.name.capacity()) > std::string().capacity();
    return any ? stored.ns.capacity() + stored.name.capacity() : 0;
  }
  static void reuse(Stored& stored, View key) { stored = key; }
};

template <class K>
using KeyView = typename KeyTraits<K>::View;

}  // namespace windlass::workqueue

template <>
struct std::hash<windlass::workqueue::NamespacedName> {
  std::size_t operator()(const windlass::workqueue::NamespacedName& name) const noexcept;
};
