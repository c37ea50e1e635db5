"""Many owners beside Knative Serving's arrangement. docs/benchmarks.md describes the workloads.

usage: resolver.py PROGRAM    runs ours once against a server of Python's, as a test that it still works
"""

import contextlib
import http.server
import importlib.util
import json
import pathlib
import socket
import statistics
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # when it is run by itself
import comparison  # noqa: E402

PEER = "client-go's queue and go-containerregistry, arranged as in Knative Serving"


def registry_suite():
    spec = importlib.util.spec_from_file_location("registry_suite", HERE / "registry.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def black_hole():
    """Takes connections and says nothing."""
    with socket.socket() as hole:
        hole.bind(("127.0.0.1", 0))
        hole.listen(1024)
        yield f"127.0.0.1:{hole.getsockname()[1]}"


def answer_all(program, references, owners, hanging, hole, *more):
    out = subprocess.run([str(program), str(owners), str(hanging), hole, *more], input="\n".join(references) + "\n",
                         capture_output=True, text=True, check=False)
    if out.returncode != 0:
        raise RuntimeError(f"{program}: {out.stderr.strip()}")
    return json.loads(out.stdout)


# Name, label, owners, distinct images, hanging owners, whether the peer has its 10 adds per second, rounds of it at most.
WORKLOADS = (
    ("one", "1,000 owners of one image", 1_000, 1, 0, False, 9),
    ("distinct", "10,000 owners of distinct images", 10_000, 10_000, 0, False, 9),
    ("limited", "300 owners of distinct images, the peer's limiter on", 300, 300, 0, True, 1),
    ("hole", "200 owners while 100 wait for a registry that hangs", 200, 200, 100, False, 1),
)


def run(root, build_dir, rounds, only):
    registry = registry_suite()
    ours, peer, note = comparison.build(root, build_dir, "windlass_resolver_compare", "resolver", "Knative's arrangement")
    rows, runs = [], {}
    program = registry.tool(root, "nginx")
    if program is None:
        return rows, runs
    with registry.nginx(program) as (plain, _), black_hole() as hole:
        for workload, label, owners, distinct, hanging, limited, rounds_max in WORKLOADS:
            if only is not None and workload not in only:
                continue
            references = [f"127.0.0.1:{plain}/bench/app-{i}:v1" for i in range(distinct)]
            sides = {"ours": [], "peer": []}
            for _ in range(min(rounds, rounds_max)):
                sides["ours"].append(answer_all(ours, references, owners, hanging, hole))
                if peer:
                    more = [] if limited else ["unlimited"]
                    sides["peer"].append(answer_all(peer, references, owners, hanging, hole, *more))
            runs[workload] = sides
            for field, what, unit in (("seconds", "", "s"), ("cpu_us", ": CPU", "us/owner"),
                                      ("median_ms", ": an owner's wait, median", "ms"), ("max_ms", ": longest", "ms")):
                medians = [statistics.median(one[field] for one in sides[side]) if sides[side] else None
                           for side in ("ours", "peer")]
                rows.append(comparison.row("resolver", label + what, unit, *medians, "go", True, "-", note))
    return rows, runs


def smoke(program):
    registry = registry_suite()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), registry.Tiny) as server, black_hole() as hole:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(answer_all(program, [f"127.0.0.1:{server.server_port}/app:v1"], 20, 2, hole))
        server.shutdown()


if __name__ == "__main__":
    smoke(sys.argv[1])
