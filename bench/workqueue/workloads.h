// The workloads, as docs/benchmarks.md describes them. Each prints one line of JSON.
#pragma once

#include <cstddef>

namespace windlass::bench {

// `metrics`: the queue records times and counts, as it does unless told otherwise.
void only_keys(std::size_t count);                      // what the others do beforehand
void add_get_done(std::size_t count, bool metrics);     // 1, 1m
void fill_then_drain(std::size_t count, bool metrics);  // 1f, 1fm
void immediate_behind_delayed(std::size_t count);       // 1b
// 2, 2m: `each` producers and as many consumers; 2x1 and 2x16 with one of each, and sixteen
void producers_and_consumers(std::size_t count, std::size_t each, bool metrics);
void few_keys(std::size_t adds, bool consumers, bool metrics);  // 3, 3m; 3b without consumers
void random_delays(std::size_t count);                          // 4
void limiter(std::size_t count);                                // 5
void hold_queued(std::size_t count);                            // 6
void hold_delayed(std::size_t count);                           // 6d

}  // namespace windlass::bench
