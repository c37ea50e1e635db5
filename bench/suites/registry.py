"""Lookups beside go-containerregistry and wrk. docs/benchmarks.md describes the workloads.

usage: registry.py PROGRAM    runs ours a few times against a server of Python's, as a test that it still works
"""

import contextlib
import http.server
import json
import pathlib
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))  # when it is run by itself
import comparison  # noqa: E402

PEER = "go-containerregistry, or as said"
MANIFEST = ""  # wrk waits for the body whose length an answer to HEAD tells
DIGEST = "sha256:" + "d" * 64
DISTINCT = 10_000
LOOKUPS = {1: 5_000, 16: 30_000, 256: 30_000}

NGINX = """daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log crit;
events {{ worker_connections 4096; }}
http {{
  access_log off; keepalive_requests 100000000; default_type application/vnd.oci.image.manifest.v1+json;
  client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3; uwsgi_temp_path {folder}/4;
  scgi_temp_path {folder}/5;
  server {{
    listen 127.0.0.1:{plain} backlog=4096;
    location = /v2/ {{ return 200 '{{}}'; }}
    location /v2/ {{ add_header Docker-Content-Digest {digest}; return 200 '{manifest}'; }}
  }}
  server {{
    listen 127.0.0.1:{bearer} backlog=4096;
    location = /token {{ default_type application/json; return 200 '{{"token":"t","expires_in":3600}}'; }}
    location /v2/ {{
      if ($http_authorization = "") {{
        add_header WWW-Authenticate 'Bearer realm="http://127.0.0.1:{bearer}/token",service="bench"' always;
        return 401;
      }}
      add_header Docker-Content-Digest {digest};
      return 200 '{manifest}';
    }}
  }}
}}
"""

HEAD_LUA = """local n = 0
request = function()
  n = n + 1
  return wrk.format("HEAD", string.format("/v2/bench/app-%d/manifests/v1", n % {images}), {{["Accept"] = "{accept}"}})
end
"""
ACCEPT = ", ".join(f"application/vnd.{kind}+json" for kind in (
    "oci.image.index.v1", "docker.distribution.manifest.list.v2", "oci.image.manifest.v1",
    "docker.distribution.manifest.v2"))


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


@contextlib.contextmanager
def nginx(program):
    """Two ports: manifests for anybody, and for whoever shows a token."""
    with tempfile.TemporaryDirectory() as folder:
        plain, bearer = free_ports(2)
        config = pathlib.Path(folder, "nginx.conf")
        config.write_text(NGINX.format(folder=folder, plain=plain, bearer=bearer, digest=DIGEST, manifest=MANIFEST))
        with subprocess.Popen([program, "-p", folder, "-e", f"{folder}/error.log", "-c", config]) as process:
            try:
                wait_for(plain)
                yield plain, bearer
            finally:
                process.terminate()


def wait_for(port):
    for _ in range(500):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.02)
    raise RuntimeError("the server did not start")


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def lookups(program, references, in_flight, count, *more):
    out = subprocess.run([str(program), str(in_flight), str(count), *map(str, more)], input="\n".join(references) + "\n",
                         capture_output=True, text=True, check=False)
    if out.returncode != 0:
        raise RuntimeError(f"{program}: {out.stderr.strip()}")
    return json.loads(out.stdout)


def wrk(program, port, connections, images):
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(HEAD_LUA.format(images=images, accept=ACCEPT))
        script.flush()
        before = children_cpu()
        out = subprocess.run([program, "-t1", f"-c{connections}", "-d2s", "-s", script.name, f"http://127.0.0.1:{port}/"],
                             capture_output=True, text=True, check=True).stdout
        requests = int(re.search(r"(\d+) requests in", out)[1])
        return {"lookups_per_s": float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1]),
                "cpu_us": (children_cpu() - before) / requests * 1e6}


def once_per_image(command, references):
    """What a script does that starts a program for each image."""
    begin = time.monotonic()
    for reference in references:
        subprocess.run([*command, reference], stdout=subprocess.DEVNULL, check=True)
    return {"lookups_per_s": len(references) / (time.monotonic() - begin)}


class Table:
    def __init__(self, rounds, only):
        self.rounds, self.only = rounds, only
        self.rows, self.runs = [], {}

    def wants(self, workload):
        return self.only is None or workload in self.only

    def measure(self, workload, **sides):
        """Runs all sides in turn, several rounds; a side that is None is left out."""
        runs = {name: [] for name, run in sides.items() if run}
        for _ in range(self.rounds):
            for name in runs:
                runs[name].append(sides[name]())
        self.runs[workload] = runs
        return {name: {field: statistics.median(run[field] for run in of) for field in of[0]}
                for name, of in runs.items()}

    def add(self, label, unit, ours, peer, peer_name, smaller_is_better, aim="-", note=""):
        self.rows.append(comparison.row("registry", label, unit, ours, peer, peer_name, smaller_is_better, aim, note))


