"""Orders kernels from each step of the ladder on.

  ladder.py SOC KERNEL.mlir...

With no runs of the kernel, flags and barriers are only what the proof of order asks for; from
the last step on, all pipes wait before each instruction. Whatever the step, ascend-verify-sync
has to accept the result, and each step above the first has to say why in a remark.
"""
import re
import subprocess
import sys

TO_PLAN = "ascend-lower-tiles,canonicalize,cse,ascend-schedule,ascend-plan-memory"
COST = re.compile(r"remark: ordered by (\d+) flags, (\d+) barriers and (\d+) barriers for all "
                  r"pipes; rung (\d), (\d+) proofs")
REASON = re.compile(r"remark: .*, or else |remark: no flags order this kernel")


def order(soc, kernel, options):
    with_soc = ",".join(f"{name}{{soc={soc}}}" if name.startswith("ascend-") else name
                        for name in TO_PLAN.split(","))
    passes = f"{with_soc},ascend-insert-sync{{soc={soc} show-cost=1 {options}}}"
    done = subprocess.run(
        ["belay-opt", kernel, "-o", "/dev/null", "--mlir-print-op-on-diagnostic=false",
         f"--pass-pipeline=builtin.module(func.func({passes},ascend-expand-instructions{{soc={soc}}},"
         f"ascend-verify-sync{{soc={soc}}}))"],
        capture_output=True, text=True)
    assert done.returncode == 0, f"{kernel} with {options}:\n{done.stderr}"
    costs = [[int(n) for n in cost] for cost in COST.findall(done.stderr)]
    assert costs, done.stderr
    for cost in costs:
        assert cost[3] == 0 or REASON.search(done.stderr), f"{kernel} with {options}: no reason"
    return costs


def main():
    soc, *kernels = sys.argv[1:]
    for kernel in kernels:
        for flags, _, full, rung, proofs in order(soc, kernel, ""):
            assert (rung, proofs) == (0, 1), f"{kernel}: rung {rung}"
        for options in ("runs=0", "runs=1", "runs=0 first-rung=2"):
            order(soc, kernel, options)
        for flags, barriers, full, rung, _ in order(soc, kernel, "runs=0 first-rung=3"):
            assert (flags, barriers, rung) == (0, 0, 3) and full > 0, kernel
        for flags, barriers, full, rung, proofs in order(soc, kernel, "first-rung=4"):
            assert (flags, barriers, rung, proofs) == (0, 0, 4, 1), kernel
    print("good")


if __name__ == "__main__":
    main()
