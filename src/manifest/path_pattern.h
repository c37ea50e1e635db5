// Path patterns: "spec.template.spec", "spec.tasks[*].taskSpec", "items[*]".
//
// Keys joined by dots; [*] stands for every item of a sequence, * for every key. Aliases and merge
// keys are followed.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "tree.h"

namespace windlass::manifest {

struct Match {
  NodeId value;  // may be an alias
  NodeId item;   // the item of the innermost sequence that was entered, or kNoNode
};

// Bounds the walking of one document: aliases can make a small file name endlessly many places.
class VisitBudget {
 public:
  // Spent from the start where merge keys alone would make every look-up endless.
  explicit VisitBudget(const Tree& tree);

  // False when the budget is spent.
  bool spend() {
    if (left_ == 0) return false;
    --left_;
    return true;
  }
  bool spent() const { return left_ == 0; }

 private:
  std::size_t left_;
};

// Calls `found` for each place that `pattern` leads to from `start`, in the order of the file.
// Stops when the budget is spent. `item` is what a match has when the pattern enters no sequence.
void for_each_match(const Tree& tree, NodeId start, NodeId item, std::string_view pattern,
                    VisitBudget& budget, const std::function<void(const Match&)>& found);

// What is wrong with `pattern`, as "expected ..."; "" when it is written as described above.
std::string_view problem_of_path(std::string_view pattern);

}  // namespace windlass::manifest
