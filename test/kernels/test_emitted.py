"""examples/kernels by four readers: PyTorch says what has to come out, the host twin
computes it, and `belay run --check` executes the AscendC that `belay build` makes for
each architecture, without the compiler's own synchronisation.

By hand: test/kernels/test_emitted.py LIBRARY_OF_TWINS [KERNEL...]
"""
import pathlib
import sys
import tempfile

import numpy as np
import torch
from torch.nn import functional as F

import emitted_operations  # noqa: F401: registers its cases
from emitted import (ARCHS, EXAMPLES, HERE, KERNELS, OPERATIONS, PLANES, PRODUCTS, ROWS, SIZES, View, arguments,
                     build, factors, kernel, normal, number, out, rounded, run_emitted, run_twin, tensor)
from harness import BF16, Batch
from test_mixed import KERNELS as OF_BOTH_CORES


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


def multiplied(dtype, sizes=PRODUCTS):
    for cores, m, n, k in sizes:
        (a, left), (b, right) = factors(dtype, 50, m, k), factors(dtype, 51, k, n)
        want = rounded(left @ right, dtype)
        yield cores, [View(a, open=(0, 1)), View(b, open=(0, 1)), out(want, open=(0, 1))]


kernel("matmul", "matmul<half, 32, 48, 64>", "matmul_f16", 2e-3, 1e-3)(
    lambda: multiplied(np.float16))
kernel("matmul", "matmul<bfloat16, 32, 48, 64>", "matmul_bf16", 1e-2, 1e-3, (2201, 3510))(
    lambda: multiplied(BF16))
kernel("matmul", "matmul<float, 32, 48, 64>", "matmul_f32", 1e-5, 5e-5, (2201, 3510))(
    lambda: multiplied(np.float32))


@kernel("matmul_i8", "matmul_i8<32, 48, 64>", "matmul_i8", 0, 0)
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
               f"batched_{suffix}_{short}", rtol, atol, ARCHS if short == "f16" else (2201, 3510))(
            lambda dtype=dtype, transposed=transposed: batched(dtype, *transposed))


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
