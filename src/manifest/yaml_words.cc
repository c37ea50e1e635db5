#include "windlass/manifest/yaml_words.h"

namespace windlass::manifest {
namespace {

// libyaml's words for what it ran into, and ours for what a writer has to change.
struct Wording {
  std::string_view theirs;
  std::string_view ours;
};

constexpr Wording kProblems[] = {
    {"found character that cannot start any token",
     "this character cannot start a value or an indentation (tabs never indent): expected blanks, "
     "or quotes around the value"},
    {"mapping values are not allowed in this context",
     "a second ':' on the line, or a wrong indentation: expected quotes around a value that holds "
     "': '"},
    {"block sequence entries are not allowed in this context",
     "a '-' is not expected here: check the indentation"},
    {"did not find expected key",
     "expected the next key of the mapping at its indentation, or the end of it"},
    {"did not find expected '-' indicator",
     "expected the next '-' of the sequence at its indentation, or the end of it"},
    {"could not find expected ':'", "expected ':' after a key"},
    {"did not find expected ',' or '}'", "expected ',' or '}' of a mapping in braces"},
    {"did not find expected ',' or ']'", "expected ',' or ']' of a sequence in brackets"},
    {"did not find expected <document start>",
     "expected '---' or the end of the file: the document was complete"},
    {"did not find expected node content", "expected a value"},
    {"found unexpected end of stream", "the file ends inside a quoted text: expected its quote"},
    {"found unexpected document indicator", "a '---' or '...' stands inside a quoted text"},
    {"found unknown escape character", "no such escape in double quotes: expected \\\\ for a '\\'"},
    {"did not find expected hexdecimal number", "expected hex digits after the escape"},
    {"found undefined tag handle", "this tag's prefix has no %TAG line above"},
    {"found incompatible YAML document", "expected %YAML 1.1 or 1.2"},
    {"found a tab character that violates indentation",
     "a tab in the indentation: expected blanks"},
    {"found a tab character where an indentation space is expected",
     "a tab in the indentation: expected blanks"},
    {"found unexpected ':'", "expected a blank behind ':'"},
    {"control characters are not allowed", "a control character is not allowed in YAML"},
};

}  // namespace

std::string_view yaml_problem_in_words(std::string_view problem) {
  for (const Wording& wording : kProblems) {
    if (wording.theirs == problem) return wording.ours;
  }
  return problem;
}

}  // namespace windlass::manifest
