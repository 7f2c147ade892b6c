"""Filling, repeating, counting and weaving, against NumPy."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import Batch, covers, expect_failure, main, run  # noqa: E402
from lanes import BITS, COUNT, COUNTER, COUNTER_REGISTER, FORMS, MASK  # noqa: E402
from lanes import REGISTER, Call, evaluate, pad, random_call  # noqa: E402

ARCHS = (2002, 2201, 3510)
CTYPE = {
    "float16": "half",
    "float32": "float",
    "int8": "int8_t",
    "uint8": "uint8_t",
    "int16": "int16_t",
    "uint16": "uint16_t",
    "int32": "int32_t",
    "uint32": "uint32_t",
    "int64": "int64_t",
    "uint64": "uint64_t",
}
ALL = (COUNT, MASK, BITS, REGISTER, COUNTER, COUNTER_REGISTER)
DUPLICATE, INDEX, BRCB, COPY, DUPLICATE_TENSOR, DUPLICATE_ZERO = range(6)
rng = np.random.default_rng(11)


def numbers(dtype, n):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return rng.uniform(-4, 4, n).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)


def launch(batch, op, call, x, z, arch):
    p = np.concatenate([call.words(), np.array([op, len(x), len(z)], np.int32)])
    kernel = f"fill<{CTYPE[x.dtype.name]}>"
    return batch.add("fill.cpp", kernel=kernel, ins=[x, p], inouts=[z], soc=arch)


def target(call, dtype):
    dtype = np.dtype(dtype)
    n = max(call.reach(0, dtype.itemsize, dtype.itemsize), 1)
    return pad(numbers(dtype, n), extra=int(rng.integers(0, 64)))


@covers("Duplicate", forms=tuple(FORMS), archs=ARCHS, tail=True,
        dtypes=("half", "float", "int16_t", "uint16_t", "int32_t", "uint32_t"))  # fmt: skip
def test_duplicate():
    batch, checks = Batch(), []
    for dtype in ("float16", "float32", "int16", "uint16", "int32", "uint32"):
        for arch in ARCHS:
            for form in ALL if arch == 2201 else (COUNT, MASK, BITS):
                call = random_call(rng, form, np.dtype(dtype).itemsize)
                x, z = pad(numbers(dtype, 1)), target(call, dtype)
                want = evaluate(call, z, [], lambda z, s=x[0]: s)
                checks.append((launch(batch, DUPLICATE, call, x, z, arch), want))
    for dtype in ("int8", "uint8", "int64", "uint64"):
        call = random_call(rng, COUNT, np.dtype(dtype).itemsize)
        x, z = pad(numbers(dtype, 1)), target(call, dtype)
        want = evaluate(call, z, [], lambda z, s=x[0]: s)
        checks.append((launch(batch, DUPLICATE, call, x, z, 3510), want))
        checks.append((launch(batch, DUPLICATE_TENSOR, call, x, z, 3510), want))
    x, z = pad(numbers("float16", 1)), numbers("float16", 64)
    want = np.concatenate([np.zeros(50, np.float16), z[50:]])
    checks.append((launch(batch, DUPLICATE_ZERO, Call(COUNT, 50), x, z, 2201), want))
    batch.run()
    for one, want in checks:
        np.testing.assert_array_equal(one.results()[0], want)


@covers("CreateVecIndex", forms=("count", "mask", "bits"), archs=ARCHS, tail=True,
        dtypes=("half", "float", "int16_t", "int32_t"))  # fmt: skip
def test_indices():
    batch, checks = Batch(), []
    for dtype in ("float16", "float32", "int16", "int32"):
        per_repeat = 256 // np.dtype(dtype).itemsize
        first = pad(np.array([-5], dtype))
        for arch in ARCHS:
            for form in (COUNT, MASK, BITS):
                call = random_call(rng, form, np.dtype(dtype).itemsize)
                z = target(call, dtype)
                want = z.copy()
                for r, lane in call.lanes(z.itemsize):
                    want[call.index(0, (r, lane), z.itemsize)] = r * per_repeat + lane - 5
                checks.append((launch(batch, INDEX, call, first, z, arch), want))
    batch.run()
    for one, want in checks:
        np.testing.assert_array_equal(one.results()[0], want)


@covers("Brcb", forms=("repeat",), archs=ARCHS,
        dtypes=("half", "float", "int16_t", "uint32_t"))  # fmt: skip
def test_brcb():
    batch, checks = Batch(), []
    for dtype in ("float16", "float32", "int16", "uint32"):
        per_block = 32 // np.dtype(dtype).itemsize
        for arch in ARCHS:
            for repeat, block, rep in ((1, 1, 8), (3, 1, 8), (2, 2, 17)):
                x = pad(numbers(dtype, 8 * repeat))
                blocks = (repeat - 1) * rep + 7 * block + 1
                z = numbers(dtype, blocks * per_block)
                want = z.copy()
                for n in range(8 * repeat):
                    at = (n // 8 * rep + n % 8 * block) * per_block
                    want[at : at + per_block] = x[n]
                call = Call(MASK, 1, repeat=repeat, block=(block, 1), rep=(rep, 8))
                checks.append((launch(batch, BRCB, call, x, z, arch), want))
    batch.run()
    for one, want in checks:
        np.testing.assert_array_equal(one.results()[0], want)


@covers("Copy", forms=("mask", "bits", "counter"), archs=(2201, 3510), tail=True,
        dtypes=("half", "float", "uint16_t", "int32_t"))  # fmt: skip
@covers("Copy", forms=("count",), archs=(3510,), dtypes=("half", "int8_t"))
def test_copy():
    batch, checks = Batch(), []
    for dtype in ("float16", "float32", "uint16", "int32"):
        size = np.dtype(dtype).itemsize
        for arch in (2201, 3510):
            for form in (MASK, BITS):
                call = random_call(rng, form, size)
                x = pad(numbers(dtype, call.reach(1, size, size)))
                z = target(call, dtype)
                want = evaluate(call, z, [x], lambda z, x: x)
                checks.append((launch(batch, COPY, call, x, z, arch), want))
    for dtype in ("float16", "int8"):
        x, z = numbers(dtype, 224), numbers(dtype, 224)
        want = np.concatenate([x[:205], z[205:]])
        checks.append((launch(batch, COPY, Call(COUNT, 205), x, z, 3510), want))
    # In counter mode each repeat moves the counted elements, block by block.
    x, z = numbers("int32", 18 * 64), numbers("int32", 2 * 18 * 8)
    call = Call(COUNTER_REGISTER, 140, repeat=2, block=(1, 8), rep=(18, 0))
    rows = x.reshape(18, 64)[:, :8].reshape(-1)
    want = z.copy()
    want[:140] = want[144 : 144 + 140] = rows[:140]
    checks.append((launch(batch, COPY, call, x, z, 2201), want))
    batch.run()
    for one, want in checks:
        np.testing.assert_array_equal(one.results()[0], want)


def weave(op, x, y, n, arch=3510):
    a, b = np.zeros_like(x), np.zeros_like(x)
    scalars = [("i32", op), ("i32", n), ("i32", len(x))]
    kernel = f"weave<{CTYPE[x.dtype.name]}>"
    return run("fill.cpp", kernel=kernel, ins=[x, y], inouts=[a, b], scalars=scalars, soc=arch)


@covers("Interleave", "DeInterleave", "Mull", forms=("count",), archs=(3510,), tail=True,
        dtypes=("int8_t", "half", "float", "int64_t"))  # fmt: skip
def test_weaving():
    for dtype in ("int8", "float16", "float32", "int64"):
        x, y, n = numbers(dtype, 96), numbers(dtype, 96), 90
        both = np.stack([x[:n], y[:n]], 1).reshape(-1)
        a, b = weave(0, x, y, n)
        np.testing.assert_array_equal(a[:n], both[:n])
        np.testing.assert_array_equal(b[:n], both[n:])
        a, b = weave(1, x, y, n)
        joined = np.concatenate([x[:n], y[:n]])
        np.testing.assert_array_equal(a[:n], joined[0::2])
        np.testing.assert_array_equal(b[:n], joined[1::2])
        a, b = weave(2, x, y, n)
        np.testing.assert_array_equal(a[: n // 2], x[0:n:2])
        np.testing.assert_array_equal(b[: n // 2], x[1:n:2])
    for dtype in ("int32", "uint32"):
        x, y = numbers(dtype, 64), numbers(dtype, 64)
        low, high = weave(3, x, y, 50)
        for k in range(50):
            product = int(x[k]) * int(y[k]) & (1 << 64) - 1
            assert int(low[k]) & 0xFFFFFFFF == product & 0xFFFFFFFF
            assert int(high[k]) & 0xFFFFFFFF == product >> 32


def test_refusals():
    x = numbers("float32", 64)
    scalars = [("i32", 0), ("i32", 63), ("i32", 64)]
    kernel = dict(kernel="weave<float>", ins=[x, x], inouts=[x, x], scalars=scalars)
    expect_failure("bad-repeat", "fill.cpp", contains="in pairs", soc=3510, **kernel)
    expect_failure("unsupported-api", "fill.cpp", contains="Interleave", soc=2201, **kernel)
    p = np.concatenate([Call(COUNT, 8).words(), np.array([COPY, 64, 64], np.int32)])
    kernel = dict(kernel="fill<float>", ins=[x, p], inouts=[x])
    expect_failure("unsupported-api", "fill.cpp", contains="Copy", soc=2201, **kernel)
    run("fill.cpp", soc=3510, **kernel)
    p = np.concatenate([Call(MASK, 8).words(), np.array([COPY, 64, 64], np.int32)])
    kernel = dict(kernel="fill<float>", ins=[x, p], inouts=[x])
    expect_failure("unsupported-api", "fill.cpp", contains="Copy", soc=2002, **kernel)


if __name__ == "__main__":
    main()
