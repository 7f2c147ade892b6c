"""What the element-wise instructions compute, lane by lane, by NumPy."""
import numpy as np

from harness import Batch
from lanes import evaluate, pad, random_call

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
HALF, FLOAT = np.dtype("float16"), np.dtype("float32")
S16, U16 = np.dtype("int16"), np.dtype("uint16")
S32, U32 = np.dtype("int32"), np.dtype("uint32")
S64, U64 = np.dtype("int64"), np.dtype("uint64")
S8, U8 = np.dtype("int8"), np.dtype("uint8")
SOME = ("half", "float")
rng = np.random.default_rng(7)


def numbers(dtype, n, low=None, high=None):
    """Random values; integers over their whole range, floats small."""
    if dtype.kind == "f":
        return rng.uniform(-4 if low is None else low, 4 if high is None else high, n).astype(dtype)
    info = np.iinfo(dtype)
    low = info.min if low is None else low
    high = info.max if high is None else high
    return rng.integers(low, high, n, dtype=dtype, endpoint=True)


def wrapped(dtype, value):
    """An exact integer in a type that wraps."""
    if dtype.kind == "f":
        return dtype.type(value)
    bits = 8 * dtype.itemsize
    value = int(value) & ((1 << bits) - 1)
    if dtype.kind == "i" and value >> (bits - 1):
        value -= 1 << bits
    return dtype.type(value)


def wide(v):
    """Exact arithmetic: doubles for floats (products of two fit), Python's
    integers for the others."""
    return np.float64(v) if isinstance(v, np.floating) else int(v)


def in_type(function):
    """function on wide values, its result rounded to the destination's type."""
    return lambda z, *a: wrapped(z.dtype, function(wide(z), *[wide(v) for v in a]))


def relu(v):
    return v if v > 0 else type(v)(0)


def multiply_add(a, b, c):
    """As the examples of the API's documents have it: two roundings."""
    product = wrapped(c.dtype, wide(a) * wide(b))
    return wrapped(c.dtype, wide(product) + wide(c))


UNARY = dict(
    Exp=(0, in_type(lambda z, x: np.exp(x))),
    Ln=(1, in_type(lambda z, x: np.log(x))),
    Abs=(2, in_type(lambda z, x: abs(x))),
    Reciprocal=(3, in_type(lambda z, x: 1 / x)),
    Sqrt=(4, in_type(lambda z, x: np.sqrt(x))),
    Rsqrt=(5, in_type(lambda z, x: 1 / np.sqrt(x))),
    Relu=(6, in_type(lambda z, x: relu(x))),
    Not=(7, lambda z, x: ~x),
    Neg=(8, in_type(lambda z, x: -x)),
)
BINARY = dict(
    Add=(0, in_type(lambda z, x, y: x + y)),
    Sub=(1, in_type(lambda z, x, y: x - y)),
    Mul=(2, in_type(lambda z, x, y: x * y)),
    Div=(3, in_type(lambda z, x, y: x / y if isinstance(x, float) else int(x / y))),
    Max=(4, in_type(lambda z, x, y: max(x, y))),
    Min=(5, in_type(lambda z, x, y: min(x, y))),
    And=(6, in_type(lambda z, x, y: x & y)),
    Or=(7, in_type(lambda z, x, y: x | y)),
    AddRelu=(8, lambda z, x, y: relu(BINARY["Add"][1](z, x, y))),
    SubRelu=(9, lambda z, x, y: relu(BINARY["Sub"][1](z, x, y))),
    FusedMulAdd=(10, lambda z, x, y: multiply_add(x, z, y)),
    FusedMulAddRelu=(11, lambda z, x, y: relu(multiply_add(x, z, y))),
    MulAddRelu=(12, lambda z, x, y: relu(multiply_add(x, z, y))),
    MulAddDst=(13, in_type(lambda z, x, y: x * y + z)),
    Prelu=(20, in_type(lambda z, x, y: x if x > 0 else x * y)),
    AbsSub=(21, in_type(lambda z, x, y: abs(x - y))),
    FusedExpSub=(22, in_type(lambda z, x, y: np.exp(x - y))),
)


def shift_left(z, x, s):
    """Signed numbers keep their sign bit."""
    bits = 8 * z.dtype.itemsize
    shifted = int(x) << int(s)
    if z.dtype.kind == "u":
        return wrapped(z.dtype, shifted)
    low = shifted & ((1 << (bits - 1)) - 1)
    return z.dtype.type(low - (1 << (bits - 1)) if x < 0 else low)


def shift_right(z, x, s):
    return z.dtype.type(int(x) >> int(s))


def shift_right_rounded(z, x, s):
    return z.dtype.type((int(x) >> int(s)) + (int(x) >> int(s) - 1 & 1))


