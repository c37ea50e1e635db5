"""What single calls cost: the Google Benchmark programs of the modules, src/*/bench. They have no peer."""

import json
import os
import subprocess

PEER = "none"

# Set by bench/run --smoke; the tests run these programs for themselves.
SMOKE = False


def measured(program, rounds):
    out = subprocess.run([str(program), "--benchmark_format=json", f"--benchmark_repetitions={rounds}",
                          "--benchmark_report_aggregates_only=true"], check=True, capture_output=True, text=True)
    for result in json.loads(out.stdout)["benchmarks"]:
        if result["aggregate_name"] == "median":
            yield result


def row(result):
    return {"suite": "calls", "workload": result["run_name"], "unit": result["time_unit"], "ours": result["real_time"],
            "peer": None, "peer_name": PEER, "ratio": None, "aim": "-", "met": None}


def run(root, build_dir, rounds, only):
    if SMOKE:
        return [], {}
    names = [path.stem for path in sorted(root.glob("src/*/bench/*_bench.cc"))
             if only is None or path.stem.removesuffix("_bench") in only]
    targets = [f"windlass_{name}" for name in names]
    if targets:
        subprocess.run(["cmake", "--build", str(build_dir), "--target", *targets], check=True, stdout=subprocess.DEVNULL)
    programs = [program for target in targets for program in build_dir.glob(f"src/*/{target}") if os.access(program, os.X_OK)]
    results = {program.name: list(measured(program, rounds)) for program in programs}
    return [row(result) for some in results.values() for result in some], results
