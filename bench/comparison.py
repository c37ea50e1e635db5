"""What the suites share: building both sides, and a row that tells how they compare."""

import mmap
import shutil
import subprocess

HUGE_PAGE = 2 << 20


def touch_memory(size=512 << 20):
    """Has the machine lay hands on memory that the next run will want. A virtual machine's free memory goes back to
    its host after some seconds, and taking it again costs twenty times as much as clearing it: whoever ran first after
    a pause would pay that."""
    memory = mmap.mmap(-1, size)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    for at in range(0, size, HUGE_PAGE):
        memory[at] = 1
    memory.close()


def build(root, build_dir, ours, peer, peer_name, others=(), module="go"):
    """The command of `ours`, and of the Go program `peer` in bench/peers/`module`, or None with the reason. `others`
    are further targets that the suite runs."""
    subprocess.run(["cmake", "--build", str(build_dir), "--target", ours, *others], check=True,
                   stdout=subprocess.DEVNULL)
    program = build_dir / "bench" / ours
    go = shutil.which("go")
    if not go:
        return program, None, f"no Go toolchain here, so {peer_name} did not run"
    peer_program = build_dir / "peers" / peer
    made = subprocess.run([go, "build", "-o", str(peer_program), f"./{peer}"], cwd=root / "bench" / "peers" / module,
                          capture_output=True, text=True, check=False)
    if made.returncode != 0:
        return program, None, f"{peer_name} did not build: " + made.stderr.strip().splitlines()[-1]
    return program, peer_program, ""


def row(suite, label, unit, ours, peer, peer_name, smaller_is_better, aim="-", note=""):
    """`aim` is a bound on ours ("<= 40") or on the ratio (">= 5x"). A ratio above 1 means that ours is better."""
    ratio = (peer / ours if smaller_is_better else ours / peer) if ours and peer else None
    met = None
    if aim != "-":
        relation, bound = aim.split()
        if bound.endswith("x"):
            met = None if ratio is None else ratio >= float(bound[:-1])
        else:
            met = ours <= float(bound) if relation == "<=" else ours >= float(bound)
    made = {"suite": suite, "workload": label, "unit": unit, "ours": ours, "peer": peer, "peer_name": peer_name,
            "ratio": ratio, "aim": aim, "met": met}
    if note:
        made["note"] = note
    return made