SCALAR = dict(
    Adds=(0, in_type(lambda z, x, s: x + s)),
    Muls=(1, in_type(lambda z, x, s: x * s)),
    Maxs=(2, in_type(lambda z, x, s: max(x, s))),
    Mins=(3, in_type(lambda z, x, s: min(x, s))),
    LeakyRelu=(4, in_type(lambda z, x, s: x if x >= 0 else x * s)),
    ShiftLeft=(5, shift_left),
    ShiftRight=(6, shift_right),
    Subs=(7, in_type(lambda z, x, s: x - s)),
    Divs=(8, in_type(lambda z, x, s: x / s)),
    Ands=(9, in_type(lambda z, x, s: x & s)),
    Ors=(10, in_type(lambda z, x, s: x | s)),
    Axpy=(11, lambda z, x, s: multiply_add(x, s, z)),
)
# Where the model is not correctly rounded: units in the last place.
ULPS = {"Exp": 2, "Ln": 2, "Rsqrt": 1, "FusedExpSub": 8}
FUSED = ("FusedMulAdd", "FusedMulAddRelu", "MulAddRelu", "MulAddDst", "Axpy")
TWICE = "rounds the product and the sum"


def check(got, want, ulps=0):
    if ulps == TWICE:
        # One rounding of a product below 16, and one of the sum.
        eps = np.finfo(got.dtype).eps
        np.testing.assert_allclose(got, want, rtol=eps, atol=8 * eps)
    elif ulps:
        np.testing.assert_array_almost_equal_nulp(got, want, ulps)
    else:
        np.testing.assert_array_equal(got, want)


def tolerance(name, dtype):
    return TWICE if name == "MulAddDst" and dtype.kind == "f" else ULPS.get(name, 0)


class Cases:
    """Many calls in one process, each compared with its lanes."""

    def __init__(self):
        self.batch, self.checks = Batch(), []

    def add(self, kernel, op, call, z, sources, function, arch, extra=(), ulps=0,
            number=None):  # fmt: skip
        """`number` is a source that is no vector."""
        walked = sources
        sources = sources if number is None else sources + [number]
        counts = [len(s) for s in sources] + [len(z)]
        words = [op] + counts
        p = np.concatenate([call.words(), np.array(list(extra) or words, np.int32)])
        launch = self.batch.add(
            "elementwise.cpp", kernel=kernel, ins=sources + [p], inouts=[z], soc=arch
        )
        self.checks.append((launch, call, z, walked, function, ulps))

    def run(self):
        self.batch.run()
        for launch, call, z, sources, function, ulps in self.checks:
            (got,) = launch.results()
            check(got, evaluate(call, z, sources, function), ulps)


def operand(call, number, dtype, widest, low=None, high=None):
    n = max(call.reach(number, dtype.itemsize, widest), 1)
    return pad(numbers(dtype, n, low, high), extra=int(rng.integers(0, 64)))


def calls(dtype, forms, each=1):
    for form in forms:
        for _ in range(each):
            yield random_call(rng, form, dtype.itemsize)


def unary(cases, name, dtype, forms, archs):
    op, function = UNARY[name]
    positive = name in ("Ln", "Sqrt", "Rsqrt", "Reciprocal")
    for arch in archs:
        for call in calls(dtype, forms):
            x = operand(call, 1, dtype, dtype.itemsize, 0.1 if positive else None)
            z = operand(call, 0, dtype, dtype.itemsize)
            cases.add(
                f"unary<{CTYPE[dtype.name]}>", op, call, z, [x], function, arch,
                extra=[op, len(x), 0, len(z)], ulps=tolerance(name, dtype),
            )  # fmt: skip


def binary(cases, name, dtype, forms, archs, each=1):
    op, function = BINARY[name]
    for arch in archs:
        for call in calls(dtype, forms, each):
            x, y = (operand(call, k, dtype, dtype.itemsize) for k in (1, 2))
            if name == "Div":
                y[y == 0] = 1
            z = operand(call, 0, dtype, dtype.itemsize)
            cases.add(
                f"binary<{CTYPE[dtype.name]}>", op, call, z, [x, y], function, arch,
                ulps=tolerance(name, dtype),
            )  # fmt: skip


def scalar(cases, name, dtype, forms, archs, value=None):
    op, function = SCALAR[name]
    for arch in archs:
        for call in calls(dtype, forms):
            x = operand(call, 1, dtype, dtype.itemsize)
            z = operand(call, 0, dtype, dtype.itemsize)
            s = pad(numbers(dtype, 1) if value is None else np.array([value], dtype))
            p = [op, len(x), 0, len(z)]
            cases.add(
                f"scalar<{CTYPE[dtype.name]}>", op, call, z, [x],
                lambda z, x, s=s[0]: function(z, x, s), arch, extra=p,
                ulps=tolerance(name, dtype), number=s,
            )  # fmt: skip
