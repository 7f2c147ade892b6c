"""What a step of a product costs, as numbers that only go down: synchronising
instructions and LoadData for each Mmad, slots of the cube for each product, bytes that
come from and go to global memory. Of the 310P, copies into the unified buffer. Of attention: flags between the two cores, and what goes
through the workspace.

The same launch with four and with eight tiles of k, or of keys; the difference is the steady
state.
"""
import json
import os
import re
import subprocess
import sys

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/kernels")
BELAY = os.environ["BELAY"]
M, N, K = 128, 256, 256
# Kernel, elements, the arguments of a launch, most synchronising instructions for each Mmad.
KERNELS = (
    ("matmul", "matmul<half>", lambda k: [f"f16:{M}x{k}", f"f16:{k}x{N}", f"f16:{M}x{N}"], 5),
    ("matmul_batched", "matmul_batched<half, false, true>",
     lambda k: [f"f16:1x{M}x{k}", f"f16:1x{N}x{k}", f"f16:1x{M}x{N}"], 5),
    ("matmul_batched", "matmul_batched<half, true, false>",
     lambda k: [f"f16:1x{k}x{M}", f"f16:1x{k}x{N}", f"f16:1x{M}x{N}"], 5),
    ("matmul_batched", "matmul_batched<half, true, true>",
     lambda k: [f"f16:1x{k}x{M}", f"f16:1x{N}x{k}", f"f16:1x{M}x{N}"], 5),
)


def counts(file, kernel, arguments, soc, *scalars):
    command = [BELAY, "run", os.path.join(EXAMPLES, file + ".cpp"), "--kernel", kernel, "--soc", soc]
    command += ["--blocks", "1", "--counts", "--format", "json", *scalars]
    for argument in arguments[:-1]:
        command += ["--in", argument + "=ones"]
    done = subprocess.run(command + ["--out", arguments[-1]], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    while "counts" not in found:
        found = next(v for v in (found["cases"] if "cases" in found else found.values())
                     if isinstance(v, dict))
    return found["counts"]


def growth(few, many):
    """How many more of some counts there are."""

    def more(part, *names):
        group = lambda c: c.get(part, {})  # noqa: E731
        names = names or group(many).keys()
        return sum(group(many).get(n, 0) - group(few).get(n, 0) for n in names)

    return more


def check(file, kernel, arguments, most, soc):
    few, many = (counts(file, kernel, arguments(n * K), soc) for n in (4, 8))
    more = growth(few, many)
    products = more("cube", "Mmad")
    syncs, loads = more("synchronisation") / products, more("cube", "LoadData") / products
    read = more("bytes", "GM-L1") / (4 * K * (M + N) * 2)
    slots = many["cube"]["slots"] / many["cube"]["products"]
    written = many["bytes"]["L0C-GM"] / (M * N * 2)
    print(f"{kernel} on {soc}: {syncs:.2f} synchronising instructions and {loads:.2f} LoadData "
          f"for each Mmad, {slots:.3f} slots, {read:.3f} bytes read, {written:.3f} written")
    assert syncs <= most and loads <= 2 and slots == read == written == 1


def check_attention(soc):
    """Three channels: scores and weighted values to the vector core, weights to the cube core. What one
    side sets the other awaits, so that each has half of the instructions."""
    rows, keys, size = 64, 64, 128
    kernel = f"attention<{size}, {rows}, {keys}>"
    few, many = (counts("attention", kernel, [f"f16:{rows}x{size}", f"f16:{size}x{n * keys}", f"f16:{n * keys}x{size}",
                                              f"f16:{rows}x{size}"], soc, "--scalar", "f32=0.125") for n in (4, 8))
    more = growth(few, many)
    flags = more("synchronisation", "CrossCoreSetFlag", "CrossCoreWaitFlag") / 4 / 2
    # Scores are written and read as float, weights as half; weighted values beside them as float.
    through = (more("bytes", "L0C-GM", "GM-UB", "UB-GM") / 4 - 2 * 4 * rows * size) / (rows * keys) + 2
    done = subprocess.run([BELAY, "build", os.path.join(EXAMPLES, "attention.cpp"), "--kernel", kernel, "--soc", soc,
                           "--emit", "ascendc"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ids = set(re.findall(r"CrossCoreSetFlag<.*>\((\d+)\)", done.stdout))
    print(f"{kernel} on {soc}: {flags:g} cross-core instructions an iteration and side, {len(ids)} numbers of flags; "
          f"{through:g} bytes of workspace for each score")
    assert 0 < flags <= 3 and 0 < len(ids) <= 5 and through == 12


def check_one_core():
    """Rows go together, as many as the 32 KiB have that are on their way through the unified buffer."""
    few, many = (counts("matmul", "matmul<half>", KERNELS[0][2](n * K), "Ascend310P3") for n in (4, 8))
    more = growth(few, many)
    copies = more("instructions", "MTE2") / 4
    read = more("bytes", "GM-UB") / (4 * K * (M + N) * 2)
    print(f"matmul<half> on Ascend310P3: {copies:g} copies and {read:.3f} of the bytes for each tile of k")
    assert copies == K * (M + N) * 2 / 32768 and read == 1


def main(chosen):
    for soc in ("Ascend910B3", "Ascend950PR_9589"):
        for kernel in KERNELS:
            if not chosen or kernel[0] in chosen:
                check(*kernel, soc)
        if not chosen or "attention" in chosen:
            check_attention(soc)
    if not chosen or "matmul" in chosen:
        check_one_core()


if __name__ == "__main__":
    main(sys.argv[1:])
