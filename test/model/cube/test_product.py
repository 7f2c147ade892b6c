"""Mmad and the loads before it, against NumPy.

The cube multiplies exactly (half and bfloat16_t products fit into a float) and
adds in float, in ascending k. An error of one rounding per addition bounds the
difference to the true sum by k * 2^-24 * sum(|a| * |b|); integers are exact."""
import numpy as np

from harness import Batch, covers, from_bf16, main, to_bf16

TRANSPOSED_A, TRANSPOSED_B, BIAS, RELU = 1, 2, 4, 8
IMAGE, TRANSPOSE, HF32, HF32_ZERO = 16, 32, 64, 128
# m, n, k, k of one Mmad: whole fractals, tails in each, several steps of k
SHAPES = [(16, 16, 32, 32), (33, 50, 70, 64), (128, 64, 256, 64), (17, 31, 65, 32)]
rng = np.random.default_rng(7)


def matrix(dtype, rows, columns):
    if dtype == "int8_t":
        return rng.integers(-128, 128, (rows, columns), dtype=np.int8)
    values = rng.standard_normal((rows, columns))
    if dtype == "bfloat16_t":
        return to_bf16(values)
    return values.astype(np.float16 if dtype == "half" else np.float32)


def exact(array, dtype):
    if dtype == "bfloat16_t":
        return from_bf16(array).astype(np.float64)
    return array.astype(np.float64)


def hf32(values, bits, towards_zero):
    raw = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    drop = 23 - bits
    odd = (raw >> np.uint64(drop)) & np.uint64(1)
    up = np.uint64((1 << (drop - 1)) - 1) + (np.uint64(0) if towards_zero else odd)
    cut = ((raw + up) >> np.uint64(drop)) << np.uint64(drop)
    return cut.astype(np.uint32).view(np.float32).astype(np.float64)


class Case:
    """One product; check() compares it with NumPy."""

    def __init__(self, batch, dtype, shape, flags, soc=2201, out=None):
        m, n, k, base = shape
        accumulator = "int32_t" if dtype == "int8_t" else "float"
        self.out = out or accumulator
        self.flags, self.k, self.dtype = flags, k, dtype
        a, b = matrix(dtype, m, k), matrix(dtype, k, n)
        self.a, self.b = exact(a, dtype), exact(b, dtype)
        if accumulator == "float":
            bias = rng.standard_normal(-n % 16 + n).astype(np.float32)
        else:
            bias = rng.integers(-(10**6), 10**6, -n % 16 + n, dtype=np.int32)
        self.bias = bias[:n].astype(np.float64)
        if flags & HF32:
            bits, zero = (10 if soc == 3510 else 11), bool(flags & HF32_ZERO)
            self.a, self.b = (hf32(x, bits, zero) for x in (self.a, self.b))
        a = np.ascontiguousarray(a.T) if flags & TRANSPOSED_A else a
        b = np.ascontiguousarray(b.T) if flags & TRANSPOSED_B else b
        if dtype == "bfloat16_t":
            a, b = a.view(type(to_bf16(0.0))), b.view(type(to_bf16(0.0)))
        kind = {"half": "f16", "bfloat16_t": "bf16", "float": "f32"}
        self.launch = batch.add(
            "product.cpp",
            kernel=f"product<{dtype}, {accumulator}, {self.out}>",
            ins=[a, b, bias],
            outs=[(kind.get(self.out, "i32"), (m, n))],
            scalars=[("u32", x) for x in (m, n, k, base, flags)],
            soc=soc,
            task="cube" if soc != 2002 else None,
        )

    def check(self):
        (c,) = self.launch.results()
        want = self.a @ self.b
        bound = self.k * 2.0**-24 * (np.abs(self.a) @ np.abs(self.b))
        if self.flags & BIAS:
            want = want + self.bias
            bound = bound + 2.0**-24 * (self.k + 1) * np.abs(self.bias)
        if self.flags & RELU:
            want = np.maximum(want, 0)
        if self.dtype == "int8_t":
            np.testing.assert_array_equal(c, want.astype(np.int64))
            return
        got = from_bf16(c) if self.out == "bfloat16_t" else c
        digits = {"half": 11, "bfloat16_t": 8}.get(self.out, 24)
        bound = bound + np.abs(want) * 2.0**-digits
        assert (np.abs(got - want) <= bound).all(), np.abs(got - want).max()


def check_all(cases):
    batch = Batch()
    cases = [Case(batch, *c[:-1], **c[-1]) for c in cases]
    batch.run()
    for case in cases:
        case.check()


def all_shapes(dtype, *flags, **more):
    return [(dtype, shape, f, more) for shape in SHAPES for f in flags]


@covers(
    "Mmad", "LoadData", "DataCopy", forms=("2d",), dtypes=("half",), tail=True
)
def test_half():
    flags = [0, TRANSPOSED_A, TRANSPOSED_B, TRANSPOSED_A | TRANSPOSED_B]
    check_all(all_shapes("half", *flags))


@covers(
    "Mmad", "LoadData", forms=("2d", "bias"), dtypes=("half", "bfloat16_t"), tail=True
)
def test_bias_relu():
    check_all(
        all_shapes("half", BIAS, BIAS | RELU, out="half")
        + all_shapes("bfloat16_t", BIAS | TRANSPOSED_B, RELU, out="bfloat16_t")
    )


@covers(
    "Mmad",
    "LoadDataWithTranspose",
    forms=("2d",),
    dtypes=("int8_t", "half", "float"),
    tail=True,
)
def test_squares():
    check_all(
        all_shapes("int8_t", TRANSPOSE, TRANSPOSE | BIAS, TRANSPOSED_B)
        + all_shapes("int8_t", TRANSPOSE | TRANSPOSED_A)
        + all_shapes("float", TRANSPOSE, TRANSPOSED_A | TRANSPOSE)
    )


@covers(
    "LoadData", "Mmad", forms=("3d",), dtypes=("half", "float", "bfloat16_t"), tail=True
)
def test_image_as_matrix():
    check_all(
        all_shapes("half", IMAGE, IMAGE | TRANSPOSED_A)
        + all_shapes("float", IMAGE, IMAGE | TRANSPOSED_A, IMAGE | BIAS)
        + all_shapes("bfloat16_t", IMAGE | TRANSPOSED_B)
    )


@covers("SetHF32Mode", "SetHF32TransMode", dtypes=("float",), archs=(2201, 3510))
def test_hf32():
    check_all(
        all_shapes("float", IMAGE | HF32, IMAGE | HF32 | HF32_ZERO)
        + all_shapes("float", TRANSPOSED_B | HF32, soc=3510)
    )


@covers(
    "LoadData",
    "LoadDataWithStride",
    "SetLoadDataRepeatWithStride",
    "Mmad",
    forms=("2dv2", "3d"),
    dtypes=("half", "float", "int8_t"),
    archs=(3510,),
    tail=True,
)
def test_950():
    flags = [0, TRANSPOSED_A, TRANSPOSED_B, BIAS]
    check_all(
        all_shapes("half", *flags, soc=3510)
        + all_shapes("float", *flags, soc=3510)
        + all_shapes("int8_t", TRANSPOSED_B, TRANSPOSED_B | BIAS, soc=3510)
        + all_shapes("half", IMAGE, IMAGE | TRANSPOSED_A, soc=3510)
    )


if __name__ == "__main__":
    main()
