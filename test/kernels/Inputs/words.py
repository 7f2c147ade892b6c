"""Runs the kernels of words.cpp on three architectures, and compares with NumPy.

    words.py WORDS.cpp
"""
import subprocess
import sys

import numpy as np

SOURCE = sys.argv[1]
RNG = np.random.default_rng(3)
problems = 0


def run(soc, kernel, x, outs):
    np.save("x.npy", x)
    arguments = [part for number, out in enumerate(outs) for part in ("--out", f"{out}=out{number}.npy")]
    done = subprocess.run(["belay", "run", SOURCE, "--kernel", kernel, "--soc", soc, "--deny", "--check",
                           "--auto-sync", "off", "--optimise", "off", "--blocks", "2", "--in", "x.npy", *arguments],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{soc} {kernel} {x.shape}: {done.stdout}{done.stderr}")
    return [np.load(f"out{number}.npy") for number in range(len(outs))]


def expect(holds, what):
    global problems
    if not holds:
        print(f"wrong: {what}")
        problems += 1


for soc in ("Ascend910B3", "Ascend310P3", "Ascend950PR_9599"):
    # Tails, no row, one row; rows that are not transposed because there are too few.
    for rows, cols, n in ((16, 32, 37), (48, 16, 1), (16, 32, 0), (8, 16, 9)):
        x = RNG.standard_normal((n, cols), dtype=np.float32)
        sums, most, product = run(soc, f"scans<{rows}, {cols}>", x, [f"f32:{n}x{cols}"] * 3)
        good = (np.allclose(sums, np.cumsum(x, 1), atol=1e-4) and
                np.array_equal(most, np.maximum.accumulate(x, 1)) and
                np.allclose(product, np.cumprod(x, 1), rtol=1e-4))
        expect(good, f"{soc} scans<{rows}, {cols}> of {n}")
    for rows, cols, height, width in ((32, 48, 50, 33), (16, 16, 7, 100), (24, 16, 20, 20)):
        x = RNG.standard_normal((height, width), dtype=np.float32)
        turned, = run(soc, f"turned<{rows}, {cols}>", x, [f"f32:{width}x{height}"])
        expect(np.array_equal(turned, x.T), f"{soc} turned<{rows}, {cols}> of {x.shape}")
    # Folded block by block: one step, two, three; and in several parts.
    for cols, rows, n in ((512, 8, 19), (1024, 8, 20), (256, 4, 3), (4096, 4, 5), (1536, 12, 25)):
        x = RNG.integers(-50, 50, (n, cols)).astype(np.float32)
        most, largest, sums = run(soc, f"places<{cols}, {rows}>", x, [f"i32:{n}", f"f32:{n}", f"f32:{n}"])
        good = (np.array_equal(most, x.argmax(1)) and np.array_equal(largest, x.max(1)) and
                np.array_equal(sums, x.sum(1)))
        expect(good, f"{soc} places<{cols}, {rows}> of {n}")
sys.exit(1 if problems else 0)
