"""Debian's docker-registry on loopback, filled with the images of examples/images.

usage: real_registry.py --program PROGRAM --folder FOLDER [--login] [--tls]

Prints one line when it is ready: {"host": "127.0.0.1:PORT", "ca": FILE or null, "images": {"NAME:TAG": DIGEST}}; ends
when its input ends. With --login it asks for alice and s3cret.
"""

import argparse
import json
import pathlib
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "examples"), str(ROOT / "tests" / "support")]

import certificates  # noqa: E402
import local_registry  # noqa: E402
import make_images  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--login", action="store_true")
    parser.add_argument("--tls", action="store_true")
    options = parser.parse_args()
    tls = None
    if options.tls:
        folder = certificates.make(options.folder / "tls")
        tls = (folder / "ca.crt", folder / "server.crt", folder / "server.key")
    layout = options.folder / "layout"
    digests = make_images.make_images(ROOT / "examples" / "images", layout)
    with local_registry.Registry(options.program, options.folder / "registry", login=options.login, tls=tls) as registry:
        images = {}
        for name, digest in digests.items():
            registry.push(layout, name, f"shop/{name.split(':')[0]}")
            images[f"shop/{name}"] = digest
        ca = str(options.folder / "tls" / "ca.crt") if options.tls else None
        print(json.dumps({"host": registry.host, "ca": ca, "images": images}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
