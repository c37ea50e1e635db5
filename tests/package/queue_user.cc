// An outside program that has only the installed package.
#include <iostream>
#include <string>

#include "windlass/workqueue/work_queue.h"

int main() {
  windlass::workqueue::WorkQueue<std::string> queue(windlass::system_clock());
  queue.add("shop/web");
  queue.add("shop/web");
  while (auto item = queue.try_get()) std::cout << item->key() << '\n';
}
