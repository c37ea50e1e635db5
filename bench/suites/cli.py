"""The program beside what people use instead: whole programs, against one registry on loopback.
docs/benchmarks.md describes the workloads."""

import contextlib
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.request

import comparison

PEER = "crane and skopeo in a loop, frizbee"
PEERS_GO = {"crane": "github.com/google/go-containerregistry/cmd/crane@v0.20.2",
            "frizbee": "github.com/stacklok/frizbee@v0.1.7"}
NOTE_KBLD = "kbld and k8s-digester cannot be had as Go modules here, so they did not run"

IMAGES = (1, 100, 1000)
SCALE = {"files": 20_000, "images": 5_000}
LATENCIES_MS = (0, 50)

# A loop over more images than these would take minutes; its time is that of so many, scaled. Each lookup is alike.
LOOP_MAX = {0: 100, 50: 20}

DIGEST = re.compile(rb"@sha256:[0-9a-f]{64}")


def build(root, build_dir):
    """(ours, {peer: program}, registry, notes)"""
    subprocess.run(["cmake", "--build", str(build_dir), "--target", "windlass", "windlass_bare_libyaml"], check=True,
                   stdout=subprocess.DEVNULL)
    peers, notes = {}, [NOTE_KBLD]
    folder = build_dir / "peers"
    folder.mkdir(parents=True, exist_ok=True)
    go = shutil.which("go")
    registry = None
    if go:
        registry = folder / "registry"
        subprocess.run([go, "build", "-o", registry, "."], cwd=root / "bench/peers/registry", check=True)
        for name, module in PEERS_GO.items():
            if not (folder / name).exists():
                subprocess.run([go, "install", module], env={**os.environ, "GOBIN": str(folder)}, capture_output=True,
                               check=False)
            if (folder / name).exists():
                peers[name] = folder / name
            else:
                notes.append(f"{name} did not build")
    if shutil.which("skopeo"):
        peers["skopeo"] = pathlib.Path(shutil.which("skopeo"))
    return build_dir / "apps/windlass/windlass", peers, registry, notes


class Registry:
    def __init__(self, program, latency_ms):
        self.command = [str(program), f"{latency_ms}ms"]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        self.host = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def count(self):
        with urllib.request.urlopen(f"http://{self.host}/count") as answer:
            return int(answer.read())


def write_files(folder, host, images):
    """One Deployment for each image, in folders of a hundred; returns {path: bytes}."""
    files = {}
    for i in range(images):
        path = folder / f"{i // 100:03d}" / f"app-{i:05d}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# application {i}\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: app-{i}}}\nspec:\n"
                        f"  template:\n    spec:\n      containers:\n      - name: app   # the only one\n"
                        f"        image: {host}/team/app-{i}:1.0\n")
        files[path] = path.read_bytes()
    return files


def other_bytes_changed(files):
    """Bytes that differ once the digests are taken out again."""
    changed = 0
    for path, before in files.items():
        after = DIGEST.sub(b"", path.read_bytes())
        if after != before:
            changed += max(1, abs(len(after) - len(before)), sum(a != b for a, b in zip(after, before)))
    return changed


