#!/usr/bin/env python3
"""Checks what the compiler cannot: layering of includes, sizes, banned calls, shape of modules.

usage: tidy.py PROJECT_DIR

Every finding is one line, `file:line: what is wrong; what to do`. Exit code 1 when there is one.
"""

import pathlib
import re
import subprocess
import sys

COLUMNS_MAX = 100
LINES_MAX = {"header": 200, "source": 400, "test": 600}
FUNCTION_LINES_MAX = 60

# File: (lines allowed, reason).
LONGER = {}

# What only `base` may do; there it is wrapped so that tests can take its place.
BANNED = {
    r"\bsteady_clock::now\b": "take a Clock&",
    r"\bsystem_clock::now\b": "take a Clock&",
    r"\bsleep_(for|until)\s*\(": "wait through Clock",
    r"\brandom_device\b": "take a Random&",
    r"\bstd::(mutex|shared_mutex|recursive_mutex|lock_guard|unique_lock|scoped_lock)\b": "use windlass::Mutex and MutexLock",
    r"\bstd::condition_variable": "use windlass::CondVar and wait through Clock",
    r"\bstd::thread\b(?!::)": "use std::jthread",
    r"\.detach\(": "threads are joined",
    r"\bgetenv\s*\(": "only src/app and examples read the environment",
    r"\b(TODO|FIXME|XXX)\b": "finish it or leave it out",
}
# The clock's own sleep is spelt like the standard library's; it is what callers should use.
ALLOWED = {r"\bsleep_(for|until)\s*\(": re.compile(r"(clock_?|clock\(\))(\.|->)sleep_until|bool (Clock::)?sleep_until")}

README_SECTIONS = ["Purpose", "Where to start", "Invariants", "Locks and threads", "Not here"]


def tracked_files(root):
    """Files git knows, or all files where the project is not a git checkout."""
    try:
        out = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             capture_output=True, check=True).stdout
        return [root / name for name in out.decode().split("\0") if name and (root / name).is_file()]
    except (OSError, subprocess.CalledProcessError):
        return [p for p in root.rglob("*") if p.is_file() and "build" not in p.relative_to(root).parts]


def module_of(path):
    parts = path.parts
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def declared_dependencies(root):
    """module -> modules that its windlass_module() call names."""
    declared = {}
    for file in root.glob("src/*/CMakeLists.txt"):
        text = re.sub(r"#.*", "", file.read_text())
        call = re.search(r"windlass_module\(\s*(\w+)(.*?)\)", text, re.S)
        if call:
            depends = re.search(r"\bDEPENDS\b((?:\s+(?![A-Z_]+\b)\w+)*)", call[2])
            declared[call[1]] = set(depends[1].split()) if depends else set()
            test_depends = re.search(r"\bTEST_DEPENDS\b((?:\s+[\w:]+)*)", call[2])
            for target in test_depends[1].split() if test_depends else []:
                if found := re.fullmatch(r"windlass_(\w+?)(_testing)?", target):
                    declared.setdefault(call[1] + "/tests", set()).add(found[1])
    return declared


def kind_of(path):
    if "tests" in path.parts or "testing" in path.parts or "bench" in path.parts:
        return "test"
    return "header" if path.suffix == ".h" else "source"


