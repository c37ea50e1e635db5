// A little language for rules about a queue, so that they can be written as a table.
//
// A script is a list of lines, run on a WorkQueue<std::string> with a clock of its own. Times are
// whole milliseconds. The limiter doubles from 1 ms.
#pragma once

#include <ostream>
#include <string>
#include <vector>

// The lines of a script:
//   add K [P]            adds K with priority P          refused K       add(K) is refused
//   after K MS [P] [M]   add_after; M: earliest, latest, replace
//   limited K [P]        add_rate_limited                forget K        cancel K      remove K
//   get K | get -        the next key is K, and its run begins; or none is ready
//   prio K P             the running K has priority P    waited K MS     it waited so long
//   done K               ends K's run                    advance MS      moves the clock
//   len N  delayed N  running N  depth N  adds N  retries N  dropped N  requeues K N
//   gets N  waits MS     runs begun, and the time they waited, added up
//   works N  worked MS   runs ended, and the time they took
//   unfinished MS  longest MS  of what runs now
//   shutdown  closed  empty  busy  end (get() says that the queue is over)

namespace windlass::parity {

struct Rule {
  std::string name;
  std::vector<std::string> script;

  friend std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.name; }
};

// Runs the script; gtest failures name the line.
void run(const Rule& rule);

// For INSTANTIATE_TEST_SUITE_P: the rule's name as a test name.
std::string test_name(const Rule& rule);

}  // namespace windlass::parity
