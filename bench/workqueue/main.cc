// windlass_workqueue_compare WORKLOAD [COUNT]: runs one workload and prints one line of JSON.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "workloads.h"

int main(int argc, char** argv) {
  using namespace windlass::bench;
  const std::map<std::string, std::function<void(std::size_t)>> workloads = {
      {"keys", only_keys},
      {"1", [](std::size_t n) { add_get_done(n, false); }},
      {"1m", [](std::size_t n) { add_get_done(n, true); }},
      {"1f", [](std::size_t n) { fill_then_drain(n, false); }},
      {"1fm", [](std::size_t n) { fill_then_drain(n, true); }},
      {"1b", immediate_behind_delayed},
      {"2", [](std::size_t n) { producers_and_consumers(n, 4, false); }},
      {"2m", [](std::size_t n) { producers_and_consumers(n, 4, true); }},
      {"2x1", [](std::size_t n) { producers_and_consumers(n, 1, true); }},
      {"2x16", [](std::size_t n) { producers_and_consumers(n, 16, true); }},
      {"3", [](std::size_t n) { few_keys(10 * n, true, false); }},
      {"3m", [](std::size_t n) { few_keys(10 * n, true, true); }},
      {"3b", [](std::size_t n) { few_keys(10 * n, false, false); }},
      {"3bm", [](std::size_t n) { few_keys(10 * n, false, true); }},
      {"4", random_delays},
      {"5", limiter},
      {"6", hold_queued},
      {"6d", hold_delayed},
  };
  const auto workload = argc > 1 ? workloads.find(argv[1]) : workloads.end();
  if (workload == workloads.end()) {
    std::fprintf(stderr, "usage: %s WORKLOAD [COUNT]; workloads:", argv[0]);
    for (const auto& [name, run] : workloads) std::fprintf(stderr, " %s", name.c_str());
    std::fputs("\n", stderr);
    return 2;
  }
  workload->second(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1'000'000);
  return 0;
}
