#!/usr/bin/env python3
"""Checks that the C++ in README.md and docs/guides/*.md is the code of its example.

A block of a guide follows a comment that names where its code lies:

    <!-- code: examples/workqueue.cc worker -->

The part is what lies between two lines `// [worker]` there. Every C++ block of a guide needs one.
With --write the blocks are replaced by their parts.
"""

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:<!-- code: (\S+) (\S+) -->\n)?```cpp\n(.*?)```", re.DOTALL)


def part(path, name):
    pieces = re.split(rf"^ *// \[{re.escape(name)}\]\n", (ROOT / path).read_text(), flags=re.MULTILINE)
    if len(pieces) != 3:
        sys.exit(f"{path}: the part [{name}] needs one line to begin and one to end it")
    return textwrap.dedent(pieces[1])


def main():
    faults = 0
    for guide in [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]:
        text = guide.read_text()
        fresh = text
        for block in BLOCK.finditer(text):
            path, name, code = block.groups()
            line = text.count("\n", 0, block.start()) + 1
            where = f"{guide.relative_to(ROOT)}:{line}"
            if path is None:
                print(f"{where}: the code comes from no example; put <!-- code: FILE PART --> before it")
                faults += 1
            elif code != part(path, name):
                print(f"{where}: differs from [{name}] in {path}; tools/guide_code.py --write copies it")
                faults += 1
                fresh = fresh.replace(block.group(0), f"<!-- code: {path} {name} -->\n```cpp\n{part(path, name)}```")
        if "--write" in sys.argv[1:]:
            guide.write_text(fresh)
    return 1 if faults and "--write" not in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
