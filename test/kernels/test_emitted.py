"""examples/kernels from C++ to numbers: `belay build` makes AscendC for each
architecture, `belay run --check` executes it without the compiler's own
synchronisation, NumPy says what has to come out.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples" / "kernels"
sys.path.insert(0, str(HERE.parent / "simulator"))
from harness import SOC_OF_ARCH, Batch, In, InOut, Out, Scalar, belay  # noqa: E402

ARCHS = (2201, 3510, 2002)
SIZES = ((1, 0), (1, 1), (2, 63), (3, 8192), (2, 8193), (8, 40003))
ROWS = ((1, 0), (1, 1), (2, 3), (2, 8), (3, 30), (8, 65))
KERNELS = []


def kernel(file, instance="", symbol=None):
    """A function that yields blocks, arguments, expected outputs, tolerance. The
    symbol chooses one of several kernels."""

    def register(cases):
        KERNELS.append((file, instance, symbol, cases))
        return cases

    return register


def random(seed, *shape, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def extents(count, n):
    return count * [Scalar("i64", n)]


@kernel("vec_add", "vec_add<float>")
def vec_add():
    for blocks, n in SIZES:
        x, y = random(1, n), random(2, n)
        yield blocks, [In(x), In(y), Out("f32", n), *extents(3, n)], [x + y], 0


@kernel("axpy")
def axpy():
    for blocks, n in SIZES:
        x, y = random(1, n), random(2, n)
        a = np.float32(2.5)
        yield blocks, [In(x), InOut(y), *extents(2, n), Scalar("f32", a)], [x * a + y], 1e-6


@kernel("relu", "relu_of<half>")
def relu_of():
    for blocks, n in SIZES:
        x = random(3, n, dtype=np.float16)
        yield blocks, [In(x), Out("f16", n), *extents(2, n)], [np.maximum(x, 0)], 0


@kernel("swish")
def swish():
    for blocks, n in SIZES:
        x, beta = random(4, n), np.float32(1.5)
        args = [In(x), Out("f32", n), *extents(2, n), Scalar("f32", beta)]
        yield blocks, args, [x / (1 + np.exp(-beta * x))], 1e-5


@kernel("layernorm", "layernorm<512>")
def layernorm():
    gamma, beta, eps = random(5, 512), random(6, 512), np.float32(1e-5)
    for blocks, rows in ROWS:
        x = random(7, rows, 512, dtype=np.float16)
        t = x.astype(np.float32)
        d = t - t.mean(axis=1, keepdims=True)
        s = np.sqrt((d * d).mean(axis=1, keepdims=True) + eps)
        args = [In(x), In(gamma), In(beta), Out("f16", (rows, 512)), *extents(2, rows)]
        want = (d / s * gamma + beta).astype(np.float16)
        yield blocks, [*args, Scalar("f32", eps)], [want], 4e-3


@kernel("rmsnorm", "rmsnorm<512>")
def rmsnorm():
    gamma, eps = random(8, 512), np.float32(1e-5)
    for blocks, rows in ROWS:
        x = random(9, rows, 512)
        want = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + eps) * gamma
        args = [In(x), In(gamma), Out("f32", (rows, 512)), *extents(2, rows)]
        yield blocks, [*args, Scalar("f32", eps)], [want], 1e-5


@kernel("adam")
def adam():
    rate, b1, b2, eps, c1, c2 = (np.float32(v) for v in (1e-2, 0.9, 0.99, 1e-6, 2.0, 3.0))
    for blocks, n in SIZES:
        p, g, m, v = random(10, n), random(11, n), random(12, n), np.abs(random(13, n))
        m1, v1 = m * b1 + g * (1 - b1), v * b2 + g * g * (1 - b2)
        want = p - m1 * (rate * c1) / (np.sqrt(v1 * c2) + eps)
        args = [InOut(p), In(g), InOut(m), InOut(v), *extents(4, n)]
        args += [Scalar("f32", s) for s in (rate, b1, b2, eps, c1, c2)]
        yield blocks, args, [want, m1, v1], 1e-4


@kernel("softmax", "softmax<1024>", "softmax_1024")
def softmax():
    for blocks, rows in ROWS:
        x = random(14, rows, 1024)
        e = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
        args = [In(x), Out("f32", (rows, 1024)), *extents(2, rows)]
        yield blocks, args, [e / e.sum(axis=1, keepdims=True)], 1e-6


@kernel("argmax", "argmax<100>")
def argmax():
    for blocks, rows in ROWS:
        x = random(15, rows, 100)
        args = [In(x), Out("i32", rows), *extents(2, rows)]
        yield blocks, args, [x.argmax(axis=1).astype(np.int32) if rows else np.zeros(0)], 0


# Built, and not run here: some have several kernels in a file, and test/emit runs
# most of them from IR.
BUILT = {
    "cross_entropy": "cross_entropy<100>",
    "cumsum": "cumsum<64>",
    "embedding": "embedding<64>",
    "gelu": "",
    "resize": "resize<16, 2>",
    "transpose": "",
}


def build(file, instance, arch, folder):
    result = folder / f"{file}-{arch}.cpp"
    command = [os.environ.get("BELAY_COMPILER") or belay(), "build", EXAMPLES / f"{file}.cpp"]
    command += ["--emit", "ascendc", "--soc", SOC_OF_ARCH[arch], "-o", result]
    if instance:
        command += ["--kernel", instance]
    return result, subprocess.run(command, capture_output=True, text=True)


def run(file, instance, symbol, cases, arch, folder):
    source, built = build(file, instance, arch, folder)
    assert built.returncode == 0, built.stderr
    batch, launches = Batch(), []
    for blocks, args, expected, tolerance in cases():
        launch = batch.add(
            source, kernel=symbol, blocks=blocks, args=args, soc=arch, sanitize=True, auto_sync=False
        )
        launches.append((launch, expected, tolerance))
    batch.run()
    for launch, expected, tolerance in launches:
        for got, want in zip(launch.results(), expected, strict=True):
            np.testing.assert_allclose(got.astype(np.float32), want.astype(np.float32), rtol=tolerance, atol=tolerance)


def main():
    with tempfile.TemporaryDirectory(prefix="belay-kernels-") as folder:
        for file, instance, symbol, cases in KERNELS:
            for arch in ARCHS:
                run(file, instance, symbol, cases, arch, pathlib.Path(folder))
            print("ok", file)
        for file, instance in BUILT.items():
            built = build(file, instance, 2201, pathlib.Path(folder))[1]
            assert built.returncode == 0, built.stderr
    print(f"{len(KERNELS)} kernels on {len(ARCHS)} architectures, {len(BUILT)} built")


if __name__ == "__main__":
    main()
