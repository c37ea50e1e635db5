"""Debian's docker-registry on loopback, filled with the images of examples/images.

usage: real_registry.py --program PROGRAM --folder FOLDER [--login] [--tls] [--token [--anonymous]]
       [--nginx PROGRAM]

Prints one line when it is ready: {"host": "127.0.0.1:PORT", "ca": FILE or null, "log": FILE or null,
"images": {"NAME:TAG": DIGEST}}; ends when its input ends. With --login it asks for alice and s3cret; with --token for a
token, which a service of ours gives to them, or to anybody. With --nginx, host is that of an nginx before it, which speaks TLS and
HTTP/2 and writes the protocol of each request to the log.
"""

import argparse
import contextlib
import json
import pathlib
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "examples"), str(ROOT / "tests" / "support")]

import certificates  # noqa: E402
import local_registry  # noqa: E402
import make_images  # noqa: E402
import nginx  # noqa: E402
import token_service  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--login", action="store_true")
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--token", action="store_true")
    parser.add_argument("--anonymous", action="store_true")
    parser.add_argument("--nginx")
    options = parser.parse_args()
    folder = certificates.make(options.folder / "tls")
    tls = (folder / "ca.crt", folder / "server.crt", folder / "server.key") if options.tls else None
    storage = options.folder / "registry"
    with contextlib.ExitStack() as stack:
        if options.token:
            with local_registry.Registry(options.program, storage) as registry:
                images = push_all(registry, options.folder / "layout")
            service = stack.enter_context(token_service.TokenService(folder, options.anonymous))
            registry = stack.enter_context(local_registry.Registry(options.program, storage, auth=service.auth()))
        else:
            registry = stack.enter_context(
                local_registry.Registry(options.program, storage, login=options.login, tls=tls))
            images = push_all(registry, options.folder / "layout")
        front = stack.enter_context(nginx.Front(options.nginx, options.folder / "nginx", folder, registry.port)) \
            if options.nginx else None
        print(json.dumps({
            "host": front.host if front else registry.host, "log": str(front.log) if front else None,
            "ca": str(folder / "ca.crt") if options.tls or front else None, "images": images}), flush=True)
        sys.stdin.read()


def push_all(registry, layout):
    images = {}
    for name, digest in make_images.make_images(ROOT / "examples" / "images", layout).items():
        registry.push(layout, name, f"shop/{name.split(':')[0]}")
        images[f"shop/{name}"] = digest
    return images


if __name__ == "__main__":
    main()