def run_measured(command, registry, home):
    """{"wall_s", "cpu_s", "requests"} of a shell command."""
    requests = registry.count()
    before = os.times()
    started = time.monotonic()
    subprocess.run(["sh", "-c", command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env={"PATH": os.environ["PATH"], "HOME": str(home)})
    wall = time.monotonic() - started
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {"wall_s": wall, "cpu_s": cpu, "requests": registry.count() - requests}


def loop_of(name, program, host, images):
    one = {"crane": f"{program} digest {host}/team/app-$i:1.0",
           "skopeo": f"{program} inspect --no-tags --tls-verify=false --format '{{{{.Digest}}}}' docker://{host}/team/app-$i:1.0",
           }[name]
    return f"i=0; while [ $i -lt {images} ]; do {one}; i=$((i+1)); done"


def measure(ours, peers, registry, latency, images, rounds, home):
    """{program: [run, ...]}"""
    runs = {}
    for _ in range(rounds):
        for name, program in {"windlass": ours, **peers}.items():
            with tempfile.TemporaryDirectory(dir=home) as scratch:
                folder = pathlib.Path(scratch)
                if name in ("crane", "skopeo"):
                    done = min(images, LOOP_MAX[latency])
                    run = run_measured(loop_of(name, program, registry.host, done), registry, home)
                    run = {key: value * images / done for key, value in run.items()}
                else:
                    files = write_files(folder, registry.host, images)
                    command = f"{program} pin -i {folder}" if name == "windlass" else f"{program} image {folder}"
                    run = run_measured(command, registry, home)
                    run["other_bytes"] = other_bytes_changed(files)
                    run["pinned"] = sum(len(DIGEST.findall(path.read_bytes())) for path in files)
                runs.setdefault(name, []).append(run)
    return runs


def write_many(folder, host):
    """SCALE's files, each a Deployment and a Service; an image in four files."""
    for i in range(SCALE["files"]):
        path = folder / f"{i // 200:03d}" / f"app-{i:05d}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        labels = f"app.kubernetes.io/name: app-{i}"
        path.write_text(
            f"---\n# application {i}\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-{i}\n"
            f"  namespace: team-{i % 50}\n  labels:\n    {labels}\nspec:\n  replicas: 3\n  selector:\n"
            f"    matchLabels:\n      {labels}\n  template:\n    metadata:\n      labels:\n        {labels}\n    spec:\n"
            f"      containers:\n      - name: app   # the only one\n"
            f"        image: {host}/team/app-{i % SCALE['images']}:1.0\n        ports:\n        - containerPort: 8080\n"
            f"          name: http\n        resources:\n          requests: {{cpu: 100m, memory: 128Mi}}\n"
            f"---\napiVersion: v1\nkind: Service\nmetadata:\n  name: app-{i}\nspec:\n  selector:\n    {labels}\n"
            f"  ports:\n  - port: 80\n    targetPort: http\n")


def run_alone(command, codes):
    """{"wall_s", "cpu_s", "peak_mb"} of one program, which has to end with one of `codes`."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return {"wall_s": time.monotonic() - started, "cpu_s": usage.ru_utime + usage.ru_stime,
            "peak_mb": usage.ru_maxrss / 1024}


def measure_scale(ours, bare_parser, registry, rounds, home):
    """{"check": [run, ...], "bare": [run, ...], "pin": [run], "check pinned": [run, ...]}"""
    runs = {}
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        write_many(pathlib.Path(scratch), registry.host)
        piped = ["sh", "-c", f"find {scratch} -name '*.yaml' -print0 | xargs -0 cat | {bare_parser}"]
        pin = [str(ours), "pin", "-q", scratch]
        for _ in range(rounds):
            runs.setdefault("bare", []).append(run_alone(piped, {0}))
            runs.setdefault("check", []).append(run_alone([*pin, "--check"], {1}))
        before = registry.count()
        runs["pin"] = [{**run_alone([*pin, "-i"], {0}), "requests": registry.count() - before}]
        for _ in range(rounds):
            runs.setdefault("check pinned", []).append(run_alone([*pin, "--check"], {0}))
    return runs


def scale_rows(runs):
    def median(name, key):
        return statistics.median(run[key] for run in runs[name])

    label = f"{SCALE['files']} files, {SCALE['images']} images"
    parser = "cat into bare libyaml"
    rows = [comparison.row("cli", f"{label}, {what}: {key.split('_')[0]}", "s", median(what, key), median("bare", key), parser,
                           True, ">= 0.5x" if key == "wall_s" else "-")
            for what in ("check", "check pinned") for key in ("wall_s", "cpu_s")]
    for key, unit, aim in (("wall_s", "s", "-"), ("cpu_s", "s", "-"), ("peak_mb", "MB", "<= 200"),
                           ("requests", "requests", f"<= {SCALE['images']}")):
        rows.append(comparison.row("cli", f"{label}, pin: {key.split('_')[0]}", unit, median("pin", key), None, "", True, aim))
    return rows


def rows_of(runs, peer, latency, images, notes):
    def median(name, key):
        values = [run[key] for run in runs.get(name, []) if key in run]
        return statistics.median(values) if values else None

    rows = []
    for key, unit, aim in (("wall_s", "s", "-"), ("cpu_s", "s", "-"), ("requests", "requests", f"<= {images}"),
                           ("other_bytes", "bytes", "<= 0")):
        mine, other = median("windlass", key), median(peer, key)
        if key == "other_bytes" and other is None:
            continue
        label = f"{images} images, {latency} ms: {key.split('_')[0]}, {peer}"
        rows.append(comparison.row("cli", label, unit, mine, other, peer, True, aim, "; ".join(notes)))
    return rows


def run(root, build_dir, rounds, only):
    ours, peers, registry_program, notes = build(root, build_dir)
    if registry_program is None:
        return [comparison.row("cli", "all", "s", None, None, PEER, True, "-", "no Go toolchain here for the registry")], {}
    rows, everything = [], {}
    with contextlib.ExitStack() as stack:
        home = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=build_dir)))
        for latency in LATENCIES_MS:
            registry = stack.enter_context(Registry(registry_program, latency))
            for images in IMAGES:
                name = f"{images}-{latency}ms"
                if only and name not in only:
                    continue
                runs = measure(ours, peers, registry, latency, images, min(rounds, 3), home)
                everything[name] = runs
                for peer in peers:
                    rows += rows_of(runs, peer, latency, images, notes)
        if not only or "scale" in only:
            registry = stack.enter_context(Registry(registry_program, 0))
            everything["scale"] = measure_scale(ours, build_dir / "bench/windlass_bare_libyaml", registry, rounds, home)
            rows += scale_rows(everything["scale"])
    return rows, everything
