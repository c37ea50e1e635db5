"""The rules of windlass_module(), each shown by a small project that breaks it.

usage: module_rules_test.py CMAKE SOURCE_DIR COMPILER SCRATCH_DIR
"""

import pathlib
import subprocess
import sys
import tempfile
import textwrap

CMAKE, SOURCE, COMPILER, SCRATCH = sys.argv[1:]

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(Rules LANGUAGES CXX)
set(WINDLASS_TESTS OFF)
set(WINDLASS_BENCH OFF)
list(APPEND CMAKE_MODULE_PATH "{source}/cmake")
include(GNUInstallDirs)
include(windlass_flags)
include(windlass_module)
{subdirectories}
"""


class Project:
    """A scratch project of modules; each is (name, depends, files by path)."""

    def __init__(self, folder, modules):
        self.folder = pathlib.Path(folder)
        (self.folder / "CMakeLists.txt").write_text(PROJECT.format(
            source=SOURCE, subdirectories="\n".join(f"add_subdirectory({name})" for name, _, _ in modules)))
        for name, depends, files in modules:
            for path, text in files.items():
                file = self.folder / name / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(textwrap.dedent(text))
            headers = [p.split("/")[-1] for p in files if p.startswith("include/")]
            sources = [p for p in files if p.endswith(".cc")]
            (self.folder / name / "CMakeLists.txt").write_text(
                f"windlass_module({name} HEADERS {' '.join(headers)} SOURCES {' '.join(sources)} "
                f"DEPENDS {' '.join(depends)})\n")

    def configure(self):
        return self._run(CMAKE, "-S", self.folder, "-B", self.folder / "build", "-G", "Ninja",
                         f"-DCMAKE_CXX_COMPILER={COMPILER}")

    def build(self, target="all"):
        return self._run(CMAKE, "--build", self.folder / "build", "--target", target)

    @staticmethod
    def _run(*command):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def module(name, depends=(), includes=(), header="int {name}();\n"):
    text = "#pragma once\n" + header.format(name=name)
    body = "".join(f'#include "{i}"\n' for i in (f"windlass/{name}/{name}.h", *includes))
    return (name, depends, {f"include/windlass/{name}/{name}.h": text,
                            f"{name}.cc": body + f"int {name}() {{ return 0; }}\n"})


def check(claim, modules, *, configures=True, builds=True, target="all", says=""):
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        project = Project(folder, modules)
        code, output = project.configure()
        if (code == 0) != configures:
            sys.exit(f"{claim}: configuring ended with {code}\n{output}")
        if configures:
            code, output = project.build(target)
            if (code == 0) != builds:
                sys.exit(f"{claim}: building ended with {code}\n{output}")
        if says not in " ".join(output.split()):
            sys.exit(f"{claim}: expected {says!r} in\n{output}")
    print(f"ok: {claim}")


check("a declared module's header is found",
      [module("low"), module("high", ["low"], ["windlass/low/low.h"])])
check("an undeclared module's header is not found",
      [module("low"), module("high", [], ["windlass/low/low.h"])], builds=False, says="windlass/low/low.h")
check("a module below cannot name a module above",
      [module("low", ["high"]), module("high")], configures=False, says="'high' is not a lower layer")
check("a module cannot name itself",
      [module("low", ["low"])], configures=False, says="'low' is not a lower layer")
check("a public header that compiles alone passes",
      [module("low")], target="all_verify_interface_header_sets")
check("a public header that does not compile alone is refused",
      [module("low", header="std::string {name}();\n")], builds=False,
      target="all_verify_interface_header_sets", says="std")
