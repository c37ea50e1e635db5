"""What the end-to-end tests share: real registries on loopback, and running the built program as a user does.

The registries start once for each test file and hold the images of examples/images. WINDLASS names the program,
DOCKER_REGISTRY Debian's registry, SCRATCH a folder below the build.
"""

import contextlib
import hashlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "examples")]

import counting_proxy  # noqa: E402
import local_registry  # noqa: E402
import make_images  # noqa: E402

WINDLASS = os.environ["WINDLASS"]
DOCKER_REGISTRY = os.environ["DOCKER_REGISTRY"]
SCRATCH = os.environ["SCRATCH"]

# No run here needs longer; a program that hangs fails its test instead of the whole run.
RUN_SECONDS_MAX = 120


class Done:
    """A finished run: exit code, standard output and standard error, as bytes and as text."""

    def __init__(self, code, out, err):
        self.code, self.out_bytes, self.err_bytes = code, out, err
        self.out, self.err = out.decode(), err.decode()

    def __repr__(self):
        return f"exit {self.code}\n--- stdout\n{self.out}--- stderr\n{self.err}---"


def make_certificates(folder):
    """A CA and a certificate for localhost; returns (CA file, certificate file, key file)."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Shop CA",
            "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
    openssl("req", *key, "-keyout", "host.key", "-out", "host.csr", "-subj", "/CN=localhost")
    (folder / "san.cnf").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", "host.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-extfile", "san.cnf", "-out", "host.pem")
    return folder / "ca.pem", folder / "host.pem", folder / "host.key"


class Shop:
    """Three registries with the same images: open (also behind a proxy that counts), asking for a login, over TLS."""

    def __init__(self, stack):
        self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=SCRATCH)))
        self.digests = make_images.make_images(ROOT / "examples/images", self.folder / "layout")
        files = make_certificates(self.folder / "tls")
        self.ca = files[0]

        def start(name, **options):
            registry = stack.enter_context(
                local_registry.Registry(DOCKER_REGISTRY, self.folder / name, **options))
            for image in self.digests:
                registry.push(self.folder / "layout", image, "shop/" + image.split(":")[0])
            return registry

        self.open = start("open")
        self.counted = stack.enter_context(counting_proxy.CountingProxy(self.open.port))
        self.private = start("private", login=True)
        self.tls = start("tls", tls=files)


class EndToEndTest(unittest.TestCase):
    """Each test gets an empty folder of its own, which is also the current directory and the home of its runs."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        cls.shop = Shop(stack)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=SCRATCH)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def environment(self, **variables):
        kept = {k: v for k, v in os.environ.items()
                if k in ("PATH", "LANG") or k.endswith("SAN_OPTIONS")}
        return {**kept, "HOME": str(self.folder / "home"), **variables}

    def run_windlass(self, *arguments, stdin=b"", **variables):
        done = subprocess.run([WINDLASS, *map(str, arguments)], input=stdin, capture_output=True, cwd=self.folder,
                              env=self.environment(**variables), timeout=RUN_SECONDS_MAX)
        return Done(done.returncode, done.stdout, done.stderr)

    def await_signal_handling(self, run):
        """Returns once `run` takes interrupts itself: before, one would just end it."""
        status = pathlib.Path(f"/proc/{run.pid}/status")
        deadline = time.monotonic() + RUN_SECONDS_MAX
        while not int(re.search(r"^SigBlk:\s*(\w+)", status.read_text(), re.M)[1], 16) & 1 << (signal.SIGINT - 1):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)

    def expect(self, done, code=0, out=None, err=None):
        self.assertEqual(done.code, code, done)
        if out is not None:
            self.assertEqual(done.out, out, done)
        if err is not None:
            self.assertEqual(done.err, err, done)
        return done

    def expect_error(self, done, code, *parts):
        """One error line on standard error that holds all `parts`; no other line, and nothing on standard output."""
        self.assertEqual(done.code, code, done)
        self.assertEqual(done.out, "", done)
        lines = [line for line in done.err.splitlines() if "error: " in line]
        self.assertEqual(len(lines), 1, done)
        for part in parts:
            self.assertIn(part, lines[0], done)
        return lines[0]

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def copy_shop(self, registry=None):
        """examples/shop with the names of real registries; returns {path: bytes}."""
        registry = registry or self.shop.counted
        files = {}
        for source in sorted((ROOT / "examples/shop").glob("*.yaml")):
            data = source.read_bytes().replace(b"registry.shop.test", registry.host.encode())
            data = data.replace(b"private.shop.test", f"{registry.host}/shop".encode())
            files[self.write(f"shop/{source.name}", data)] = data
        return files

    def login(self, registry, password=local_registry.PASSWORD):
        """A DOCKER_CONFIG folder with a login for `registry`."""
        return str(local_registry.write_login(self.folder / "docker", registry, password=password))

    def digest(self, image):
        return self.shop.digests[image]

    @staticmethod
    def pod(*images):
        containers = "".join(f"  - name: c{i}\n    image: {image}\n" for i, image in enumerate(images))
        return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n" + containers


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()