def against_nginx(table, ours, peer, note, program):
    with nginx(program) as (plain, bearer):
        names = [f"127.0.0.1:{{}}/bench/app-{i}:v1" for i in range(DISTINCT)]
        for kind, port in (("plain", plain), ("bearer", bearer)):
            few = [name.format(port) for name in names[:100]]
            for in_flight, count in LOOKUPS.items():
                if table.wants(f"{kind}.{in_flight}"):
                    one_of_nginx(table, ours, peer, note, kind, port, few, in_flight, count)
        if table.wants("distinct"):
            for kind, port in (("plain", plain), ("bearer", bearer)):
                every = [name.format(port) for name in names]
                medians = table.measure(f"distinct.{kind}", ours=lambda e=every: lookups(ours, e, 256, DISTINCT),
                                        go=peer and (lambda e=every: lookups(peer, e, 256, DISTINCT)))
                told(table, medians, f"nginx, {kind}, 10,000 distinct, 256 at once", note)
                table.add(f"nginx, {kind}, 10,000 distinct: peak memory", "MB", medians["ours"]["rss_mb"],
                          medians.get("go", {}).get("rss_mb"), "go", True, "-", note)
        if table.wants("once"):
            scripts(table, peer, [name.format(plain) for name in names[:20]], ours.parent.parent)


def one_of_nginx(table, ours, peer, note, kind, port, references, in_flight, count):
    wrk_program = shutil.which("wrk")
    use_wrk = kind == "plain" and wrk_program
    medians = table.measure(
        f"{kind}.{in_flight}", ours=lambda: lookups(ours, references, in_flight, count),
        go=peer and (lambda: lookups(peer, references, in_flight, count)),
        wrk=use_wrk and (lambda: wrk(wrk_program, port, in_flight, len(references))))
    told(table, medians, f"nginx, {kind}, {in_flight} at once", note)
    if use_wrk:
        table.add(f"nginx, {kind}, {in_flight} at once: beside wrk", "lookups/s", medians["ours"]["lookups_per_s"],
                  medians["wrk"]["lookups_per_s"], "wrk", False, ">= 0.85x")


def told(table, medians, label, note):
    go = medians.get("go", {})
    table.add(label, "lookups/s", medians["ours"]["lookups_per_s"], go.get("lookups_per_s"), "go", False, "-", note)
    table.add(f"{label}: CPU", "us/lookup", medians["ours"]["cpu_us"], go.get("cpu_us"), "go", True, ">= 4x", note)


def scripts(table, peer, references, build_dir):
    windlass = build_dir / "apps" / "windlass" / "windlass"
    skopeo = shutil.which("skopeo")
    medians = table.measure(
        "once", ours=lambda: once_per_image([windlass, "resolve"], references),
        crane=peer and (lambda: once_per_image([peer], references)),
        skopeo=skopeo and (lambda: once_per_image(
            [skopeo, "inspect", "--no-tags", "--raw", "--tls-verify=false"],
            ["docker://" + reference for reference in references])))
    for name in ("crane", "skopeo"):
        table.add(f"one program per image: beside {name}", "images/s", medians["ours"]["lookups_per_s"],
                  medians.get(name, {}).get("lookups_per_s"), name, False)


def against_docker_registry(table, root, ours, peer, note, program):
    for kind, options in (("plain", []), ("bearer", ["--token"])):
        if not table.wants(f"docker.{kind}"):
            continue
        with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
                [sys.executable, "-B", root / "tests" / "support" / "real_registry.py", "--program", program,
                 "--folder", folder, *options, *(["--anonymous"] if options else [])],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            ready = json.loads(process.stdout.readline())
            references = [f"{ready['host']}/{name}" for name in ready["images"]]
            if options:
                peer, note = None, "go-containerregistry asks no token service on another port of loopback"
            for in_flight in LOOKUPS:
                medians = table.measure(f"docker.{kind}.{in_flight}",
                                        ours=lambda n=in_flight: lookups(ours, references, n, 3_000),
                                        go=peer and (lambda n=in_flight: lookups(peer, references, n, 3_000)))
                told(table, medians, f"docker-registry, {kind}, {in_flight} at once", note)
            process.stdin.close()


def cancelling(table, ours):
    """A registry that takes connections and says nothing."""
    with socket.socket() as hole:
        hole.bind(("127.0.0.1", 0))
        hole.listen(128)
        reference = f"127.0.0.1:{hole.getsockname()[1]}/app:v1"
        medians = table.measure("cancel", ours=lambda: lookups(ours, [reference], "cancel", 50))["ours"]
    for field, label in (("cancel_ms", "a stop is told after, median"), ("cancel_ms_max", "a stop is told after, longest"),
                         ("late_ms", "a deadline is told after, median"),
                         ("late_ms_max", "a deadline is told after, longest")):
        table.add(label, "ms", medians[field], None, "-", True)


def tool(root, name):
    """One that is installed, or taken out of its package by ./test."""
    own = root / "build" / "tools" / name
    return str(own) if own.exists() else shutil.which(name)


def run(root, build_dir, rounds, only):
    ours, peer, note = comparison.build(root, build_dir, "windlass_registry_compare", "registry", "go-containerregistry",
                                        ["windlass"])
    table = Table(rounds, only)
    if table.wants("cancel"):
        cancelling(table, ours)
    if program := tool(root, "nginx"):
        against_nginx(table, ours, peer, note, program)
    if program := tool(root, "docker-registry"):
        against_docker_registry(table, root, ours, peer, note, program)
    return table.rows, table.runs


class Tiny(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/vnd.oci.image.manifest.v1+json")
        self.send_header("Docker-Content-Digest", DIGEST)
        self.send_header("Content-Length", str(len(MANIFEST)))
        self.end_headers()

    def log_message(self, *_):
        pass


def smoke(program):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tiny) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(lookups(program, [f"127.0.0.1:{server.server_port}/app:v1"], 4, 20))
        server.shutdown()


if __name__ == "__main__":
    smoke(sys.argv[1])
