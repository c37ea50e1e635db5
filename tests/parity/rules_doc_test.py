"""Each test that docs/reference/queue-rules.md names is there.

usage: rules_doc_test.py ROOT
"""

import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    tests = set()
    rules = ""
    for folder in ("src/workqueue/tests", "src/reconcile/tests", "tests/parity"):
        for path in (root / folder).glob("*.cc"):
            text = path.read_text()
            tests |= {f"{m[1]}.{m[2]}" for m in re.finditer(r"(?:TEST\w*|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+)", text)}
            if path.name == "queue_rules_test.cc":
                rules = text
    page = (root / "docs/reference/queue-rules.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("|")]
    named = [name for row in rows for name in re.findall(r"`(\w+\.\w+)`", row)]
    quoted = [rule for row in rows for rule in re.findall(r'"([^"]+)"', row)]
    missing = [name for name in named if name not in tests]
    missing += [rule for rule in quoted if f'{{"{rule}",' not in rules]
    if missing or not named or not quoted:
        sys.exit("docs/reference/queue-rules.md names what is not there: " + "; ".join(missing))


main()
