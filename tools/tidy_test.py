"""Each rule of tidy.py, shown by a small tree that breaks it and one that does not."""

import pathlib
import tempfile
import unittest

import tidy

README = "".join(f"**{section}.** x\n" for section in tidy.README_SECTIONS)
HEADER = "// What it is for.\n#pragma once\n"


def findings(files):
    """tidy's findings for a project of two modules, `base` below `queue`, with `files` on top."""
    tree = {
        "src/base/README.md": README, "src/base/CMakeLists.txt": "windlass_module(base SOURCES a.cc)\n",
        "src/queue/README.md": README,
        "src/queue/CMakeLists.txt": "windlass_module(queue\n  DEPENDS base\n  SOURCES a.cc)\n",
        **files,
    }
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for path, text in tree.items():
            if text is None:
                continue
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        return tidy.Tidy(root).run()


class TidyTest(unittest.TestCase):
    def expect(self, files, *wanted):
        got = findings(files)
        self.assertEqual(len(got), len(wanted), got)
        for finding, text in zip(got, wanted):
            self.assertIn(text, finding)

    def test_a_clean_tree_has_no_finding(self):
        self.expect({"src/queue/a.cc": '#include "windlass/base/time.h"\n',
                     "src/queue/include/windlass/queue/a.h": HEADER})

    def test_an_include_that_is_not_declared_is_named(self):
        self.expect({"src/base/a.cc": '#include "windlass/queue/a.h"\n'},
                    "src/base/a.cc:1: module 'base' does not declare 'queue'")

    def test_other_ways_to_write_an_include_are_seen_through(self):
        for line in ("#include <windlass/queue/a.h>", '#  include "windlass/queue/a.h"', "  #include<windlass/queue/a.h>"):
            self.expect({"src/base/a.cc": line + "\n"}, "src/base/a.cc:1: module 'base' does not declare 'queue'")
        for line in ('#include "../queue/a.h"', '#include "./a.h"', "#include <../queue/a.h>"):
            self.expect({"src/base/a.cc": line + "\n"}, "src/base/a.cc:1: a path from here")

    def test_public_headers_have_none_of_third_parties(self):
        path = "src/queue/include/windlass/queue/a.h"
        for name in ("<archive.h>", "<toml++/toml.h>", "<fmt/core.h>", '"curl/curl.h"', "<boost/json.hpp>"):
            self.expect({path: HEADER + f"#include {name}\n"}, f"{path}:3: a third-party header")
        self.expect({path: HEADER + "#include <string_view>\n#include <sys/types.h>\n",
                     "src/base/include/windlass/base/a.h": HEADER + "#include <fmt/core.h>\n"})

    def test_calls_that_only_base_may_make_are_named(self):
        for call in ("auto t = std::chrono::steady_clock::now();", "std::this_thread::sleep_for(1s);",
                     "std::mutex m;", "std::thread t(f);", "t.detach();", 'std::getenv("HOME");',
                     "std::random_device d;", "// TODO later"):
            self.expect({"src/queue/a.cc": call + "\n"}, "src/queue/a.cc:1: ")
        self.expect({"src/base/a.cc": "std::mutex m;\n", "src/app/a.cc": 'std::getenv("HOME");\n',
                     "src/app/README.md": README})

    def test_the_clocks_own_sleep_is_fine(self):
        self.expect({"src/queue/a.cc": "clock_.sleep_until(deadline, stop);\n"})

    def test_long_lines_files_and_functions_are_named(self):
        self.expect({"src/queue/a.cc": "x" * 101 + "\n"}, "101 columns")
        self.expect({"src/queue/a.cc": "\n" * 401}, "401 lines")
        self.expect({"src/queue/a.cc": "int f() {\n" + "  g();\n" * 61 + "}\n"}, "a function of 62 lines")
        self.expect({"src/queue/a.cc": "int f() {\n" + "  g();\n" * 59 + "}\n"})

    def test_a_header_opens_with_a_short_comment_and_pragma_once(self):
        self.expect({"src/queue/a.h": "int f();\n"}, "no #pragma once", "no opening comment")
        self.expect({"src/queue/a.h": "// x\n" * 13 + "#pragma once\n"}, "opening comment has 13 lines")

    def test_a_third_party_header_stays_out_of_public_headers(self):
        self.expect({"src/queue/include/windlass/queue/a.h": HEADER + "#include <curl/curl.h>\n"}, "third-party header")
        self.expect({"src/queue/a.h": HEADER + "#include <curl/curl.h>\n"})

    def test_a_module_has_a_readme_with_its_paragraphs(self):
        self.expect({"src/queue/README.md": README.replace("**Invariants.**", "")}, "no paragraph '**Invariants.**'")
        self.expect({"src/queue/notes.txt": "x\n"}, "not a part of a module's folder")

    def test_blanks_tabs_and_a_missing_last_newline_are_named(self):
        self.expect({"src/queue/a.cc": "int a; \n"}, "blanks at the end")
        self.expect({"src/queue/a.cc": "\tint a;\n"}, "a tab")
        self.expect({"src/queue/a.cc": "int a;"}, "no newline")


if __name__ == "__main__":
    unittest.main()
