#include "commands.h"

namespace windlass::app {

CommandSpec resolve_spec(ResolveCommand& target) {
  using Output = ResolveCommand::Output;
  CommandSpec spec{
      .name = "resolve",
      .summary = "Tell the digests that image tags have now",
      .operands = "IMAGE... | -f FILE | -",
      .about =
          "One line for each image, in the order given, those of a file where it is named, as soon "
          "as it and all before it are known. "
          "The same image is asked for once, however often it is named, with HEAD, which does not "
          "count as a pull. A tag of several platforms gives the digest of its index."};
  spec.options = {
      {.name = "file",
       .letter = 'f',
       .value = "FILE",
       .help = "Read references from a file, one a line; \"-\" is standard input",
       .group = "What to read and print",
       .completes = Completes::kFiles,
       .in_config = false,
       .set = to_value(target.file)},
      {.name = "output",
       .letter = 'o',
       .value = "FORMAT",
       .help =
           "text: IMAGE<TAB>NAME@DIGEST, and for one IMAGE just NAME@DIGEST; digest: the digests "
           "alone. Both leave out images that failed or are skipped, which json and ndjson have",
       .group = "What to read and print",
       .initial = "text",
       .words = {"text", "digest", "json", "ndjson"},
       .set = to_one_of<Output>(target.output, {{"text", Output::kText},
                                                {"digest", Output::kDigest},
                                                {"json", Output::kJson},
                                                {"ndjson", Output::kNdjson}})},
  };
  for (Option& option : common_options(target.common)) spec.options.push_back(std::move(option));
  spec.examples = {
      {"windlass resolve nginx:1.27", "which digest is that now?"},
      {"windlass resolve nginx:1.27 redis:7 -o digest", "two, the digests alone"},
      {"windlass resolve -f images.txt -o json", "many, for a program"},
      {"cut -f2 list.tsv | windlass resolve -", "many, from another program"},
  };
  return spec;
}

}  // namespace windlass::app
