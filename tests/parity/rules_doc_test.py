"""Each test that a page of comparisons names is there: docs/reference/queue-rules.md and knative.md.

usage: rules_doc_test.py ROOT
"""

import pathlib
import re
import sys

TEST = re.compile(r"(?:TEST\w*|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+)")

# Page: the folders its tests lie in.
PAGES = {
    "queue-rules.md": ("src/workqueue/tests", "src/reconcile/tests", "tests/parity"),
    "knative.md": ("src/resolver/tests", "src/kube_credentials/tests", "src/credentials/tests", "src/registry/tests",
                   "src/http/tests", "tests/integration"),
}


def sources(root, folders):
    return [path for folder in folders for path in (root / folder).glob("*.cc")]


def missing_of(root, page, folders):
    tests = {f"{m[1]}.{m[2]}" for path in sources(root, folders) for m in TEST.finditer(path.read_text())}
    rows = [line for line in (root / "docs/reference" / page).read_text().splitlines() if line.startswith("|")]
    named = [name for row in rows for name in re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", row)]
    if not named:
        return ["it names no test"]
    missing = [name for name in named if name not in tests]
    if page == "queue-rules.md":  # which also quotes rules
        rules = (root / "tests/parity/queue_rules_test.cc").read_text()
        quoted = [rule for row in rows for rule in re.findall(r'"([^"]+)"', row)]
        missing += [rule for rule in quoted if f'{{"{rule}",' not in rules]
    return missing


def main():
    root = pathlib.Path(sys.argv[1])
    faults = [f"docs/reference/{page}: {'; '.join(missing)}"
              for page, folders in PAGES.items() if (missing := missing_of(root, page, folders))]
    if faults:
        sys.exit("these name tests that are not there: " + "\n".join(faults))


main()
