"""Gathers from tiles against NumPy on every architecture, in the simulator with its sanitizer:
each policy, with indices that name nothing, one row, one column, none, tails of all kinds."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "model"))
from harness import SOC_OF_ARCH, belay  # noqa: E402

SOURCE = HERE / "Inputs" / "takes.cpp"
TYPES = {"float": ("f32", np.float32), "half": ("f16", np.float16), "i32": ("i32", np.int32), "i16": ("i16", np.int16)}
POLICIES = ("trap", "clamp", "zero", "wrap")
# Rows, columns, indices of a row.
SHAPES = ((0, 5, 3), (1, 1, 1), (1, 40, 12), (3, 7, 5), (17, 33, 12), (9, 40, 1), (5, 1, 12), (4, 6, 0))
# Far away: where 32 bits end, and next to multiples of the number of columns.
FAR = np.array([-1, -2**31, 2**31 - 1, 2**30, -2**30 + 7, 2**24 + 1, -(2**24) - 1, 123456789, -987654321])


def values(dtype, *shape):
    return np.random.default_rng(1).integers(-100, 100, shape).astype(dtype)


def indices(cols, shape, beyond):
    """Columns, some of them twice; with `beyond`, half of them others."""
    draw = np.random.default_rng(sum(shape) + cols)
    ids = draw.integers(0, max(cols, 1), shape)
    if beyond:
        near = draw.integers(-3 * cols - 2, 4 * cols + 2, shape)
        far = draw.choice(np.concatenate([FAR, *(FAR // max(cols, 1) * max(cols, 1) + d for d in (-1, 0, 1))]), shape)
        kind = draw.integers(0, 4, shape)
        ids = np.where(kind == 2, near, np.where(kind == 3, far, ids))
    return ids.clip(-2**31, 2**31 - 1).astype(np.int32)


def taken(x, ids, policy):
    """Of the rows of x, or of its only one."""
    x = np.broadcast_to(x, (ids.shape[0], x.shape[1]))
    wide, cols = ids.astype(np.int64), x.shape[1]
    bad = (wide < 0) | (wide >= cols)
    assert policy != "trap" or not bad.any()
    if not cols:
        return np.zeros(ids.shape, x.dtype)
    found = np.take_along_axis(x, wide % cols if policy == "wrap" else wide.clip(0, cols - 1), 1)
    return np.where(bad, np.zeros_like(found), found) if policy == "zero" else found


def launch(soc, kernel, kind, x, ids, shape, folder):
    np.save(f"{folder}/x.npy", x)
    np.save(f"{folder}/ids.npy", ids)
    text = ["x".join(map(str, s)) for s in (x.shape, ids.shape, shape)]
    return subprocess.run(
        [belay(), "run", str(SOURCE), "--kernel", kernel, "--deny", "--check", "--soc", soc, "--blocks", "3",
         "--in", f"{kind}:{text[0]}={folder}/x.npy", "--in", f"i32:{text[1]}={folder}/ids.npy",
         "--out", f"{kind}:{text[2]}={folder}/y.npy"],
        text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def run(soc, kernel, kind, x, ids, policy):
    want = taken(x if x.ndim == 2 else x[None], ids, policy)
    with tempfile.TemporaryDirectory() as folder:
        done = launch(soc, kernel, kind, x, ids, want.shape, folder)
        assert done.returncode == 0, (kernel, x.shape, ids.shape, done.stdout)
        np.testing.assert_array_equal(np.load(f"{folder}/y.npy").reshape(want.shape), want, err_msg=kernel)


def stops(soc, kernel, kind, x, ids):
    with tempfile.TemporaryDirectory() as folder:
        done = launch(soc, kernel, kind, x, ids, ids.shape, folder)
        assert done.returncode == 1 and "guard-failed" in done.stdout, (kernel, ids, done.stdout)
        assert "0 <= index && index < columns" in done.stdout, done.stdout


def policies(soc, name):
    kind, dtype = TYPES[name]
    for policy in POLICIES:
        beyond = policy != "trap"
        for rows, cols, k in SHAPES:
            x, ids = values(dtype, rows, cols), indices(cols, (rows, k), beyond)
            run(soc, f"along<{name}, Oob::{policy}, 8, 40, 12>", kind, x, ids, policy)
            if k <= 1:
                run(soc, f"along<{name}, Oob::{policy}, 8, 40, 1>", kind, x, ids, policy)
            run(soc, f"of_row<{name}, Oob::{policy}, 4, 40, 5>", kind, values(dtype, cols), ids, policy)
        for r, c, k in ((4, 40, 16), (16, 24, 1), (1, 9, 7)):
            x, ids = values(dtype, 19, c), indices(c, (19, k), beyond)
            run(soc, f"along_all<{name}, Oob::{policy}, {r}, {c}, {k}>", kind, x, ids, policy)
        # One row of indices, and rows of whole blocks.
        for r, k in ((1, 100), (8, 16)):
            x, ids = values(dtype, 33), indices(33, (21, 130), beyond)
            run(soc, f"of_row<{name}, Oob::{policy}, {r}, 33, {k}>", kind, x, ids, policy)


def test(soc):
    policies(soc, "float")
    policies(soc, "half")
    for name in ("i32", "i16"):
        kind, dtype = TYPES[name]
        x, ids = values(dtype, 17, 33), indices(33, (17, 12), True)
        for policy in POLICIES[1:]:
            run(soc, f"along<{name}, Oob::{policy}, 8, 40, 12>", kind, x, ids, policy)
    # No columns at all.
    x, ids = values(np.float32, 5, 0), indices(0, (5, 3), True)
    ids[0] = (0, -1, 1)
    run(soc, "along<float, Oob::zero, 8, 40, 12>", "f32", x, ids, "zero")
    run(soc, "along<float, Oob::trap, 8, 40, 12>", "f32", x, ids[:, :0], "trap")
    stops(soc, "along<float, Oob::trap, 8, 40, 12>", "f32", x, ids)
    for bad in (-1, 33, -2**31, 2**31 - 1):
        x, ids = values(np.float32, 17, 33), indices(33, (17, 12), False)
        ids[16, 11] = bad
        stops(soc, "along<float, Oob::trap, 8, 40, 12>", "f32", x, ids)
        stops(soc, "along<float, Oob::trap, 8, 40, 1>", "f32", x, ids[:, 11:])
        stops(soc, "of_row<float, Oob::trap, 4, 40, 5>", "f32", x[0], ids)


if __name__ == "__main__":
    for arch, soc in SOC_OF_ARCH.items():
        test(soc)
        print(f"{arch}: right", flush=True)
