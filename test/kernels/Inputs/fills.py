"""Runs the kernels of fills.cpp on three architectures, and compares with NumPy.

    fills.py FILLS.cpp
"""
import subprocess
import sys

import numpy as np

SOURCE = sys.argv[1]
SOCS = ["Ascend910B3", "Ascend310P3", "Ascend950PR_9599"]
DTYPES = {"i8": np.int8, "i16": np.int16, "i64": np.int64}
LINES = open(SOURCE).read().splitlines()
problems = []


def at(text):
    """Where the source has that text, as messages say it."""
    number, = [n for n, line in enumerate(LINES, 1) if text in line]
    return f"fills.cpp:{number}:"


def run(soc, kernel, ins, outs, scalars=()):
    arguments = []
    for number, x in enumerate(ins):
        np.save(f"in{number}.npy", x)
        arguments += ["--in", f"in{number}.npy"]
    for number, (name, shape) in enumerate(outs):
        arguments += ["--out", f"{name}:{shape}=out{number}.npy"]
    for scalar in scalars:
        arguments += ["--scalar", scalar]
    done = subprocess.run(["belay", "run", SOURCE, "--kernel", kernel, "--soc", soc, "--deny", "--check",
                           "--blocks", "2", *arguments], capture_output=True, text=True)
    return done, [np.load(f"out{n}.npy") for n in range(len(outs))] if done.returncode == 0 else None


def expect(soc, kernel, wanted, outs, ins=(), scalars=()):
    done, got = run(soc, kernel, ins, outs, scalars)
    if got is None:
        problems.append(f"{soc} {kernel}: {done.stdout}{done.stderr}")
    elif any(not np.array_equal(g, w) for g, w in zip(got, wanted)):
        problems.append(f"{soc} {kernel}: {got} is not {wanted}")


def refuse(soc, kernel, text, outs, ins=(), scalars=()):
    done, _ = run(soc, kernel, ins, outs, scalars)
    if done.returncode != 3 or text not in done.stderr:
        problems.append(f"{soc} {kernel}: not refused with '{text}': {done.returncode} {done.stderr}")


random = np.random.default_rng(1)
for soc in SOCS:
    registers = soc.startswith("Ascend950")
    wide = soc != "Ascend310P3"  # it has no conversion to i64
    for name, dtype in DTYPES.items():
        x = np.arange(-30, 31).astype(dtype)
        pad = lambda value: [np.concatenate([x, np.full(39, value, dtype)])]
        ids = np.array([3, 70, -1, 0, 60, 61, 9], np.int32)
        found = np.array([x[i] if 0 <= i < 61 else 0 for i in ids], dtype)
        table = random.integers(-100, 100, (20, 40)).astype(dtype)
        rows = np.array([table[i] if 0 <= i < 20 else np.zeros(40, dtype) for i in ids], dtype)
        expect(soc, f"gathered<{name}>", [found], [(name, 7)], [x, ids])
        expect(soc, f"gathered_rows<{name}>", [rows], [(name, "7x40")], [table, ids])
        expect(soc, f"padded_with_zeros<{name}>", pad(0), [(name, 100)], [x])
        if name != "i64":
            expect(soc, f"padded<{name}>", pad(3), [(name, 100)], [x], [f"{name}=3"])
        else:
            refuse(soc, f"padded<{name}>", at("T(3)"), [(name, 100)], [x], [f"{name}=3"])
        if name == "i64" and not wide:
            for kernel, text in ("put", "T(7)"), ("filled", "T(-3)"), ("counted", "T(5)"):
                refuse(soc, f"{kernel}<{name}>", at(text), [(name, 64)])
        else:
            expect(soc, f"put<{name}>", [np.full(20, 7, dtype)], [(name, 20)])
            expect(soc, f"filled<{name}>", [np.full(1000, -3, dtype)], [(name, 1000)])
            expect(soc, f"counted<{name}>", [np.arange(5, 69).astype(dtype)], [(name, 64)])
        if name == "i16" or registers:
            expect(soc, f"counted_from<{name}>", [np.arange(9, 73).astype(dtype)], [(name, 64)], [], [f"{name}=9"])
        else:
            refuse(soc, f"counted_from<{name}>", at("T>(start)"), [(name, 64)], [], [f"{name}=9"])
        if name != "i64" or registers:
            expect(soc, f"filled_with<{name}>", [np.full(64, -9, dtype)], [(name, 64)], [], [f"{name}=-9"])
        else:
            refuse(soc, f"filled_with<{name}>", at("T>(value)"), [(name, 64)], [], [f"{name}=-9"])
    x = random.integers(-128, 128, (20, 33)).astype(np.int8)
    b = random.integers(-128, 128, 20).astype(np.int8)
    expect(soc, "both", [x & b[:, None]], [("i8", "20x33")], [x, b])
    x = random.integers(-128, 128, (20, 40)).astype(np.int8)
    expect(soc, "extremes", [x.min(1), x.max(1)], [("i8", 20), ("i8", 20)], [x])
    s, t = random.integers(-128, 128, (2, 700)).astype(np.int8)
    expect(soc, "chosen", [np.maximum(s, t), np.minimum(np.maximum(s, t), 50)], [("i8", 700), ("i8", 700)], [s, t])

print("\n".join(problems))
sys.exit(bool(problems))
