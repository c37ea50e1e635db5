// Reads YAML from standard input by libyaml alone and makes nothing of its events: what a program
// that reads manifests can cost at least.
#include <yaml.h>

#include <cstdio>

int main() {
  yaml_parser_t parser;
  yaml_parser_initialize(&parser);
  yaml_parser_set_input_file(&parser, stdin);
  for (bool more = true; more;) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser, &event) == 0) {
      std::fprintf(stderr, "line %zu: %s\n", parser.problem_mark.line + 1, parser.problem);
      return 1;
    }
    more = event.type != YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
}
