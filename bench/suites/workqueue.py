"""The work queue beside client-go's. docs/benchmarks.md describes the workloads."""

import json
import os
import re
import shutil
import statistics
import subprocess

import comparison

PEER = "client-go"
PEERS = ["client-go", "controller-runtime"]

# Set by bench/run --smoke: a few keys, with what is built already, beside nothing.
SMOKE = False

# (workload, field, what it says, unit, smaller is better, aim)
ROWS = [
    ("1", "ns_per_item", "1 add, get, done; one thread", "ns/key", True, "<= 40"),
    ("1m", "ns_per_item", "1m the same, with metrics", "ns/key", True, ">= 5x"),
    ("1f", "ns_per_item", "1f fill, then drain; one thread", "ns/key", True, "<= 170"),
    ("1fm", "ns_per_item", "1fm the same, with metrics", "ns/key", True, ">= 5x"),
    ("2", "items_per_s", "2 four producers, four consumers", "keys/s", False, ">= 5x"),
    ("2m", "items_per_s", "2m the same, with metrics", "keys/s", False, ">= 5x"),
    ("2x1", "items_per_s", "2x1 one producer, one consumer", "keys/s", False, "-"),
    ("2x16", "items_per_s", "2x16 sixteen producers, sixteen consumers", "keys/s", False, ">= 5x"),
    ("3", "adds_per_s", "3 adds over 1,000 keys, consumers", "adds/s", False, ">= 4x"),
    ("3m", "adds_per_s", "3m the same, with metrics", "adds/s", False, ">= 4x"),
    ("3m", "deliveries", "3m keys handed out meanwhile", "keys", False, ">= 10000"),
    ("3b", "adds_per_s", "3b the same adds, no consumers", "adds/s", False, "-"),
    ("4", "wall_s", "4 delays in 0..2 s: all delivered", "s", True, "<= 2.25"),
    ("4", "late_p99_ms", "4 late, 99th percentile", "ms", True, "<= 5"),
    ("4", "late_p50_ms", "4 late, median", "ms", True, "-"),
    ("4", "late_after_p99_ms", "4 late, 99th percentile of what is due once all is added", "ms", True, "-"),
    ("4", "cpu_s", "4 CPU", "s", True, "<= 0.8"),
    ("4", "over_base_mb", "4 peak memory", "MB", True, "<= 110"),
    ("5", "when_first_ns", "5 limiter, first delay", "ns/key", True, ">= 5x"),
    ("5", "when_again_ns", "5 limiter, next delay", "ns/key", True, ">= 5x"),
    ("5", "numrequeues_ns", "5 limiter, num_requeues", "ns/key", True, "-"),
    ("5", "forget_ns", "5 limiter, forget", "ns/key", True, ">= 5x"),
    ("5", "rss_per_key", "5 limiter memory, key included", "B/key", True, "<= 66"),
    ("5", "rss_per_key_after_forget", "5 limiter memory after forget", "B/key", True, "<= 1"),
    ("6", "rss_per_key", "6 queued memory, key included", "B/key", True, "<= 82"),
    ("6", "rss_per_key_drained", "6 queued memory after draining", "B/key", True, "<= 1"),
    ("6d", "rss_per_key", "6d delayed memory, key included", "B/key", True, "<= 98"),
    ("6d", "ns_per_addafter", "6d add_after", "ns/key", True, "-"),
    ("6d", "rss_per_key_drained", "6d delayed memory after cancelling", "B/key", True, "<= 1"),
    ("1b", "ns_per_enqueue", "1b add behind 50,000 delays", "ns/key", True, "<= 100"),
    ("1b", "ns_behind_none", "1b add behind none", "ns/key", True, "-"),
]
COUNTS = {"1b": 50_000}

# What controller-runtime's priority queue runs, too.
PRIORITY_QUEUE = {"1m", "1fm", "2m", "3m", "4", "6", "6d", "1b"}

