#!/usr/bin/env python3
"""Writes what is made from the definitions of the options, or checks that it is not stale.

usage: reference.py [--check] WINDLASS PROJECT_DIR

That is docs/reference/cli.md, the manual pages in packaging/man and the completions in packaging/completions.
"""

import pathlib
import subprocess
import sys

PAGES = ["windlass", "windlass-resolve", "windlass-pin", "windlass-krm", "windlass-completion", "windlass-manual"]
COMPLETIONS = {"bash": "windlass.bash", "zsh": "_windlass", "fish": "windlass.fish"}


def wanted(windlass):
    """{path: text} of every file that is made."""
    def run(*arguments):
        return subprocess.run([windlass, *arguments], check=True, capture_output=True, text=True).stdout

    files = {"docs/reference/cli.md": run("manual", "markdown")}
    for page in PAGES:
        files[f"packaging/man/{page}.1"] = run("manual", "man", page)
    for shell, name in COMPLETIONS.items():
        files[f"packaging/completions/{name}"] = run("completion", shell)
    return files


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    if len(arguments) != 2 + check:
        sys.exit(__doc__)
    windlass, root = arguments[check:]
    stale = []
    for name, text in wanted(windlass).items():
        path = pathlib.Path(root) / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not check:
            path.write_text(text)
    if check and stale:
        sys.exit(f"stale: {', '.join(stale)}; run: tools/reference.py build/dev/apps/windlass/windlass .")


if __name__ == "__main__":
    main()
