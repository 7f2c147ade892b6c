"""examples/kernels by four readers: PyTorch says what has to come out, the host twin
computes it, and `belay run --check` executes the AscendC that `belay build` makes for
each architecture, without the compiler's own synchronisation.

By hand: test/kernels/test_emitted.py LIBRARY_OF_TWINS [KERNEL...]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import torch
from torch.nn import functional as F

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples" / "kernels"
sys.path.insert(0, str(HERE.parent / "model"))
sys.path.insert(0, str(HERE))
from harness import BF16, SOC_OF_ARCH, Batch, In, InOut, Scalar, belay, from_bf16, to_bf16  # noqa: E402
from test_mixed import KERNELS as OF_BOTH_CORES  # noqa: E402
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


# --- element by element ----------------------------------------------------------


def sums(dtype):
    for cores, n in SIZES:
        x, y = (normal(1, n) * 100).astype(dtype), (normal(2, n) * 100).astype(dtype)
        yield cores, [View(x), View(y), out((torch.from_numpy(x) + torch.from_numpy(y)).numpy())]


kernel("vec_add", "vec_add<float, 64>", "vec_add_f32", 0, 0)(lambda: sums(np.float32))
kernel("vec_add", "vec_add<half>", "vec_add_f16", 0, 0)(lambda: sums(np.float16))
kernel("vec_add", "vec_add<i32>", "vec_add_i32", 0, 0)(lambda: sums(np.int32))


@kernel("axpy", "", "axpy")
def axpy():
    for cores, n in SIZES:
        x, y = normal(1, n), normal(2, n)
        yield cores, [number(2.5), View(x), View(y, tensor(x) * 2.5 + tensor(y))]


def elementwise(reference, *scalars, dtype=np.float32):
    for cores, n in SIZES:
        x = normal(3, n, dtype=dtype)
        want = reference(tensor(x)).numpy().astype(dtype)
        yield cores, [View(x), out(want), *scalars]


kernel("relu", "relu_of<float>", "relu", 0, 0)(lambda: elementwise(torch.relu))
kernel("gelu", "gelu", "gelu", 1e-5, 2e-6)(lambda: elementwise(F.gelu))
kernel("gelu", "gelu_tanh", "gelu_tanh", 2e-3, 1e-3)(
    lambda: elementwise(
        lambda t: 0.5 * t * (1 + torch.tanh(0.79788456 * (t + 0.044715 * t**3))), dtype=np.float16
    )
)
kernel("swish", "", "swish")(
    lambda: elementwise(lambda t: t * torch.sigmoid(1.5 * t), number(1.5))
)


@kernel("adam", "", "adam", 1e-4, 1e-5)
def adam():
    rate, b1, b2, eps, c1, c2 = 1e-2, 0.9, 0.99, 1e-6, 2.0, 3.0
    for cores, n in SIZES:
        p, g, m, v = normal(10, n), normal(11, n), normal(12, n), np.abs(normal(13, n))
        m1 = tensor(m) * b1 + tensor(g) * (1 - b1)
        v1 = tensor(v) * b2 + tensor(g) * tensor(g) * (1 - b2)
        p1 = tensor(p) - m1 * (rate * c1) / (torch.sqrt(v1 * c2) + eps)
        yield cores, [View(p, p1), View(g), View(m, m1), View(v, v1),
                      *(number(s) for s in (rate, b1, b2, eps, c1, c2))]


@kernel("newton", "", "square_root", 2e-6, 0)
def square_root():
    for cores, n in SIZES:
        x = np.exp(normal(28, n) * 5)
        yield cores, [View(x), out(np.sqrt(x))]


# --- rows ------------------------------------------------------------------------


@kernel("softmax", "softmax<100>", "softmax")
def softmax():
    for cores, rows in ROWS:
        x = normal(14, rows, 100) * 10
        yield cores, [View(x), out(torch.softmax(tensor(x), 1))]


@kernel("softmax", "softmax_long", "softmax_long")
def softmax_long():
    for cores, rows, cols in ((1, 0, 5), (8, 1, 1), (2, 2, 8192), (2, 3, 20001), (8, 5, 63), (1, 2, 0)):
        x = normal(15, rows, cols)
        yield cores, [View(x, open=(0, 1)), out(torch.softmax(tensor(x), 1), open=(0, 1))]


@kernel("layernorm", "layernorm<96>", "layernorm", 4e-3, 4e-3)
def layernorm():
    gamma, beta = normal(5, 96), normal(6, 96)
    for cores, rows in ROWS:
        x = normal(7, rows, 96, dtype=np.float16)
        want = F.layer_norm(tensor(x), (96,), tensor(gamma), tensor(beta), 1e-5)
        yield cores, [View(x), View(gamma, open=()), View(beta, open=()),
                      out(want.numpy().astype(np.float16)), number(1e-5)]


@kernel("rmsnorm", "rmsnorm<96>", "rmsnorm", 1e-4)
def rmsnorm():
    gamma = normal(8, 96)
    for cores, rows in ROWS:
        x = normal(9, rows, 96)
        t = tensor(x)
        want = t * torch.rsqrt((t * t).mean(1, keepdim=True) + 1e-5) * tensor(gamma)
        yield cores, [View(x), View(gamma, open=()), out(want), number(1e-5)]


@kernel("argmax", "argmax<50>", "argmax", 0, 0)
def argmax():
    for cores, rows in ROWS:
        x = normal(15, rows, 50)
        if rows > 2:
            x[2, 7:12] = x[2].max() + 1  # the first of equals
        yield cores, [View(x), out(torch.argmax(tensor(x), 1).to(torch.int32))]


@kernel("cross_entropy", "cross_entropy<50>", "cross_entropy")
def cross_entropy():
    for cores, rows in ROWS:
        x = normal(16, rows, 50)
        target = np.random.default_rng(4).integers(0, 50, rows).astype(np.int32)
        want = F.cross_entropy(tensor(x), torch.from_numpy(target).long(), reduction="none")
        yield cores, [View(x), View(target), out(want)]


@kernel("cumsum", "cumsum<64>", "cumsum", 1e-3, 1e-3)
def cumsum():
    for cores, rows, cols in ((1, 0, 5), (8, 1, 1), (2, 3, 64), (3, 2, 300), (8, 5, 63), (1, 9, 130)):
        x = normal(17, rows, cols)
        want = torch.cumsum(torch.from_numpy(x).double(), 1).float()
        yield cores, [View(x, open=(0, 1)), out(want, open=(0, 1))]


# --- all of it -------------------------------------------------------------------


@kernel("reduce", "reduce_one", "reduce_one", 1e-4, 1e-3)
def reduce_one():
    for cores, n in SIZES:
        x = normal(18, n)
        yield cores, [View(x), out(torch.from_numpy(x).double().sum().float().reshape(1), open=())]


@kernel("reduce", "reduce_all", "reduce_all", 1e-4, 1e-3)
def reduce_all():
    for cores, n in SIZES:
        x = normal(19, n)
        part = View(np.zeros(cores, np.float32), scratch=True)
        yield cores, [View(x), part,
                      out(torch.from_numpy(x).double().sum().float().reshape(1), open=())]


# --- by index --------------------------------------------------------------------


@kernel("embedding", "embedding<32>", "embedding", 0, 0)
def embedding():
    table = normal(20, 11, 32, dtype=np.float16)
    for cores, count in ROWS:
        ids = np.random.default_rng(6).integers(-2, 13, count).astype(np.int32)
        good = torch.from_numpy((ids >= 0) & (ids < 11))
        rows = torch.from_numpy(table)[torch.from_numpy(np.clip(ids, 0, 10)).long()]
        want = torch.where(good[:, None], rows, torch.zeros_like(rows))
        yield cores, [View(table), View(ids), out(want)]


@kernel("search", "", "search_sorted", 0, 0)
def search_sorted():
    for (cores, count), size in zip(ROWS, (5, 0, 1, 2, 31, 700, 64)):
        table, keys = np.sort(normal(29, size)), normal(30, count)
        keys[: size // 2] = table[: size // 2][:count]  # some are there
        want = torch.searchsorted(torch.from_numpy(table), torch.from_numpy(keys)).int()
        yield cores, [View(table), View(keys), out(want)]


@kernel("scatter_add", "scatter_rows<32>", "scatter_rows", 1e-4, 1e-5)
def scatter_rows():
    for cores, count in ROWS:
        ids = np.random.default_rng(21).integers(0, 11, count).astype(np.int32)
        x, table = normal(22, count, 32), normal(23, 11, 32)
        want = torch.from_numpy(table).index_add(0, torch.from_numpy(ids).long(), torch.from_numpy(x))
        yield cores, [View(x), View(ids), View(table, want)]


# --- planes ----------------------------------------------------------------------


@kernel("transpose", "", "transpose", 0, 0)
def transpose_of():
    for cores, rows, cols in ((1, 0, 4), (8, 1, 1), (2, 64, 64), (3, 65, 130), (8, 200, 3), (1, 17, 129)):
        x = normal(24, rows, cols, dtype=np.float16)
        yield cores, [View(x, open=(0, 1)), out(np.ascontiguousarray(x.T), open=(0, 1))]


@kernel("resize", "resize<10, 3>", "resize", 0, 0)
def resize():
    for cores, planes, rows in PLANES:
        x = normal(25, planes, rows, 10)
        want = tensor(x).repeat_interleave(3, 1).repeat_interleave(3, 2)
        yield cores, [View(x, open=(0, 1)), out(want, open=(0, 1))]


def pooled(pool):
    for cores, planes, rows in PLANES:
        x = normal(26, planes, rows * 2, 14)
        want = pool(tensor(x)) if planes else torch.zeros(0, rows, 7)
        yield cores, [View(x, open=(0, 1)), out(want, open=(0, 1))]


kernel("pool", "avg_pool<14>", "avg_pool")(lambda: pooled(lambda t: F.avg_pool2d(t, 2)))
kernel("pool", "max_pool<14>", "max_pool", 0, 0)(lambda: pooled(lambda t: F.max_pool2d(t, 2)))


# --- products of matrices ---------------------------------------------------------


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


def multiplied(dtype, sizes=PRODUCTS):
    for cores, m, n, k in sizes:
        (a, left), (b, right) = factors(dtype, 50, m, k), factors(dtype, 51, k, n)
        want = rounded(left @ right, dtype)
        yield cores, [View(a, open=(0, 1)), View(b, open=(0, 1)), out(want, open=(0, 1))]


kernel("matmul", "matmul<half, 32, 48, 64>", "matmul_f16", 2e-3, 1e-3, (2201, 3510))(
    lambda: multiplied(np.float16))
kernel("matmul", "matmul<bfloat16, 32, 48, 64>", "matmul_bf16", 1e-2, 1e-3, (2201, 3510))(
    lambda: multiplied(BF16))
kernel("matmul", "matmul<float, 32, 48, 64>", "matmul_f32", 1e-5, 5e-5, (2201, 3510))(
    lambda: multiplied(np.float32))


@kernel("matmul_i8", "matmul_i8<32, 48, 64>", "matmul_i8", 0, 0, (2201, 3510))
def matmul_i8():
    for cores, m, n, k in PRODUCTS:
        (a, left), (b, right) = factors(np.int8, 52, m, k), factors(np.int8, 53, n, k)
        want = (left @ right.T).astype(np.int32)
        yield cores, [View(a, open=(0, 1)), View(b, open=(0, 1)), out(want, open=(0, 1))]


# The same, of planes: none, one, several, fewer than cores.
PLANES_OF_PRODUCTS = ((1, 0, 5, 6, 7), (2, 3, 0, 5, 7), (1, 2, 5, 0, 7), (2, 2, 3, 5, 0),
                      (1, 1, 1, 1, 1), (3, 2, 1, 70, 33), (8, 5, 33, 1, 65), (2, 3, 17, 31, 63),
                      (2, 1, 32, 48, 64), (3, 2, 70, 101, 150))


def batched(dtype, transpose_a, transpose_b):
    every = (0, 1, 2)
    for cores, planes, m, n, k in PLANES_OF_PRODUCTS:
        a, left = factors(dtype, 54, planes, *((k, m) if transpose_a else (m, k)))
        b, right = factors(dtype, 55, planes, *((n, k) if transpose_b else (k, n)))
        left = left.transpose(0, 2, 1) if transpose_a else left
        right = right.transpose(0, 2, 1) if transpose_b else right
        want = rounded(left @ right, dtype)
        yield cores, [View(a, open=every), View(b, open=every), out(want, open=every)]


for name, short, dtype, rtol, atol in (("half", "f16", np.float16, 2e-3, 1e-3),
                                       ("bfloat16", "bf16", BF16, 1e-2, 1e-3),
                                       ("float", "f32", np.float32, 1e-5, 5e-5)):
    for transposed in ((False, False), (False, True), (True, False), (True, True)):
        if short == "bf16" and transposed != (True, True):
            continue
        instance = ", ".join(str(side).lower() for side in transposed)
        suffix = "".join("nt"[side] for side in transposed)
        kernel("matmul_batched", f"matmul_batched<{name}, {instance}, 32, 48, 64>",
               f"batched_{suffix}_{short}", rtol, atol, (2201, 3510))(
            lambda dtype=dtype, transposed=transposed: batched(dtype, *transposed))


# --- what no example uses --------------------------------------------------------


OPERATIONS = []


def operation(rtol=0, atol=0, file="operations", archs=ARCHS):
    """Registers a kernel of Inputs, as above."""

    def register(cases):
        OPERATIONS.append((cases.__name__, cases, rtol, atol, file, archs))
        return cases

    return register


@operation(1e-5, 1e-6)
def products():
    for cores, rows in ROWS[1:4]:
        x = normal(30, rows, 50) * 0.1 + 1
        yield cores, [View(x), out(torch.prod(torch.from_numpy(x).double(), 1).float())]


@operation()
def integers():
    for cores, rows in ROWS[1:6]:
        x = np.random.default_rng(31).integers(-(2**24), 2**24, (rows, 50)).astype(np.int32)
        t = torch.from_numpy(x)
        yield cores, [View(x), out(t.sum(1).to(torch.int32)), out(t.max(1).values)]


@operation()
def places():
    """The first of several that are equal, row by row."""
    for seed in range(6):
        x = np.random.default_rng(seed).integers(-20, 21, (7, 50)).astype(np.float32)
        yield 2, [View(x, open=()), out(np.array([x.argmax(), x.argmin()], np.int32), open=())]


@operation(1e-5, 1e-6)
def powers():
    for cores, n in SIZES[1:4]:
        x = normal(32, n)
        t = tensor(x)
        yield cores, [View(x), out(torch.pow(t.abs(), 2.5) + torch.pow(t.abs() + 0.5, t))]


@operation()
def far_indices():
    table = normal(33, 11, 32, dtype=np.float16)
    ids = np.array([3, 2**32 + 3, -1, 10, 11, 0, 2**40, 7], np.int64)
    good = (ids >= 0) & (ids < 11)
    yield 2, [View(table), View(ids), out(np.where(good[:, None], table[np.where(good, ids, 0)], 0))]


@operation()
def turned():
    for cores, rows, cols in ((1, 1, 1), (3, 40, 20), (2, 65, 17)):
        x = normal(34, rows, cols)
        yield cores, [View(x, open=(0, 1)), out(np.ascontiguousarray(x.T), open=(0, 1))]


@operation()
def many_rows():
    x = normal(35, 4490, 16, dtype=np.float16)
    yield 1, [View(x), out(x)]


@operation(1e-5, 1e-6)
def scans():
    for cores, rows in ROWS[1:4]:
        x = normal(36, rows, 50)
        t = torch.from_numpy(x)
        yield cores, [View(x), out(torch.cummax(t, 1).values), out(torch.cumprod(t.double(), 1).float())]


@operation(file="bits", archs=(2201, 3510))  # the 310P has no shifts
def bits():
    for cores, n in SIZES[1:4]:
        x = np.random.default_rng(37).integers(-(2**24), 2**24, n).astype(np.int32)
        yield cores, [View(x), out(((x << 2) & (x >> 1)) | ~x)]


@operation()
def widened():
    for cores, rows in ROWS[1:4]:
        x = normal(38, rows, 50, dtype=np.float16)
        yield cores, [View(x), out(x.astype(np.float32) * 2)]


@operation()
def masks():
    # In whole words: the sanitizer sees what And does to 16 bits, not to each.
    for cores, n in ((2, 64), (3, 8192), (2, 2064)):
        x = normal(39, n)
        chosen = ((x > 0.5) | ~(x > -0.5)) & (x < 1.5)
        yield cores, [View(x), out(np.where(chosen, x, x * np.float32(10)))]


@operation()
def triangle():
    for cores, m, n in ((1, 0, 5), (2, 3, 0), (1, 1, 1), (2, 1, 90), (3, 50, 1), (3, 33, 81)):
        x = normal(40, m, n)
        yield cores, [View(x, open=(0, 1)), out(np.tril(np.minimum(x, np.float32(2))), open=(0, 1))]


# --- products ---------------------------------------------------------------------


def of_bytes(transposed):
    for cores, m, n, k in PRODUCTS:
        (a, left), (b, right) = factors(np.int8, 60, *((k, m) if transposed else (m, k))), factors(np.int8, 61, k, n)
        want = ((left.T if transposed else left) @ right).astype(np.int32)
        yield cores, [View(a, open=(0, 1)), View(b, open=(0, 1)), out(want, open=(0, 1))]


@operation(file="products", archs=(2201, 3510))
def bytes_right():
    yield from of_bytes(False)


@operation(file="bytes_left", archs=(3510,))  # 2201 transposes bytes for the right operand only
def bytes_left():
    yield from of_bytes(True)


@operation(1e-5, 5e-5, file="products", archs=(2201, 3510))
def added():
    for cores, m, n, k in PRODUCTS:
        (a, left), (b, right) = factors(np.float16, 56, m, k), factors(np.float16, 57, k, n)
        c = normal(58, m, n)
        yield cores, [View(a, open=(0, 1)), View(b, open=(0, 1)),
                      View(c, c + (left @ right).astype(np.float32), open=(0, 1))]


@operation(2e-3, 2e-3, file="products", archs=(2201, 3510))
def large():
    for cores, m, n, k in ((1, 128, 256, 512), (2, 130, 270, 300)):
        (a, left), (b, right) = factors(np.float16, 62, m, k), factors(np.float16, 63, n, k)
        want = rounded(left @ right.T, np.float16)
        yield cores, [View(a, open=(0, 1)), View(b, open=(0, 1)), out(want, open=(0, 1))]


# --- running them ----------------------------------------------------------------


# --- loops whose end depends on data ----------------------------------------------


def searched(first):
    for (cores, count), size in zip(ROWS, (5, 0, 1, 2, 31, 90, 64)):
        x, keys = normal(40, size), normal(41, count)
        want = np.array([next((i for i in (range(size) if first else range(size - 1, -1, -1))
                               if x[i] > key), size if first else -1) for key in keys], np.int32)
        yield cores, [View(x), View(keys), out(want)]


@operation(file="loops")
def first_above():
    yield from searched(True)


@operation(file="loops")
def last_above():
    yield from searched(False)


@operation(file="loops")
def halvings():
    for cores, count, scale in ((1, 12, 1000), (2, 0, 50), (3, 3, 1e6), (1, 5, 0.1)):
        x = np.abs(normal(42, 300) * np.float32(scale))
        t, largest = x.copy(), np.zeros(count, np.float32)
        for k in range(count):
            if t.max() > 1:
                largest[k], t = t.max(), t * np.float32(0.5)
        yield cores, [View(x, open=()), out(t, open=()), out(largest)]


@operation(file="loops")
def exchanged():
    for cores, n in ((1, 0), (2, 1), (3, 2), (1, 100), (1, 2**40)):
        x, y = normal(43, 96), normal(44, 96)
        pair = (y, x) if n.bit_length() % 2 else (x, y)
        yield cores, [View(x, pair[0], open=()), View(y, pair[1], open=()), np.int64(n)]


@operation(file="loops")
def doublings():
    for cores, n in ((1, 0), (3, 1), (2, 2), (2, 300), (3, 1025)):
        x = np.round(normal(45, n) * 8) / 8
        steps = max(n - 1, 0).bit_length()
        yield cores, [View(x), out((x + 2 * steps) * steps)]


@operation(file="loops")
def in_turn():
    for cores, n in ((1, 0), (3, 1), (2, 5), (3, 40)):
        x = normal(46, n)
        yield cores, [View(x, x + np.float32(1))]


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


def test_operations(folder, chosen):
    for name, make, rtol, atol, file, archs in OPERATIONS:
        if chosen and name not in chosen:
            continue
        cases = list(make())
        for arch in archs:
            run_emitted(HERE / "Inputs" / f"{file}.cpp", name, cases, rtol, atol, arch, folder)
        print(f"ok {name}: {len(cases)} cases on {len(archs)} architectures", flush=True)


def test_guard(folder):
    """What is not proven stops the kernel at its line, and only then."""
    emitted, symbol = build(HERE / "Inputs" / "careless.cpp", "", 2201, folder)
    batch, launches = Batch(), []
    for n in (512, 300):
        x = normal(27, n)
        args = arguments([View(x), out(x)])
        launches.append(batch.add(emitted, kernel=symbol, blocks=2, args=args, soc=2201, sanitize=True))
    batch.run()
    launches[0].results()
    assert launches[1].failure.ident == "guard-failed", launches[1].failure
    assert launches[1].failure.places[0] == "careless.cpp:8", launches[1].failure


def main(chosen):
    with tempfile.TemporaryDirectory(prefix="belay-kernels-") as folder:
        folder = pathlib.Path(folder)
        for file, instance, twin, make, rtol, atol, archs in KERNELS:
            if chosen and twin not in chosen:
                continue
            cases = list(make())
            assert len(cases) >= 6, "none, one, tails, idle cores"
            run_twin(twin, cases, rtol, atol)
            for arch in archs:
                run_emitted(EXAMPLES / f"{file}.cpp", instance, cases, rtol, atol, arch, folder)
            print(f"ok {twin}: {len(cases)} cases on {len(archs)} architectures", flush=True)
        test_operations(folder, chosen)
        if not chosen:
            test_guard(folder)
            run = {k[0] for k in KERNELS} | {path.stem for path, *_ in OF_BOTH_CORES.values()}
            missing = {p.stem for p in EXAMPLES.glob("*.cpp")} - run
            assert not missing, f"examples that nobody runs: {missing}"


if __name__ == "__main__":
    main(sys.argv[2:])
