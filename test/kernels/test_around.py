"""Windows that reach beyond their view, and views of views, against NumPy on every architecture,
in the simulator with its sanitizer."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "model"))
from harness import SOC_OF_ARCH, belay  # noqa: E402

SOURCE = HERE / "Inputs" / "around.cpp"
TYPES = {"half": ("f16", np.float16), "float": ("f32", np.float32), "i8": ("i8", np.int8), "i16": ("i16", np.int16),
         "i32": ("i32", np.int32), "i64": ("i64", np.int64)}
# Of x, of y, the place: around, far outside on each side, aside, one element, none, as it is.
PLACES = (((5, 7), (5, 7), -1, -1), ((20, 50), (33, 90), -3, -9), ((20, 50), (33, 90), 5, 13),
          ((3, 3), (20, 60), -100, 0), ((3, 3), (20, 60), 100, 0), ((3, 3), (20, 60), 0, -100), ((3, 3), (20, 60), 0, 100),
          ((1, 1), (1, 1), 0, 0), ((9, 100), (17, 41), 0, -37), ((0, 5), (4, 4), 0, 0), ((4, 0), (4, 4), 1, 1),
          ((5, 5), (0, 4), 0, 0), ((16, 40), (16, 40), 0, 0))
SHIFTS = ((50, 200, -20), (300, 301, -1), (1, 250, -100), (64, 64, 17), (0, 5, 0), (100, 90, 3))


# Rows that begin whole blocks apart or not, next to each other or not, as far apart as a field of a copy says
# and one block farther; and more rows than one copy has. Tiles, and rows and columns of a view.
APART = (("half, 3, 32", (7, 32)), ("half, 3, 32", (7, 80)), ("half, 3, 32", (7, 72)), ("half, 16, 100", (33, 208)),
         ("half, 16, 100", (33, 200)), ("float, 5, 8", (9, 24)), ("float, 5, 8", (9, 25)), ("half, 1, 48", (3, 96)),
         ("half, 2, 16384", (3, 65535 * 16 + 16384)), ("half, 2, 16384", (3, 65536 * 16 + 16384)), ("float, 5000, 8", (5003, 8)), ("float, 5000, 8", (4099, 16)))


def values(dtype, *shape):
    return (np.random.default_rng(1).integers(-100, 100, shape)).astype(dtype)


def shifted(x, shape, a, b, outside):
    y = np.full(shape, outside, x.dtype)
    rows, cols = (np.arange(n) + by for n, by in zip(shape, (a, b)))
    r, c = ((at >= 0) & (at < n) for at, n in zip((rows, cols), x.shape))
    y[np.ix_(r, c)] = x[np.ix_(rows[r], cols[c])]
    return y


def run(soc, kernel, kind, x, want, *scalars):
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/x.npy", x)
        shape = "x".join(map(str, want.shape))
        command = [belay(), "run", str(SOURCE), "--kernel", kernel, "--deny", "--check", "--soc", soc, "--blocks", "3",
                   "--in", f"{kind}:{'x'.join(map(str, x.shape))}={folder}/x.npy", "--out", f"{kind}:{shape}={folder}/y.npy"]
        for scalar in scalars:
            command += ["--scalar", f"i64={scalar}"]
        done = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout
        np.testing.assert_array_equal(np.load(f"{folder}/y.npy").reshape(want.shape), want)


def test(soc):
    for name, (kind, dtype) in TYPES.items():
        for of_x, of_y, a, b in PLACES:
            x = values(dtype, *of_x)
            run(soc, f"shifted<{name}>", kind, x, shifted(x, of_y, a, b, 0), a, b)
        # Rows of tiles that are no whole blocks.
        for tile in ("1, 3", "1, 40", "3, 5", "5, 1"):
            for of_x, of_y, a, b in PLACES[:2]:
                x = values(dtype, *of_x)
                run(soc, f"shifted<{name}, {tile}>", kind, x, shifted(x, of_y, a, b, 0), a, b)
        for n, m, b in SHIFTS if name != "i64" else ():  # which is padded with 0 only
            x = values(dtype, n)
            run(soc, f"shifted_line<{name}>", kind, x, shifted(x[None], (1, m), 0, b, -7)[0], b)
    for instance, shape in APART:
        kind, dtype = TYPES[instance.split(",")[0]]
        x = values(dtype, *shape)
        run(soc, f"copied<{instance}>", kind, x, x)
    for n, m, a in SHIFTS:
        x = values(np.float32, n, 1)
        run(soc, "shifted_column", "f32", x, shifted(x, (m, 1), a, 0, 7) * 2, a)
    for of_x, of_y, b in (((5, 7), (5, 7), -1), ((20, 50), (20, 90), -9), ((3, 1), (3, 50), 0)):
        x = values(np.float32, *of_x)
        run(soc, "every_third", "f32", x, shifted(x[:, ::3], of_y, 0, b, 7), b)
    for shape in ((2, 3, 30, 5), (17, 1, 1, 2), (3, 0, 4, 5), (1, 1, 1, 1)):
        x = values(np.float32, *shape)
        run(soc, "permuted_planes", "f32", x, x.transpose(1, 3, 0, 2).copy())
    for name, step in (("half", 2), ("float", 3), ("float", 4)):
        kind, dtype = TYPES[name]
        for shape in ((1, 1), (9, 131), (3, 2), (0, 5), (2, 0)):
            x = values(dtype, *shape)
            run(soc, f"by_phases<{name}, {step}>", kind, x, x)
            run(soc, f"rows_by_phases<{name}, {step}>", kind, x, x)


if __name__ == "__main__":
    for arch, soc in SOC_OF_ARCH.items():
        test(soc)
        print(f"{arch}: right", flush=True)