# Ours alone: how much a key costs more when there are a thousand times as many.
GROWTH = [("1", "ns_per_item", "grow 10k to 10M: one at a time"),
          ("1f", "ns_per_item", "grow 10k to 10M: fill and drain"),
          ("6d", "ns_per_addafter", "grow 10k to 10M: add_after")]

# Ours alone: instructions a key, with the making of the keys taken off.
INSTRUCTIONS = [("1", "1 add, get, done"), ("1m", "1m the same, with metrics"), ("1f", "1f fill, then drain"),
                ("3b", "3b ten merged adds"), ("5", "5 limiter: two delays, a look, forget"),
                ("6d", "6d add_after and cancel_delayed")]


def once(command, workload, count, *arguments):
    environment = dict(os.environ, GOFLAGS="")
    if not SMOKE:
        comparison.touch_memory()
    out = subprocess.run([str(command), workload, str(100 if SMOKE else count), *arguments], check=True,
                         capture_output=True, text=True, env=environment)
    return json.loads(out.stdout)


def median(runs, field):
    return statistics.median(run[field] for run in runs) if runs and field in runs[0] else None


def row(label, unit, ours, peer, smaller_is_better, aim, note, peer_name=PEER):
    return comparison.row("workqueue", label, unit, ours, peer, peer_name, smaller_is_better, aim, note)


def programs(root, build_dir):
    if SMOKE:
        return build_dir / "bench" / "windlass_workqueue_compare", None, "a smoke run has no peer"
    return comparison.build(root, build_dir, "windlass_workqueue_compare", "workqueue", "the peer")


def run(root, build_dir, rounds, only):
    ours, peer, note = programs(root, build_dir)
    runs = {}
    for workload in dict.fromkeys(r[0] for r in ROWS if only is None or r[0] in only):
        count = COUNTS.get(workload, 1_000_000)
        results = {"ours": [], **{name: [] for name in PEERS}}
        for _ in range(rounds):
            results["ours"].append(once(ours, workload, count))
            for name in PEERS if peer else []:
                if name == PEER or workload in PRIORITY_QUEUE:
                    results[name].append(once(peer, workload, count, name))
        runs[workload] = results
    rows = []
    for workload, field, label, unit, smaller, aim in ROWS:
        if workload in runs:
            results = runs[workload]
            mine = median(results["ours"], field)
            rows.append(row(label, unit, mine, median(results[PEER], field), smaller, aim, note))
            if results["controller-runtime"] and median(results["controller-runtime"], field) is not None:
                other = median(results["controller-runtime"], field)
                rows.append(row(label + " (controller-runtime)", unit, mine, other, smaller, "-", note,
                                "controller-runtime"))
    if only is None or "grow" in only:
        rows += grown(ours, rounds)
    if only is None or "instructions" in only:
        rows += counted(ours)
    return rows, runs


def grown(ours, rounds):
    note = "growth has no peer: ours at two sizes"
    for workload, field, label in GROWTH:
        few = statistics.median(once(ours, workload, 10_000)[field] for _ in range(rounds))
        many = statistics.median(once(ours, workload, 10_000_000)[field] for _ in range(min(rounds, 3)))
        yield row(label, "times", many / few, None, True, "<= 3", note)


def counted(ours):
    valgrind = shutil.which("valgrind")
    if SMOKE or not valgrind:
        return

    def instructions(workload, count):
        out = subprocess.run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", str(ours), workload,
                              str(count)], check=True, capture_output=True, text=True).stderr
        return int(re.search(r"Collected : (\d+)", out)[1])

    def per_key(workload):
        few, many = 20_000, 40_000
        return (instructions(workload, many) - instructions(workload, few)) / (many - few)

    keys = per_key("keys")
    for workload, label in INSTRUCTIONS:
        made = 0 if workload == "3b" else keys  # its thousand keys are made once
        yield row(label, "instructions/key", per_key(workload) - made, None, True, "-", "counted by callgrind")
