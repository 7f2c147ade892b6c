"""Kernels from IR to numbers: belay-translate writes AscendC for each architecture,
`belay run --check` executes it without the compiler's own synchronisation, NumPy
says what has to come out.

By hand: test/emit/run_kernels.py [NAME...]
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "simulator"))
from harness import SOC_OF_ARCH, Batch, In, InOut, Out, Scalar, belay  # noqa: E402

ARCHS = (2201, 3510, 2002)
KERNELS = []


def kernel(test):
    """A function that yields cases: arguments, expected outputs, tolerance."""
    KERNELS.append(test)
    return test


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


@kernel
def vec_add():
    for blocks, n in [(1, 0), (1, 1), (2, 7), (3, 4096), (2, 4097), (2, 20001), (8, 100003)]:
        x, y = random(1, n), random(2, n)
        args = [In(x), In(y), Out("f32", n), *3 * [Scalar("i64", n)]]
        yield blocks, args, [x + y], 0


@kernel
def axpy():
    for blocks, n in [(1, 0), (1, 1), (2, 31), (4, 2000), (3, 8011), (2, 16000)]:
        x, y = random(3, n, dtype=np.float16), random(4, n, dtype=np.float16)
        a = np.float16(0.75)
        args = [In(x), InOut(y), *2 * [Scalar("i64", n)], Scalar("f16", a)]
        yield blocks, args, [a * x + y], 0


@kernel
def relu():
    for blocks, n in [(1, 0), (1, 1), (1, 8), (2, 8191), (2, 50000), (3, 24577)]:
        x = random(5, n)
        args = [In(x), Out("f32", n), *2 * [Scalar("i64", n)]]
        yield blocks, args, [np.maximum(x, 0)], 0


@kernel
def softmax():
    for blocks, rows in [(1, 0), (1, 1), (2, 7), (2, 8), (3, 61), (8, 100)]:
        x = random(6, rows, 300)
        e = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
        args = [In(x), Out("f32", (rows, 300)), *2 * [Scalar("i64", rows)]]
        yield blocks, args, [e / e.sum(axis=1, keepdims=True)], 1e-6


@kernel
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


@kernel
def total():
    for n in [0, 1, 8, 4095, 4096, 12289, 50001]:
        x = random(10, n)
        expected = np.array([x.sum(dtype=np.float64)], dtype=np.float32)
        yield 1, [In(x), Out("f32", 1), Scalar("i64", n)], [expected], 2e-4


# --- running them --------------------------------------------------------------


def run(test, arch, folder):
    source = translate(HERE / "Inputs" / f"{test.__name__}.mlir", arch, folder)
    batch, launches = Batch(), []
    for blocks, args, expected, tolerance in test():
        launch = batch.add(
            source, blocks=blocks, args=args, soc=arch, sanitize=True, auto_sync=False
        )
        launches.append((launch, expected, tolerance))
    batch.run()
    for launch, expected, tolerance in launches:
        for got, want in zip(launch.results(), expected, strict=True):
            np.testing.assert_allclose(
                got.astype(np.float32), want.astype(np.float32), rtol=tolerance, atol=tolerance
            )
    return len(launches)


def main():
    chosen = [k for k in KERNELS if not sys.argv[1:] or k.__name__ in sys.argv[1:]]
    failed = []
    with tempfile.TemporaryDirectory(prefix="belay-emit-") as folder:
        for test in chosen:
            for arch in ARCHS:
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