class Tidy:
    def __init__(self, root):
        self.root = root
        self.findings = []
        self.declared = declared_dependencies(root)

    def report(self, path, line, text):
        self.findings.append(f"{path}:{line}: {text}")

    def check_text_file(self, path, text):
        if text and not text.endswith("\n"):
            self.report(path, text.count("\n") + 1, "no newline at the end of the file")
        for number, line in enumerate(text.split("\n"), 1):
            if line != line.rstrip() and path.suffix != ".md":
                self.report(path, number, "blanks at the end of the line")
            if "\t" in line:
                self.report(path, number, "a tab; indent with blanks")

    def check_cpp(self, path, text):
        lines = text.split("\n")
        count = len(lines) - 1
        kind = kind_of(path)
        limit, _ = LONGER.get(str(path), (LINES_MAX[kind], ""))
        if count > limit:
            self.report(path, count, f"{count} lines; a {kind} file has at most {limit}: split it by idea")
        module = module_of(path)
        for number, line in enumerate(lines, 1):
            if len(line) > COLUMNS_MAX and "http" not in line:
                self.report(path, number, f"{len(line)} columns; at most {COLUMNS_MAX}")
            self.check_include(path, number, line, module)
            self.check_banned(path, number, line, module)
        if kind != "test":
            self.check_functions(path, lines)
        if path.suffix == ".h":
            self.check_header(path, text, module)

    def check_functions(self, path, lines):
        """Functions of a formatted file start in the first column and end with a brace there."""
        start = None
        for number, line in enumerate(lines, 1):
            if start is None and line.endswith("{") and re.match(r"[\w:~].*\)", line):
                start = number
            elif line.startswith("}") and start is not None:
                if number - start > FUNCTION_LINES_MAX and not re.match(r"(namespace|class|struct|enum)", lines[start - 1]):
                    self.report(path, start, f"a function of {number - start} lines; at most {FUNCTION_LINES_MAX}")
                start = None

    def check_header(self, path, text, module):
        if "#pragma once" not in text:
            self.report(path, 1, "no #pragma once")
        if not text.startswith("//"):
            self.report(path, 1, "no opening comment: what it is for, what it does not do, thread safety")
        opening = re.match(r"(//.*\n)*", text)[0].count("\n")
        if opening > 12:
            self.report(path, opening, f"the opening comment has {opening} lines; at most 12")
        if module and "include" in path.parts:
            for number, line in enumerate(text.split("\n"), 1):
                include = re.match(r'\s*#\s*include\s*[<"]([^>"]+)', line)
                # The standard library's have no dot, the C library's stand in sys/; base passes fmt on.
                if include and not re.match(r"[a-z_]+$|sys/|windlass/" + (r"|fmt/" if module == "base" else ""), include[1]):
                    self.report(path, number, "a third-party header in a public header; keep it in a .cc file")

    def check_include(self, path, number, line, module):
        if re.match(r'\s*#\s*include\s*[<"]\.\.?/', line):
            self.report(path, number, "a path from here; name files of the module by their name, others as windlass/MODULE/FILE")
        include = re.match(r'\s*#\s*include\s*[<"]windlass/(\w+)/', line)
        if not include or not module or include[1] == module:
            return
        allowed = set(self.declared.get(module, set()))
        if kind_of(path) == "test":
            allowed |= self.declared.get(module + "/tests", set())
        if include[1] not in allowed:
            self.report(path, number, f"module '{module}' does not declare '{include[1]}'; "
                                      f"add it to DEPENDS in src/{module}/CMakeLists.txt if the layers allow it")

    def check_banned(self, path, number, line, module):
        if module == "base":
            return
        code = line.split("//")[0] if "TODO" not in line and "FIXME" not in line else line
        for pattern, advice in BANNED.items():
            if not re.search(pattern, code):
                continue
            if "getenv" in pattern and (module == "app" or path.parts[0] == "examples"):
                continue
            if pattern in ALLOWED and ALLOWED[pattern].search(code):
                continue
            self.report(path, number, f"'{re.search(pattern, code)[0]}' is not used here; {advice}")

    def check_module(self, folder):
        path = folder.relative_to(self.root)
        readme = folder / "README.md"
        if not readme.is_file():
            self.report(path, 1, "no README.md")
        else:
            text = readme.read_text()
            for section in README_SECTIONS:
                if not re.search(rf"^\*\*{section}\.\*\*", text, re.M):
                    self.report(path / "README.md", 1, f"no paragraph '**{section}.**'")
        known = {"include", "tests", "testing", "bench", "README.md", "CMakeLists.txt"}
        for entry in sorted(folder.iterdir()):
            if entry.name not in known and entry.suffix not in {".h", ".cc", ".in"}:
                self.report(path / entry.name, 1, "not a part of a module's folder")
        for name in ("include", "tests", "testing", "bench"):
            if (folder / name).is_dir() and not any((folder / name).iterdir()):
                self.report(path / name, 1, "an empty folder")

    def run(self):
        for file in tracked_files(self.root):
            path = file.relative_to(self.root)
            if "testdata" in path.parts or "corpus" in path.parts or path.parts[0] in {"examples", "LICENSE"}:
                if path.suffix not in {".cc", ".h", ".py"}:
                    continue
            if path.suffix in {".h", ".cc", ".cmake", ".py", ".sh", ".md", ".json"} or path.name == "CMakeLists.txt":
                text = file.read_text(encoding="utf-8")
                self.check_text_file(path, text)
                if path.suffix in {".h", ".cc"}:
                    self.check_cpp(path, text)
        for folder in sorted(p for p in (self.root / "src").glob("*") if p.is_dir()):
            self.check_module(folder)
        return self.findings


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    findings = Tidy(pathlib.Path(sys.argv[1]).resolve()).run()
    for finding in sorted(findings):
        print(finding)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
