"""Installs Windlass into a scratch prefix and builds outside programs against it, by CMake and by pkg-config.

usage: package_test.py CMAKE BUILD_DIR COMPILER
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
QUEUE_SAYS = "shop/web\nshop 8\nshop 7\n"


def run(*command, **kwargs):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **kwargs)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nexit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(got, wanted, what):
    if got != wanted:
        sys.exit(f"{what}: expected {wanted!r}, got {got!r}")


def by_cmake(cmake, compiler, prefix, scratch):
    source = scratch / "user"
    source.mkdir()
    shutil.copy(HERE / "CMakeLists.txt.user", source / "CMakeLists.txt")
    for name in ("queue_user.cc", "resolver_user.cc"):
        shutil.copy(HERE / name, source)
    run(cmake, "-S", source, "-B", source / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_PREFIX_PATH={prefix}")
    run(cmake, "--build", source / "build")
    expect(run(source / "build/queue_user"), QUEUE_SAYS, "queue_user by CMake")
    expect(run(source / "build/resolver_user"), "docker.io/library/nginx:1.27\n", "resolver_user by CMake")


def by_pkg_config(compiler, prefix, scratch):
    env = {**os.environ, "PKG_CONFIG_PATH": str(next(prefix.glob("lib/**/pkgconfig")))}
    flags = run("pkg-config", "--cflags", "--libs", "windlass", env=env).split()
    program = scratch / "queue_user"
    run(compiler, "-std=c++23", HERE / "queue_user.cc", "-o", program, *flags)
    expect(run(program), QUEUE_SAYS, "queue_user by pkg-config")


def unbuilt_is_refused(cmake, compiler, scratch):
    build, prefix = scratch / "unbuilt", scratch / "never"
    run(cmake, "-S", HERE.parent.parent, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
        "-DWINDLASS_TESTS=OFF")
    for component in ((), ("--component", "program")):
        done = subprocess.run([cmake, "--install", build, "--prefix", prefix, *component], capture_output=True, text=True)
        told = " ".join(done.stderr.split())
        if done.returncode == 0 or f"first run: cmake --build {build}" not in told or prefix.exists():
            sys.exit(f"an install of what is not built {component}: exit {done.returncode}, {told}")


def main():
    cmake, build, compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory(dir=build) as name:
        scratch = pathlib.Path(name)
        prefix = scratch / "prefix"
        run(cmake, "--install", build, "--prefix", prefix)
        expect(run(prefix / "bin/windlass", "--version").split()[0], "windlass", "installed program")
        by_cmake(cmake, compiler, prefix, scratch)
        by_pkg_config(compiler, prefix, scratch)
        unbuilt_is_refused(cmake, compiler, scratch)


main()
