"""The demonstration that ./run shows: a small shop, pinned against a real registry.

usage: demo.py --windlass PROGRAM --docker-registry PROGRAM --scratch DIR

Starts two registries on loopback (one asks for a login), fills them with the images of examples/images, pins
examples/shop, and stops what it started. Nothing is written outside DIR. The registries get free ports, so the files
are copied first and the names registry.shop.test and private.shop.test become the registries' own.
"""

import argparse
import contextlib
import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

EXAMPLES = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(EXAMPLES), str(EXAMPLES.parent / "tools")]
sys.dont_write_bytecode = True

import local_registry  # noqa: E402
import make_images  # noqa: E402

PRIVATE = "payments"


def say(text=""):
    print(text, flush=True)


def heading(text):
    say(f"\n--- {text}")


def fill(layout, digests, public, private):
    """Pushes what the registries do not have yet; their storage is kept from run to run."""
    stamp = public.folder / "pushed"
    wanted = "".join(f"{name} {digest}\n" for name, digest in digests.items())
    if stamp.exists() and stamp.read_text() == wanted:
        return
    for name in digests:
        repository = name.split(":")[0]
        if repository == PRIVATE:
            private.push(layout, name, repository)
        else:
            public.push(layout, name, f"shop/{repository}")
    stamp.write_text(wanted)


def copy_shop(target, public, private):
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for file in sorted((EXAMPLES / "shop").glob("*.yaml")):
        data = file.read_bytes()
        for name, registry in (("registry.shop.test", public), ("private.shop.test", private)):
            data = data.replace(name.encode(), registry.host.encode())
        (target / file.name).write_bytes(data)


def show(scratch, windlass, arguments, environment):
    """Runs windlass as a user would and returns its exit code."""
    say(f"$ windlass {' '.join(arguments)}")
    code = subprocess.run([windlass, *arguments], cwd=scratch, env=environment).returncode
    if code:
        say(f"(exit code {code})")
    return code


def demonstrate(options):
    scratch = pathlib.Path(options.scratch).resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        # Two demonstrations of one clone take turns; they share the registries' storage.
        lock = stack.enter_context(open(scratch / "lock", "w"))
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(scratch / "layout", ignore_errors=True)
        digests = make_images.make_images(EXAMPLES / "images", scratch / "layout")
        program = options.docker_registry
        public = stack.enter_context(local_registry.Registry(program, scratch / "public"))
        private = stack.enter_context(local_registry.Registry(program, scratch / "private", login=True))
        fill(scratch / "layout", digests, public, private)
        copy_shop(scratch / "shop", public, private)
        login = local_registry.write_login(scratch / "docker", private)
        environment = {**os.environ, "DOCKER_CONFIG": str(login)}
        environment.pop("REGISTRY_AUTH_FILE", None)  # podman's would be read instead

        heading("examples/shop: a few images to pin, in files as people write them")
        say(f"registry.shop.test is {public.host}; private.shop.test is {private.host} and asks for a login")
        heading("What digest does a tag have now?")
        failed = show(scratch, options.windlass, ["resolve", f"{public.host}/shop/web:1.4.0"], environment)
        heading("What would be pinned, and nothing else changed")
        started = time.monotonic()
        failed |= show(scratch, options.windlass, ["pin", "--diff", "shop"], environment)
        say(f"({time.monotonic() - started:.2f} s)")
        heading("Pin it")
        failed |= show(scratch, options.windlass, ["pin", "-i", "shop"], environment)
        heading("Once more: pinned files stay as they are, and a check in CI passes")
        failed |= show(scratch, options.windlass, ["pin", "--check", "shop"], environment)
        say(f"\nThe pinned files are in {os.path.relpath(scratch / 'shop')}. Your own: ./run pin --diff FILE")
        return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("windlass", "docker-registry", "scratch"):
        parser.add_argument(f"--{name}", required=True)
    # A terminated demonstration still stops its registries.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])  # ./run has it wait until here
        sys.exit(demonstrate(parser.parse_args()))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # as in ./run | head: whoever reads went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except RuntimeError as error:
        sys.exit(f"error: {error}")


main()
