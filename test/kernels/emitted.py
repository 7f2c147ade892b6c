"""How cases of kernels are written, and run by the host twin and as emitted AscendC; what
test_emitted.py and emitted_operations.py share."""
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples" / "kernels"
sys.path.insert(0, str(HERE.parent / "model"))
sys.path.insert(0, str(HERE))
from harness import BF16, SOC_OF_ARCH, Batch, In, InOut, Scalar, belay, from_bf16, to_bf16  # noqa: E402
from twins import launch as launch_twin  # noqa: E402

ARCHS = (2201, 3510, 2002)
# Cores and elements, or rows: none, one, tails, idle cores, more work than cores.
SIZES = ((1, 0), (8, 1), (2, 63), (3, 8192), (2, 8193), (1, 20001), (8, 40003))
ROWS = ((1, 0), (8, 1), (2, 3), (3, 12), (2, 8), (1, 33), (8, 65))
PLANES = ((1, 0, 3), (2, 1, 1), (3, 2, 5), (8, 3, 4), (2, 7, 4), (1, 5, 2))


class View:
    """An argument in memory. `open` are the dimensions whose extents the launch gives;
    `want` is what the kernel has to leave there, None for what it only reads."""

    def __init__(self, data, want=None, open=(0,), scratch=False):
        self.data = data if isinstance(data, BF16) else np.ascontiguousarray(data)
        self.want, self.open = want, open
        self.scratch = scratch


def out(want, open=(0,)):
    """A view that the kernel writes; what was there before is of no use."""
    want = np.asanyarray(want)
    return View(np.full_like(want, 7), want, open)


def number(value):
    return np.float32(value)


KERNELS = []


def kernel(file, instance, twin, rtol=1e-5, atol=1e-6, archs=ARCHS):
    """Registers a function that yields cores and the kernel's arguments, in order."""

    def register(cases):
        KERNELS.append((file, instance, twin, cases, rtol, atol, archs))
        return cases

    return register


def normal(seed, *shape, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def tensor(x):
    return torch.from_numpy(x.astype(np.float32))


# Cores, rows, columns, k: nothing in each direction, one, odd, whole fractals, more than
# one tile in every direction, more cores than tiles. Tiles are 32 x 48, steps of k 64.
PRODUCTS = ((1, 0, 5, 7), (1, 5, 0, 7), (2, 3, 5, 0), (1, 1, 1, 1), (2, 1, 70, 33), (2, 33, 1, 65),
            (3, 17, 31, 63), (1, 32, 48, 64), (2, 64, 96, 128), (8, 70, 101, 150), (3, 100, 50, 257))


def factors(dtype, seed, *shape):
    """Random numbers of a type, and the same as doubles."""
    x = normal(seed, *shape)
    if dtype is BF16:
        x = to_bf16(x)
        return x, from_bf16(x).astype(np.float64)
    if dtype is np.int8:
        x = np.random.default_rng(seed).integers(-128, 128, shape)
    return x.astype(dtype), x.astype(dtype).astype(np.float64)


def rounded(product, dtype):
    return to_bf16(product) if dtype is BF16 else product.astype(dtype)


OPERATIONS = []


def operation(rtol=0, atol=0, file="operations", archs=ARCHS):
    """Registers a kernel of Inputs, as above."""

    def register(cases):
        OPERATIONS.append((cases.__name__, cases, rtol, atol, file, archs))
        return cases

    return register


def build(source, instance, arch, folder):
    """The AscendC of one kernel, and its entry point."""
    result = folder / f"{source.stem}-{arch}-{len(list(folder.iterdir()))}.cpp"
    command = [os.environ.get("BELAY_COMPILER") or belay(), "build", source]
    command += ["--emit", "ascendc", "--soc", SOC_OF_ARCH[arch], "-o", result]
    if "<" in instance:
        command += ["--kernel", instance]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    symbols = re.findall(r"__global__ __aicore__ void (\w+)\(", result.read_text())
    name, _, values = instance.partition("<")
    fits = [s for s in symbols if s == name or (values and s.startswith(name + "_"))]
    return result, fits[0] if fits else None


def arguments(case):
    """As the emitted kernel takes them: views, open extents, scalars."""
    views = [a for a in case if isinstance(a, View)]
    result = [In(v.data) if v.want is None and not v.scratch else InOut(v.data) for v in views]
    result += [Scalar("i64", v.data.shape[d]) for v in views for d in v.open]
    return result + [Scalar("i64" if isinstance(a, np.int64) else "f32", a)
                     for a in case if not isinstance(a, View)]


def floats(values):
    """As they are compared."""
    values = np.asanyarray(values)
    return from_bf16(values) if isinstance(values, BF16) else values.astype(np.float64)


def compare(got, case, rtol, atol, who):
    wanted = [v.want for v in case if isinstance(v, View) and (v.want is not None or v.scratch)]
    for result, want in zip(got, wanted, strict=True):
        if want is not None:
            np.testing.assert_allclose(floats(result), floats(want), rtol, atol, err_msg=who)


def run_twin(twin, cases, rtol, atol):
    for cores, case in cases:
        values = [a.data.copy() if isinstance(a, View) else float(a) for a in case]
        assert launch_twin(twin, cores, *values), f"the twin of {twin} found a violation"
        got = [v for v, a in zip(values, case) if isinstance(a, View) and (a.want is not None or a.scratch)]
        compare(got, case, rtol, atol, "twin")


def run_emitted(source, instance, cases, rtol, atol, arch, folder):
    emitted, symbol = build(source, instance, arch, folder)
    batch = Batch()
    launches = [
        batch.add(emitted, kernel=symbol, blocks=cores, args=arguments(case), soc=arch,
                  sanitize=True, auto_sync=False)
        for cores, case in cases
    ]
    batch.run()
    for launch, (cores, case) in zip(launches, cases):
        compare(launch.results(), case, rtol, atol, f"{instance or source.stem} on {arch}")
