"""Kernels from IR to numbers: belay-translate writes AscendC for each architecture,
`belay run --check` executes it without the compiler's own synchronisation, NumPy
says what has to come out.

By hand: test/emit/run_kernels.py [NAME...]
"""
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "model"))
from harness import SOC_OF_ARCH, Batch, In, InOut, Out, Scalar, belay  # noqa: E402

ARCHS = (2201, 3510, 2002)
KERNELS = []


def kernel(source=None, archs=ARCHS):
    """Marks a function that yields cases (blocks, arguments, expected outputs,
    tolerance) for the kernel of its name, in Inputs/SOURCE.mlir."""

    def note(test):
        test.source, test.archs = source or test.__name__, archs
        KERNELS.append(test)
        return test

    return note


def translate(source, arch, folder):
    tool = os.environ.get("BELAY_TRANSLATE") or str(
        pathlib.Path(belay()).with_name("belay-translate")
    )
    result = folder / f"{source.stem}-{arch}.cpp"
    subprocess.run(
        [tool, "--ascend-to-ascendc", f"--soc={SOC_OF_ARCH[arch]}", source, "-o", result],
        check=True,
    )
    return result


def random(seed, *shape, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


# --- the kernels ---------------------------------------------------------------


@kernel()
def vec_add():
    for blocks, n in [(1, 0), (1, 1), (2, 7), (3, 4096), (2, 4097), (2, 20001), (8, 100003)]:
        x, y = random(1, n), random(2, n)
        args = [In(x), In(y), Out("f32", n), *3 * [Scalar("i64", n)]]
        yield blocks, args, [x + y], 0


@kernel()
def axpy():
    for blocks, n in [(1, 0), (1, 1), (2, 31), (4, 2000), (3, 8011), (2, 16000)]:
        x, y = random(3, n, dtype=np.float16), random(4, n, dtype=np.float16)
        a = np.float16(0.75)
        args = [In(x), InOut(y), *2 * [Scalar("i64", n)], Scalar("f16", a)]
        yield blocks, args, [a * x + y], 0


@kernel()
def relu():
    for blocks, n in [(1, 0), (1, 1), (1, 8), (2, 8191), (2, 50000), (3, 24577)]:
        x = random(5, n)
        args = [In(x), Out("f32", n), *2 * [Scalar("i64", n)]]
        yield blocks, args, [np.maximum(x, 0)], 0


@kernel()
def softmax():
    for blocks, rows in [(1, 0), (1, 1), (2, 7), (2, 8), (3, 61), (8, 100)]:
        x = random(6, rows, 300)
        e = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
        args = [In(x), Out("f32", (rows, 300)), *2 * [Scalar("i64", rows)]]
        yield blocks, args, [e / e.sum(axis=1, keepdims=True)], 1e-6


@kernel()
def layernorm():
    gamma, beta, eps = random(7, 512), random(8, 512), 1e-5
    for blocks, rows in [(1, 0), (1, 1), (2, 3), (2, 4), (3, 30), (8, 101)]:
        x = random(9, rows, 512, dtype=np.float16)
        t = x.astype(np.float32)
        d = t - t.mean(axis=1, keepdims=True)
        s = np.sqrt((d * d).mean(axis=1, keepdims=True) + eps)
        expected = (d / s * gamma + beta).astype(np.float16)
        args = [In(x), In(gamma), In(beta), Out("f16", (rows, 512))]
        args += [*2 * [Scalar("i64", rows)], Scalar("f32", eps)]
        yield blocks, args, [expected], 4e-3


@kernel()
def total():
    for n in [0, 1, 8, 4095, 4096, 12289, 50001]:
        x = random(10, n)
        expected = np.array([x.sum(dtype=np.float64)], dtype=np.float32)
        yield 1, [In(x), Out("f32", 1), Scalar("i64", n)], [expected], 2e-4


def extents(*values):
    return [Scalar("i64", v) for v in values]


@kernel(source="gelu")
def gelu():
    for blocks, n in [(1, 0), (1, 1), (2, 5000), (3, 20011)]:
        x = random(11, n)
        erf = np.vectorize(math.erf, otypes=[np.float32])(x / np.sqrt(np.float32(2)))
        yield blocks, [In(x), Out("f32", n), *extents(n, n)], [x * 0.5 * (1 + erf)], 2e-6


@kernel(source="gelu")
def gelu_tanh():
    for blocks, n in [(1, 0), (1, 1), (2, 5000), (3, 20011)]:
        x = random(12, n, dtype=np.float16)
        t = x.astype(np.float32)
        want = 0.5 * t * (1 + np.tanh(0.7978845608 * (t + 0.044715 * t**3)))
        yield blocks, [In(x), Out("f16", n), *extents(n, n)], [want], 2e-3


@kernel(source="argmax")
def argmax_512():
    for blocks, rows in [(1, 0), (1, 1), (2, 9), (3, 40)]:
        x = random(13, rows, 512)
        x[:, ::7] = np.round(x[:, ::7])
        args = [In(x), Out("i32", rows), *extents(rows, rows)]
        yield blocks, args, [x.argmax(axis=1) if rows else np.zeros(0)], 0


@kernel(source="cumsum")
def cumsum_512():
    for blocks, rows, cols in [(1, 0, 3), (1, 1, 1), (2, 3, 512), (2, 5, 777), (3, 2, 1500)]:
        x = random(14, rows, cols)
        args = [In(x), Out("f32", (rows, cols)), *extents(rows, cols, rows, cols)]
        yield blocks, args, [np.cumsum(x.astype(np.float64), axis=1)], 2e-4


@kernel(source="embedding")
def embedding_512():
    table = random(15, 50, 512, dtype=np.float16)
    for blocks, n in [(1, 0), (1, 1), (2, 17), (3, 100)]:
        ids = np.random.default_rng(16).integers(-3, 55, n).astype(np.int32)
        good = (ids >= 0) & (ids < 50)
        want = np.where(good[:, None], table[np.clip(ids, 0, 49)], np.float16(0))
        args = [In(table), In(ids), Out("f16", (n, 512)), *extents(50, n, n)]
        yield blocks, args, [want], 0


@kernel(source="scatter_add", archs=(2201, 3510))
def scatter_rows_512():
    for blocks, n in [(1, 0), (1, 1), (2, 17), (3, 60)]:
        x = random(17, n, 512)
        ids = np.random.default_rng(18).integers(0, 20, n).astype(np.int32)
        start = random(19, 20, 512)
        want = start.astype(np.float64)
        np.add.at(want, ids, x)
        yield blocks, [In(x), In(ids), InOut(start), *extents(n, n, 20)], [want], 1e-5


@kernel(source="transpose")
def transpose_of():
    for blocks, rows, cols in [(1, 0, 5), (1, 1, 1), (2, 64, 64), (3, 70, 131), (2, 200, 3)]:
        x = random(20, rows, cols, dtype=np.float16)
        args = [In(x), Out("f16", (cols, rows)), *extents(rows, cols, cols, rows)]
        yield blocks, args, [x.T], 0


@kernel(source="cross_entropy", archs=(2201, 3510))
def cross_entropy_512():
    for blocks, rows in [(1, 0), (1, 1), (2, 8), (3, 29)]:
        x = random(21, rows, 512)
        target = np.random.default_rng(22).integers(0, 512, rows).astype(np.int32)
        log_sum = np.log(np.exp(x.astype(np.float64)).sum(axis=1))
        want = log_sum - x[np.arange(rows), target]
        args = [In(x), In(target), Out("f32", rows), *extents(rows, rows, rows)]
        yield blocks, args, [want], 1e-5


@kernel()
def adam():
    rate, b1, b2, eps, c1, c2 = (np.float32(v) for v in (0.01, 0.9, 0.99, 1e-8, 1.5, 2.5))
    for blocks, n in [(1, 0), (1, 1), (2, 2048), (3, 9999)]:
        p, g, m = random(23, n), random(24, n), random(25, n)
        v = np.abs(random(26, n))
        m1, v1 = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        want = [p - m1 * (rate * c1) / (np.sqrt(v1 * c2) + eps), m1, v1]
        scalars = [Scalar("f32", s) for s in (rate, b1, b2, eps, c1, c2)]
        args = [InOut(p), In(g), InOut(m), InOut(v), *extents(n, n, n, n), *scalars]
        yield blocks, args, want, 2e-6


@kernel(source="resize")
def resize_32_2():
    for blocks, planes, rows in [(1, 0, 2), (1, 1, 1), (2, 3, 5)]:
        x = random(27, planes, rows, 32)
        want = x.repeat(2, axis=1).repeat(2, axis=2)
        args = [In(x), Out("f32", want.shape), *extents(planes, rows, planes, 2 * rows)]
        yield blocks, args, [want], 0


@kernel(source="avg_pool")
def avg_pool_64():
    for blocks, planes, rows in [(1, 0, 2), (1, 1, 1), (2, 3, 5)]:
        x = random(28, planes, 2 * rows, 64)
        want = x.reshape(planes, rows, 2, 32, 2).mean(axis=(2, 4))
        args = [In(x), Out("f32", want.shape), *extents(planes, 2 * rows, planes, rows)]
        yield blocks, args, [want], 1e-6


@kernel()
def softmax_long():
    for blocks, rows, cols in [(1, 0, 9), (1, 1, 1), (2, 3, 8192), (2, 5, 20001), (4, 3, 9000)]:
        x = random(31, rows, cols)
        e = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
        args = [In(x), Out("f32", (rows, cols)), *extents(rows, cols, rows, cols)]
        yield blocks, args, [e / e.sum(axis=1, keepdims=True)], 1e-6


@kernel(source="reduce", archs=(2201, 3510))
def reduce_one():
    for blocks, n in [(1, 0), (1, 1), (2, 8193), (3, 30001)]:
        x = random(29, n)
        want = np.array([x.sum(dtype=np.float64)])
        yield blocks, [In(x), Out("f32", 1), *extents(n)], [want], 2e-4


@kernel(source="reduce", archs=(2201, 3510))
def reduce_all():
    for blocks, n in [(1, 0), (1, 1), (4, 8193), (8, 300001)]:
        x = random(30, n)
        want = np.array([x.sum(dtype=np.float64)])
        args = [In(x), InOut(np.zeros(blocks, np.float32)), Out("f32", 1)]
        yield blocks, [*args, *extents(n, blocks)], [None, want], 1e-3


# --- running them --------------------------------------------------------------


def run(test, arch, folder):
    source = translate(HERE / "Inputs" / f"{test.source}.mlir", arch, folder)
    batch, launches = Batch(), []
    for blocks, args, expected, tolerance in test():
        launch = batch.add(
            source,
            kernel=test.__name__,
            blocks=blocks,
            args=args,
            soc=arch,
            sanitize=True,
            auto_sync=False,
        )
        launches.append((launch, expected, tolerance))
    batch.run()
    for launch, expected, tolerance in launches:
        for got, want in zip(launch.results(), expected, strict=True):
            if want is None:
                continue  # what is left in it does not matter
            np.testing.assert_allclose(
                got.astype(np.float32), want.astype(np.float32), rtol=tolerance, atol=tolerance
            )
    return len(launches)


def main():
    chosen = [k for k in KERNELS if not sys.argv[1:] or k.__name__ in sys.argv[1:]]
    failed = []
    with tempfile.TemporaryDirectory(prefix="belay-emit-") as folder:
        for test in chosen:
            for arch in test.archs:
                name = f"{test.__name__} on {arch}"
                try:
                    cases = run(test, arch, pathlib.Path(folder))
                    print(f"ok    {name}: {cases} cases")
                except Exception:
                    failed.append(name)
                    print(f"FAIL  {name}\n{traceback.format_exc(limit=1)}")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
