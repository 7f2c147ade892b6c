"""The Matmul object against NumPy. Errors are bounded as in test_product.py."""
import numpy as np

from harness import Batch, In, InOut, Out, Scalar, covers, expect_failure, main

TRANSPOSED_A, TRANSPOSED_B, BIAS, QUANT, QUANT_VECTOR = 1, 2, 4, 8, 16
ATOMIC, ALONG_N, HF32 = 32, 64, 128
ALL, ITERATE, ASYNC, TO_LOCAL, SEQUENTIAL, PARTIAL = range(6)
rng = np.random.default_rng(11)


def nz(matrix):
    """ND to NZ: columns of fractals of 16 rows and 32 bytes."""
    c0 = 32 // matrix.itemsize
    rows, columns = matrix.shape
    padded = np.pad(matrix, ((0, -rows % 16), (0, -columns % c0)))
    return padded.reshape(padded.shape[0], -1, c0).transpose(1, 0, 2).copy()


class Case:
    def __init__(
        self,
        batch,
        shape,
        base,
        flags=0,
        way=ALL,
        types=("half", "float", "float"),
        fmt="ND",
        blocks=1,
        soc=2201,
        scale=None,
    ):
        (m, n, k), (base_m, base_n) = shape, base
        self.shape, self.base, self.flags, self.way = shape, base, flags, way
        self.types, self.scale = types, scale
        integer = types[0] == "int8_t"
        kinds = {"half": np.float16, "float": np.float32, "int8_t": np.int8}
        if integer:
            a, b = (rng.integers(-128, 128, x, dtype=np.int8) for x in ((m, k), (k, n)))
            bias = rng.integers(-(10**5), 10**5, n, dtype=np.int32)
        else:
            a, b = (
                rng.standard_normal(x).astype(kinds[types[0]]) for x in ((m, k), (k, n))
            )
            bias = rng.standard_normal(n).astype(kinds[types[1]])
        self.a, self.b, self.bias = (x.astype(np.float64) for x in (a, b, bias))
        a = np.ascontiguousarray(a.T) if flags & TRANSPOSED_A else a
        b = np.ascontiguousarray(b.T) if flags & TRANSPOSED_B else b
        if fmt == "NZ":
            a, b = nz(a), nz(b)
        words = np.zeros(n, np.uint64)
        if scale is not None:
            words = np.asarray(scale, np.float32).view(np.uint32).astype(np.uint64)
            words = np.broadcast_to(words | np.uint64(1 << 46), n).copy()
        out = {"half": "f16", "float": "f32", "int32_t": "i32", "int8_t": "i8"}[types[2]]
        self.before = None
        size = (m, n)
        if way == SEQUENTIAL:
            size = (-(-m // base_m) * -(-n // base_n), base_m * base_n)
        if flags & ATOMIC:
            self.before = rng.standard_normal(size).astype(np.float32)
            target = InOut(self.before)
        else:
            target = Out(out, size)
        self.launch = batch.add(
            "matmul.cpp",
            kernel=f"matmul_object<{types[0]}, {types[1]}, {types[2]}, CubeFormat::{fmt}>",
            args=[In(a), In(b), In(bias), In(words), target]
            + [Scalar("u32", x) for x in (m, n, k, base_m, base_n, flags, way)],
            blocks=blocks,
            soc=soc,
        )

    def check(self):
        (c,) = self.launch.results()
        m, n, k = self.shape
        want = self.a @ self.b
        bound = k * 2.0**-24 * (np.abs(self.a) @ np.abs(self.b))
        if self.flags & BIAS:
            want, bound = want + self.bias, bound + k * 2.0**-24 * np.abs(self.bias)
        if self.way == SEQUENTIAL:
            c, m_steps = c.reshape(-1), -(-m // self.base[0])
            blocks = c.reshape(-1, self.base[0], self.base[1])
            c = np.block(
                [
                    [blocks[j * m_steps + i] for j in range(len(blocks) // m_steps)]
                    for i in range(m_steps)
                ]
            )
        if self.scale is not None:
            # Ten bits of the scale's mantissa are used.
            raw = np.asarray(self.scale, np.float32).view(np.uint32) & np.uint32(
                0xFFFFE000
            )
            want = want * raw.view(np.float32).astype(np.float64)
        if self.before is not None:
            want, bound = want + self.before, bound + 2.0**-23 * np.abs(self.before)
        if self.types[2] == "int8_t":
            np.testing.assert_array_equal(c, np.clip(np.rint(want), -128, 127))
        elif self.types[2] == "int32_t":
            np.testing.assert_array_equal(c, want.astype(np.int64))
        else:
            digits = 11 if self.types[2] == "half" else 24
            bound = bound + np.abs(want) * 2.0**-digits
            assert (np.abs(c - want) <= bound).all(), np.abs(c - want).max()


def check_all(*cases):
    batch = Batch()
    made = [Case(batch, *positional, **named) for positional, named in cases]
    batch.run()
    for case in made:
        case.check()


SHAPES = [((64, 64, 96), (32, 32)), ((50, 70, 33), (32, 32)), ((17, 130, 65), (16, 48))]
MATMUL = ("Matmul", "REGIST_MATMUL_OBJ")


@covers(
    *MATMUL,
    forms=("IterateAll",),
    dtypes=("half",),
    archs=(2201, 2002, 3510),
    tail=True,
)
def test_iterate_all():
    check_all(
        *(((s, b, f), {}) for s, b in SHAPES for f in (0, 1, 2, 3, BIAS, ALONG_N | BIAS)),
        *(((s, b, BIAS), {"blocks": 5}) for s, b in SHAPES),
        *(((s, b, BIAS), {"soc": 2002, "blocks": 3}) for s, b in SHAPES),
        *(((s, b, BIAS), {"soc": 3510}) for s, b in SHAPES),
    )


@covers(*MATMUL, forms=("Iterate", "GetTensorC", "async"), dtypes=("half",), tail=True)
def test_iterate():
    check_all(
        *(((s, b, f, w), {}) for s, b in SHAPES for w in (ITERATE, ASYNC) for f in (BIAS, ALONG_N)),
        (((64, 96, 48), (32, 32), BIAS, TO_LOCAL), {}),
        (((64, 96, 48), (32, 32), 0, SEQUENTIAL), {}),
        (((32, 32, 96), (32, 32), BIAS, PARTIAL), {}),
        (((32, 32, 96), (32, 32), 3, PARTIAL), {}),
    )


@covers(*MATMUL, forms=("NZ",), dtypes=("half", "int8_t"), tail=False)
def test_nz():
    check_all(
        *((((64, 96, 64), (32, 32), f), {"fmt": "NZ"}) for f in (0, 1, 2, 3)),
        (((64, 96, 64), (32, 32), 0), {"fmt": "NZ", "types": ("int8_t", "int32_t", "int32_t")}),
    )


@covers(*MATMUL, dtypes=("half", "float", "int8_t"), forms=("quant",), tail=True)
def test_types():
    int8 = ("int8_t", "int32_t")
    check_all(
        *(((s, b, BIAS), {"types": ("half", "half", "half")}) for s, b in SHAPES),
        *(((s, b, BIAS), {"types": ("float", "float", "float")}) for s, b in SHAPES),
        *(((s, b, BIAS), {"types": (*int8, "int32_t")}) for s, b in SHAPES),
        *(((s, b, QUANT), {"types": (*int8, "half"), "scale": 0.0371}) for s, b in SHAPES),
        *(
            (
                (s, b, QUANT_VECTOR),
                {"types": (*int8, "int8_t"), "scale": np.linspace(1e-4, 2e-3, s[1])},
            )
            for s, b in SHAPES
        ),
    )


@covers(*MATMUL, forms=("atomic",), dtypes=("half",), tail=True)
def test_atomic():
    check_all(*(((s, b, ATOMIC, w), {}) for s, b in SHAPES for w in (ALL, ITERATE)))


def test_no_tiling():
    arrays = [np.zeros((16, 16), np.float16)] * 2 + [np.zeros(16, np.float32)]
    expect_failure(
        "tiling-mismatch",
        "matmul.cpp",
        kernel="matmul_object<half, float, float, CubeFormat::ND>",
        args=[In(x) for x in arrays]
        + [In(np.zeros(16, np.uint64)), Out("f32", (16, 16))]
        + [Scalar("u32", x) for x in (16, 16, 16, 0, 16, 0, ALL)],
        contains="steps of 0 x 16",
    )


def test_no_scale():
    expect_failure(
        "unsupported-dtype",
        "matmul.cpp",
        kernel="matmul_object<int8_t, int32_t, half, CubeFormat::ND>",
        args=[In(np.zeros((16, 32), np.int8)), In(np.zeros((32, 16), np.int8))]
        + [In(np.zeros(16, np.int32)), In(np.zeros(16, np.uint64)), Out("f16", (16, 16))]
        + [Scalar("u32", x) for x in (16, 16, 32, 16, 16, 0, ALL)],
        contains="has no scale",
    )


if __name__ == "__main__":
    main()
