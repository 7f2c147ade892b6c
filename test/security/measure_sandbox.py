#!/usr/bin/python3
"""What the sandbox costs: each way to run the same thing, alternating.

    measure_sandbox.py BELAY [ROUNDS]

By hand; figures are in docs/decisions/0016-sandbox.md. Prints medians in milliseconds and
ratios to the first of each group.
"""
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BELAY = pathlib.Path(sys.argv[1]).resolve()
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 30
LIBEXEC = BELAY.parent.parent / "libexec/belay"
MILLION = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {
  TPipe p; TBuf<TPosition::VECCALC> b; p.InitBuffer(b, 1024); LocalTensor<float> l = b.Get<float>();
  for (int i = 0; i < 500000; ++i) { Adds(l, l, 1.0f, 64); PipeBarrier<PIPE_V>(); } }
"""


def compare(title, ways, rounds):
    times = {name: [] for name in ways}
    for _ in range(rounds):
        for name, command in ways.items():
            begin = time.perf_counter()
            subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            times[name].append((time.perf_counter() - begin) * 1e3)
    print(title)
    first = None
    for name, each in times.items():
        median = statistics.median(each)
        first = first or median
        print(f"  {name:28} {median:8.1f} ms  least {min(each):7.1f}  ratio {median / first:.2f}")


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    reads = [word for path in ("/usr/lib", "/usr/lib64", "/usr/bin", "/etc/ld.so.cache", folder) for word in ("--read", path)]
    ways = {"/usr/bin/true": ["/usr/bin/true"],
            "in belay-sandbox": [LIBEXEC / "belay-sandbox", *reads, "--", "/usr/bin/true"]}
    if shutil.which("bwrap"):
        binds = [word for path in ("/usr/lib", "/usr/lib64", "/usr/bin", "/etc/ld.so.cache") for word in ("--ro-bind", path, path)]
        ways["in bwrap"] = ["bwrap", "--unshare-all", "--die-with-parent", *binds, "--symlink", "usr/lib", "/lib",
                            "--symlink", "usr/lib64", "/lib64", "/usr/bin/true"]
    compare("starting and ending a program", ways, 2 * ROUNDS)
    (folder / "million.cpp").write_text(MILLION)
    add = BELAY.parent.parent / "share/belay/examples/ascendc/add/cases.json"
    million = ["run", folder / "million.cpp", "--kernel", "k", "--in", "f32:8=ones", "--out", "f32:8"]
    for title, run, rounds in (("examples/ascendc/add, eight cores", ["run", add, "--case", "eight cores"], ROUNDS),
                               ("a million instructions", million, max(5, ROUNDS // 4))):
        ways = {"plain": [BELAY, *run], "sealed, no sandbox": [BELAY, *run, "--sealed", "--no-sandbox"],
                "sealed": [BELAY, *run, "--sealed"]}
        for command in ways.values():
            subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)  # compiles
        compare(title, ways, rounds)
    shutil.rmtree(folder)


main()
