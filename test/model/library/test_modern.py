"""Element-wise routines that came with arch 3510, against NumPy."""
import numpy as np
from harness import Batch, covers, expect_failure, main

N = 203
TYPES = {"half": np.float16, "float": np.float32, "int8_t": np.int8,
         "uint16_t": np.uint16, "int32_t": np.int32, "int64_t": np.int64}
TAGS = {"half": "f16", "float": "f32", "int8_t": "i8", "uint16_t": "u16",
        "int32_t": "i32", "int64_t": "i64"}

FLOATS = [
    ("Rint", lambda x, y, w: np.rint(x)),
    ("Rint", lambda x, y, w: np.rint(x)),
    ("Fma", lambda x, y, w: x * y + w),
    ("Fma", lambda x, y, w: x * y + w),
    ("Hypot", lambda x, y, w: np.hypot(x, y)),
    ("Hypot", lambda x, y, w: np.hypot(x, y)),
    ("SinCos", lambda x, y, w: np.sin(x)),
    ("SinCos", lambda x, y, w: np.cos(x)),
    ("Clamp", lambda x, y, w: np.minimum(np.maximum(x, -1), 1.5)),
    ("Clamp", lambda x, y, w: np.minimum(np.maximum(x, y), w)),
    ("IsNan", lambda x, y, w: np.isnan(x)),
    ("IsInf", lambda x, y, w: np.isinf(x)),
    ("IsFinite", lambda x, y, w: np.isfinite(x)),
]
SPECIAL = (0, -0.0, np.inf, -np.inf, np.nan, 2.5, 3.5, -0.5)


def scalars(*values):
    return [("u32", v) for v in values]


@covers(*{name for name, _ in FLOATS}, forms=("count", "tmp+count", "scalars"),
        dtypes=("half", "float"), archs=(3510,), tail=True)
def test_floats():
    rng = np.random.default_rng(1)
    batch, cases = Batch(), []
    for op, (name, meaning) in enumerate(FLOATS):
        for kind in ("half", "float"):
            x, y, w = rng.normal(0, 3, (3, N)).astype(TYPES[kind])
            if name != "SinCos":
                x[:len(SPECIAL)] = SPECIAL
            launch = batch.add("modern.cpp", kernel=f"floats<{kind}>", soc=3510,
                               ins=[x, y, w], outs=[(TAGS[kind], N)],
                               scalars=scalars(N, op))
            with np.errstate(all="ignore"):
                want = meaning(*(v.astype(np.float64) for v in (x, y, w)))
            cases.append((launch, want.astype(TYPES[kind]), name, kind))
    batch.run()
    for launch, want, name, kind in cases:
        got, = launch.results()
        np.testing.assert_allclose(got, want, rtol=1e-3 if kind == "half" else 3e-6,
                                   atol=1e-6, err_msg=f"{name}<{kind}>")


@covers("LogicalNot", "LogicalAnd", "LogicalOr", "LogicalXor", "LogicalAnds",
        "LogicalOrs", "IsNan", "IsInf", "IsFinite",
        forms=("count", "scalar", "scalar of a tensor", "bool"),
        dtypes=("half", "float", "int8_t", "int64_t"), archs=(3510,), tail=True)
def test_logical():
    rng = np.random.default_rng(2)
    batch, cases = Batch(), []
    for kind in ("half", "float", "int8_t", "int64_t"):
        x, y = rng.integers(-1, 2, (2, N)).astype(TYPES[kind])
        a, b = x != 0, y != 0
        answers = [~a, a & b, a | b, a ^ b, a, a & b[0], a | b[0]]
        if kind == "float":
            x[:len(SPECIAL)] = SPECIAL
            a = x != 0
            answers = [~a, a & b, a | b, a ^ b, a, a & b[0], a | b[0], np.isnan(x),
                       np.isinf(x), np.isfinite(x)]
        for op, want in enumerate(answers):
            launch = batch.add("modern.cpp", kernel=f"logical<{kind}>", soc=3510,
                               ins=[x, y], outs=[("bool", N)], scalars=scalars(N, op))
            cases.append((launch, want, (kind, op)))
    batch.run()
    for launch, want, what in cases:
        np.testing.assert_array_equal(launch.results()[0], want, str(what))


@covers("BitwiseNot", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Where", "Clamp",
        "Power", "Sign", forms=("count", "scalar"),
        dtypes=("int8_t", "uint16_t", "int32_t", "int64_t"), archs=(3510,), tail=True)
def test_bits():
    rng = np.random.default_rng(3)
    batch, cases = Batch(), []
    for kind in ("int8_t", "uint16_t", "int32_t", "int64_t"):
        dtype = TYPES[kind]
        x = rng.integers(0, 256, N).astype(np.uint8).astype(dtype)
        y = rng.integers(0, 7, N).astype(dtype)
        condition = rng.random(N) < 0.5
        with np.errstate(over="ignore"):
            last = np.sign(x) if dtype == np.int64 else np.power(x, y, dtype=dtype)
        answers = [~x, x & y, x | y, x ^ y, np.where(condition, x, y),
                   np.where(condition, dtype(7), y),
                   np.minimum(np.maximum(x, y), 7), last]
        for op, want in enumerate(answers):
            launch = batch.add("modern.cpp", kernel=f"bits<{kind}>", soc=3510,
                               ins=[x, y, condition], outs=[(TAGS[kind], N)],
                               scalars=scalars(N, op))
            cases.append((launch, want, (kind, op)))
    batch.run()
    for launch, want, what in cases:
        np.testing.assert_array_equal(launch.results()[0], want, str(what))


@covers("Rint", forms=("refused",))
def test_refused():
    x = np.zeros(N, np.float32)
    expect_failure("unsupported-api", "modern.cpp", kernel="floats<float>", soc=2201,
                   line="Rint(z, x, n)", contains="arch 2201", ins=[x, x, x],
                   outs=[("f32", N)], scalars=scalars(N, 0))


if __name__ == "__main__":
    main()
