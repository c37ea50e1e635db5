// An outside program that has only the installed package: once with keys that the library was
// compiled for, once with a type of its own.
#include <functional>
#include <iostream>
#include <string>

#include "windlass/workqueue/work_queue.h"

struct Shelf {
  std::string shop;
  int number;
  friend bool operator==(const Shelf&, const Shelf&) = default;
};

template <>
struct std::hash<Shelf> {
  std::size_t operator()(const Shelf& shelf) const noexcept {
    return std::hash<std::string>()(shelf.shop) ^ std::hash<int>()(shelf.number);
  }
};

int main() {
  windlass::workqueue::WorkQueue<std::string> queue(windlass::system_clock());
  queue.add("shop/web");
  queue.add("shop/web");
  while (auto item = queue.try_get()) std::cout << item->key() << '\n';

  windlass::workqueue::WorkQueue<Shelf> shelves(windlass::system_clock());
  shelves.add({"shop", 7}, {.priority = -1});
  shelves.add_after({"shop", 8}, std::chrono::nanoseconds(1));
  shelves.add_rate_limited({"shop", 7});
  while (auto item = shelves.get()) {
    std::cout << item->key().shop << ' ' << item->key().number << '\n';
    if (item->key().number == 7) shelves.shut_down();
  }
  return shelves.num_requeues({"shop", 7}) - 1;
}
