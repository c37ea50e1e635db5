"""The controller beside virtual-kubelet's queue and controller-runtime's controller.

docs/benchmarks.md describes the workloads.
"""

import json
import os
import statistics
import subprocess

import comparison

PEERS = ("virtual-kubelet", "controller-runtime")
PEER = " and ".join(PEERS)

# Set by bench/run --smoke: a few keys, with what is built already, beside nothing.
SMOKE = False

BACKLOGS = (1_000, 10_000, 50_000)
# virtual-kubelet looks at every delayed key for each new one, so fewer runs are enough to see it.
RUNS = {"ready": 100_000, "delayed": 2_000}
AIM_OVER_QUEUE = "<= 250"


def programs(root, build_dir):
    """All commands by name, and why a peer is missing."""
    target = "windlass_controller_compare"
    commands, notes = {"ours": build_dir / "bench" / target}, set()
    for peer in () if SMOKE else PEERS:
        _, command, note = comparison.build(root, build_dir, target, peer.replace("-", "_"), peer,
                                            module="go_controller")
        if command:
            commands[peer] = command
        else:
            notes.add(note)
    return commands, "; ".join(sorted(notes))


def once(command, workload, backlog):
    size = ("100", "100") if SMOKE else (str(backlog), str(RUNS[workload]))
    out = subprocess.run([str(command), workload, *size], check=True, capture_output=True, text=True,
                         env=dict(os.environ, GOFLAGS=""))
    return json.loads(out.stdout)


def median(runs, field):
    return statistics.median(run[field] for run in runs)


def rows_of(workload, backlog, results, note):
    what = f"{backlog:,} keys {workload}"

    def row(label, field, peer, aim="-"):
        theirs = median(results[peer], field) if results.get(peer) else None
        return comparison.row("controller", label, "ns/key", median(results["ours"], field), theirs, peer, True, aim,
                              note)

    rows = [row(f"{what}: {peer}", "ns_per_key", peer) for peer in PEERS]
    return rows + [row(f"{what}: over the bare queue", "over_bare_ns", None, AIM_OVER_QUEUE)]


def run(root, build_dir, rounds, only):
    commands, note = programs(root, build_dir)
    rows, runs = [], {}
    for workload in RUNS:
        for backlog in BACKLOGS:
            name = f"{workload}-{backlog}"
            if only is not None and workload not in only and name not in only:
                continue
            results = {who: [] for who in commands}
            for _ in range(rounds):
                for who, command in commands.items():
                    results[who].append(once(command, workload, backlog))
            runs[name] = results
            rows += rows_of(workload, backlog, results, note)
    return rows, runs
