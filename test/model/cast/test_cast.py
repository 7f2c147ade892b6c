"""Every conversion of Cast, on every architecture, in every rounding mode."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import Batch, covers, expect_failure, from_bf16, main, run  # noqa: E402
from harness import to_bf16  # noqa: E402
from lanes import BITS, COUNT, COUNTER, COUNTER_REGISTER, FORMS, MASK  # noqa: E402
from lanes import REGISTER, Call, pad, random_call  # noqa: E402

ARCHS = (2002, 2201, 3510)
NONE, RINT, FLOOR, CEIL, ROUND, TRUNC, ODD = range(7)
FIVE = (RINT, FLOOR, CEIL, ROUND, TRUNC)
SIX = FIVE + (NONE,)
ALL = (COUNT, MASK, BITS, REGISTER, COUNTER, COUNTER_REGISTER)
rng = np.random.default_rng(3)

# kind: (C++, NumPy's storage); bf16 is stored as its bits.
KINDS = {
    "s8": ("int8_t", "int8"),
    "u8": ("uint8_t", "uint8"),
    "s16": ("int16_t", "int16"),
    "u16": ("uint16_t", "uint16"),
    "s32": ("int32_t", "int32"),
    "u32": ("uint32_t", "uint32"),
    "s64": ("int64_t", "int64"),
    "f16": ("half", "float16"),
    "bf16": ("bfloat16_t", "uint16"),
    "f32": ("float", "float32"),
    "f64": ("double", "float64"),
    "e5m2": ("fp8_e5m2_t", "uint8"),
    "e4m3": ("fp8_e4m3fn_t", "uint8"),
}

# What the API reference lists: source, destination, modes.
TABLE = {
    2002: """s8 f16 N; u8 f16 N; s16 f16 N; f16 s8 FCAT N; f16 u8 FCAT N; f16 s16 R;
        f16 s32 RFCAT; f16 f32 N; s32 s16 N; s32 f32 N; f32 f16 O N; f32 s32 RFCAT""",
    2201: """s8 f16 N; u8 f16 N; s16 f16 RFCAT N; s16 f32 N; f16 s8 RFCAT N;
        f16 u8 RFCAT N; f16 s16 RFCAT; f16 s32 RFCAT; f16 f32 N; bf16 s32 RFCAT;
        bf16 f32 N; s32 s16 N; s32 f32 RFCAT N; s32 s64 N; f32 s16 RFCAT;
        f32 f16 RFCAT O N; f32 bf16 RFCAT; f32 s32 RFCAT; f32 f32 RFCAT;
        f32 s64 RFCAT; s64 s32 N; s64 f32 RFCAT""",
    3510: """s8 s16 N; s8 f16 N; s8 s32 N; u8 u16 N; u8 f16 N; u8 u32 N; e5m2 f32 N;
        e4m3 f32 N; s16 u8 N; s16 f16 RFCAT; s16 s32 N; s16 u32 N; s16 f32 N; u16 u8 N;
        u16 u32 N; f16 s8 RFCAT; f16 u8 RFCAT; f16 s16 RFCAT; f16 bf16 RFCAT;
        f16 s32 RFCAT; f16 f32 N; bf16 f16 RFCAT; bf16 s32 RFCAT; bf16 f32 N; s32 u8 N;
        s32 s16 N; s32 u16 N; s32 f32 RFCAT; s32 s64 N; u32 u8 N; u32 s16 N; u32 u16 N;
        f32 e5m2 R; f32 e4m3 R; f32 s16 RFCAT; f32 f16 RFCAT O N; f32 bf16 RFCAT;
        f32 s32 RFCAT; f32 f32 RFCAT; f32 s64 RFCAT; s64 s32 N; s64 f32 RFCAT;
        s64 f64 RFCAT; f64 bf16 RFCAT; f64 s32 T; f64 f32 RFCAT; f64 s64 T""",
}
LETTERS = dict(N=NONE, R=RINT, F=FLOOR, C=CEIL, A=ROUND, T=TRUNC, O=ODD)


def conversions(arch):
    for row in TABLE[arch].split(";"):
        source, target, *modes = row.split()
        yield source, target, [LETTERS[m] for m in "".join(modes)]


# --- values, as exact fractions of Python's integers ---------------------------

BITS_OF = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "e5m2": (5, 2), "e4m3": (4, 3)}


def decode_f8(bits, e, m, infinities):
    sign = -1.0 if bits & 0x80 else 1.0
    exponent, mantissa = bits >> m & (1 << e) - 1, bits & (1 << m) - 1
    bias = (1 << e - 1) - 1
    if exponent == (1 << e) - 1 and infinities:
        return np.nan if mantissa else sign * np.inf
    if exponent == (1 << e) - 1 and mantissa == (1 << m) - 1:
        return np.nan
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - m)
    return sign * (mantissa + (1 << m)) * 2.0 ** (exponent - bias - m)


def value_of(kind, x):
    """The number that a stored element means: int or float, exact."""
    if kind == "bf16":
        return float(from_bf16(np.array([x], np.uint16))[0])
    if kind in ("e5m2", "e4m3"):
        return decode_f8(int(x), *BITS_OF[kind], kind == "e5m2")
    return int(x) if kind[0] in "su" else float(x)


def round_integral(x, mode):
    """x, a float or int, to an integer."""
    if isinstance(x, int):
        return x
    down = int(np.floor(x))
    rest = x - down
    if mode == FLOOR:
        return down
    if mode == CEIL:
        return down + (rest > 0)
    if mode == TRUNC:
        return int(x)
    if mode == ROUND:
        return down + (rest > 0.5 or (rest == 0.5 and x > 0))
    return down + (rest > 0.5 or (rest == 0.5 and down % 2 == 1))


def to_integer(kind, x, mode):
    if x != x:
        return 0
    info = np.iinfo(KINDS[kind][1])
    if x in (np.inf, -np.inf):
        return info.max if x > 0 else info.min
    return min(max(round_integral(x, mode), info.min), info.max)


def neighbours(kind, x):
    """The float of a kind at or below |x| and the next above, as floats and as
    the mantissa's last bit of the lower."""
    from fractions import Fraction

    e, m = BITS_OF[kind]
    bias = (1 << e - 1) - 1
    magnitude = abs(Fraction(x))
    exponent = 1 - bias
    while magnitude >= Fraction(2) ** (exponent + 1):
        exponent += 1
    unit = Fraction(2) ** (exponent - m)
    steps = magnitude // unit
    return steps * unit, (steps + 1) * unit, int(steps) % 2, magnitude


def to_float(kind, x, mode):
    """x rounded once to a float kind; the largest plus half a unit overflows."""
    if x in (np.inf, -np.inf) and kind == "e4m3":
        return np.nan  # it has no infinities
    if x != x or x in (np.inf, -np.inf) or x == 0:
        return x
    low, high, odd, magnitude = neighbours(kind, x)
    negative = x < 0
    middle = (low + high) / 2
    if magnitude == low:
        up = False
    elif mode == FLOOR:
        up = negative
    elif mode == CEIL:
        up = not negative
    elif mode == TRUNC:
        up = False
    elif mode == ROUND:
        up = magnitude >= middle
    elif mode == ODD:
        up = not odd
    else:
        up = magnitude > middle or (magnitude == middle and odd)
    result = float(high if up else low)
    e, m = BITS_OF[kind]
    largest = 448.0 if kind == "e4m3" else (2 - 2.0**-m) * 2.0 ** ((1 << e - 1) - 1)
    if result > largest:
        towards_zero = mode in (TRUNC, ODD) or (mode == FLOOR) != negative and mode in (FLOOR, CEIL)
        result = largest if towards_zero else (np.nan if kind == "e4m3" else np.inf)
    return -result if negative else result


def converted(source, target, x, mode):
    """What Cast makes of one stored element, as the target stores it."""
    value = value_of(source, x)
    if target[0] in "su":
        return to_integer(target, value, mode)
    if source == target:
        return np.float32(round_integral(value, mode)) if np.isfinite(value) else x
    if target == "f64":
        return np.float64(value)
    return to_float(target, value, mode)


def same(target, got, want):
    if target in ("e5m2", "e4m3", "bf16"):
        got = np.array([value_of(target, v) for v in got])
    got, want = np.asarray(got), np.asarray(want)
    # NumPy's own 64-bit integers are exact, its comparison with floats is not.
    if target[0] in "su":
        want = np.array([int(w) for w in want], dtype=got.dtype)
    else:
        want = want.astype(np.float64)
        got = got.astype(np.float64)
    np.testing.assert_array_equal(got, want)


def samples(source, target, n):
    """Values that matter: random, halves, ties, limits, beyond them."""
    dtype = np.dtype(KINDS[source][1])
    if source in ("e5m2", "e4m3"):
        return rng.integers(0, 256, n, dtype=np.uint8)
    if dtype.kind in "iu" and source != "bf16":
        info = np.iinfo(dtype)
        x = rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
        x[: n // 2] = (x[: n // 2] >> dtype.type(8 * dtype.itemsize // 2)).astype(dtype)
        special = [info.min, info.max, 0, 1, info.max - 1]
        if dtype.itemsize >= 4:
            special += [2**24 + 1, 2**24 + 3, 2**25 + 2, 2**11 + 1]
        x[: len(special)] = special
        return x
    scale = 2.0 ** rng.integers(-20, 20, n)
    x = rng.standard_normal(n) * scale
    halves = np.arange(-20, 20) / 2
    x[: len(halves)] = halves
    specials = [0.0, -0.0, np.inf, -np.inf, np.nan, 127.5, 128.5, -128.5, 255.5, 32767.5,
                65504.0, 65519.0, 65520.0, 65535.0, 2.0**31, -(2.0**31), 2.0**63,
                1 + 2.0**-11, 1 + 3 * 2.0**-11, 2.0**-24, 2.0**-25, 3 * 2.0**-26,
                1 + 2.0**-8, 1 + 3 * 2.0**-8, 448.0, 464.0, 480.0, 57344.0, 61440.0]  # fmt: skip
    x[len(halves) : len(halves) + len(specials)] = specials
    if source == "bf16":
        return to_bf16(x)
    with np.errstate(over="ignore"):
        return x.astype(dtype)


def add(batch, source, target, mode, call, x, z, arch):
    p = np.concatenate([call.words(), np.array([mode, len(x), len(z)], np.int32)])
    kernel = f"cast<{KINDS[target][0]},{KINDS[source][0]}>"
    return batch.add("cast.cpp", kernel=kernel, ins=[x, p], inouts=[z], soc=arch)


def natural(source, target):
    sizes = [np.dtype(KINDS[k][1]).itemsize for k in (target, source)]
    return [8 * s // max(sizes) for s in sizes] + [8], max(sizes)


def check_values(arch):
    batch, checks = Batch(), []
    for source, target, modes in conversions(arch):
        x = pad(samples(source, target, 150))
        z = pad(np.zeros(len(x), KINDS[target][1]))
        for mode in modes:
            strides, _ = natural(source, target)
            call = Call(COUNT, 150, rep=strides)
            one = add(batch, source, target, mode, call, x, z, arch)
            checks.append((one, source, target, mode, x))
    batch.run()
    for one, source, target, mode, x in checks:
        (got,) = one.results()
        want = [converted(source, target, v, mode) for v in x[:150]]
        try:
            same(target, got[:150], want)
        except AssertionError as error:
            raise AssertionError(f"{source} to {target}, mode {mode}: {error}") from None
        assert not np.any(got[150:])


DTYPES = tuple(sorted(k[0] for k in KINDS.values()))


@covers("Cast", forms=("count",), dtypes=DTYPES, archs=(2002,), tail=True)
def test_values_on_2002():
    check_values(2002)


@covers("Cast", forms=("count",), dtypes=DTYPES, archs=(2201,), tail=True)
def test_values_on_2201():
    check_values(2201)


@covers("Cast", forms=("count",), dtypes=DTYPES, archs=(3510,), tail=True)
def test_values_on_3510():
    check_values(3510)


@covers("Cast", forms=tuple(FORMS), archs=ARCHS, tail=True,
        dtypes=("half", "float", "int32_t", "int16_t", "int64_t", "uint8_t"))  # fmt: skip
def test_forms():
    batch, checks = Batch(), []
    pairs = [("f16", "f32", NONE), ("f32", "f16", NONE), ("f32", "s32", RINT),
             ("f16", "s32", RINT), ("u8", "f16", NONE), ("f16", "u8", TRUNC)]  # fmt: skip
    for arch in ARCHS:
        more = [("s64", "s32", NONE), ("f32", "s64", RINT)] if arch == 2201 else []
        for source, target, mode in pairs + more:
            strides, widest = natural(source, target)
            src, dst = (np.dtype(KINDS[k][1]) for k in (source, target))
            for form in ALL if arch == 2201 else (MASK, BITS):
                call = random_call(rng, form, widest, strides)
                n = call.reach(1, src.itemsize, widest)
                x = pad(samples(source, target, max(n, 150))[-n:])
                z = pad(np.full(call.reach(0, dst.itemsize, widest), 7, dst))
                want = z.copy()
                for where in call.lanes(widest):
                    v = x[call.index(1, where, src.itemsize)]
                    want[call.index(0, where, dst.itemsize)] = converted(source, target, v, mode)
                checks.append((add(batch, source, target, mode, call, x, z, arch), target, want))
    batch.run()
    for one, target, want in checks:
        same(target, one.results()[0], want)


def unpack(nibble_bytes):
    """Signed 4-bit integers, the low half of each byte first."""
    pairs = np.stack([nibble_bytes & 15, nibble_bytes.view(np.uint8) >> 4], 1).reshape(-1)
    return np.where(pairs > 7, pairs.astype(np.int16) - 16, pairs).astype(np.int16)


@covers("Cast", forms=("count", "mask", "bits"), dtypes=("int4b_t", "half"), archs=ARCHS)
def test_nibbles():
    x = pad(np.concatenate([np.arange(-12, 12) / 2, rng.uniform(-9, 9, 232)]).astype(np.float16))
    z = np.zeros(128, np.int8)

    def narrow(call, mode, arch, x=x, kernel="half"):
        p = np.concatenate([call.words(), np.array([mode, len(x), len(z)], np.int32)])
        (got,) = run("cast.cpp", kernel=f"to_nibbles<{kernel}>", ins=[x, p], inouts=[z], soc=arch)
        return unpack(got)

    for arch, modes in ((2002, (NONE,)), (2201, SIX), (3510, FIVE)):
        for mode in modes:
            got = narrow(Call(COUNT, 250, rep=(2, 8)), mode, arch)
            want = [min(max(round_integral(float(v), mode), -8), 7) for v in x[:250]]
            np.testing.assert_array_equal(got[:250], want)
            assert not np.any(got[250:])
    got = narrow(Call(MASK, 100, repeat=2, rep=(2, 8)), RINT, 2201)
    want = np.array([min(max(round_integral(float(v), RINT), -8), 7) for v in x])
    want[100:128] = want[228:] = 0
    np.testing.assert_array_equal(got, want)
    s = rng.integers(-40, 40, 256).astype(np.int16)
    got = narrow(Call(COUNT, 256, rep=(2, 8)), NONE, 3510, s, "int16_t")
    np.testing.assert_array_equal(got, np.clip(s, -8, 7))

    packed = rng.integers(-128, 128, 128).astype(np.int8)
    for arch, kernel, kind in ((2201, "half", "f2"), (3510, "half", "f2"), (3510, "int16_t", "i2")):
        out = np.zeros(256, kind)
        p = np.concatenate([Call(COUNT, 250, rep=(8, 2)).words(), np.array([0, 128, 256], np.int32)])
        (got,) = run("cast.cpp", kernel=f"from_nibbles<{kernel}>", ins=[packed, p], inouts=[out], soc=arch)
        np.testing.assert_array_equal(got[:250], unpack(packed)[:250])
        assert not np.any(got[250:])


def test_split_pairs():
    x, z = np.zeros(256, np.float16), np.zeros(128, np.int8)
    for call in (Call(COUNT, 251, rep=(2, 8)), Call(BITS, bits=0b1, rep=(2, 8))):
        p = np.concatenate([call.words(), np.array([RINT, 256, 128], np.int32)])
        expect_failure("bad-mask", "cast.cpp", kernel="to_nibbles<half>", ins=[x, p],
                       inouts=[z], contains="splits a pair")  # fmt: skip


@covers("SetDeqScale", "CastDeq", "Cast", forms=("count",), dtypes=("half", "int32_t"),
        archs=ARCHS, tail=True)  # fmt: skip
def test_dequantise():
    x = rng.integers(-(2**20), 2**20, 208).astype(np.int32)
    z = np.zeros(208, np.float16)
    p = np.concatenate([Call(COUNT, 200, rep=(4, 8)).words(), np.array([0, 208, 208], np.int32)])
    for arch, op in ((2002, 0), (2201, 0), (2201, 1), (3510, 0), (3510, 1)):
        (got,) = run("cast.cpp", kernel="dequant", ins=[x, p], inouts=[z], soc=arch,
                     scalars=[("f32", 0.0625), ("i32", op)])  # fmt: skip
        with np.errstate(over="ignore"):
            want = (x.astype(np.float64) * 0.0625).astype(np.float16)
        np.testing.assert_array_equal(got[:200], want[:200])
        assert not np.any(got[200:])
    expect_failure("unsupported-dtype", "cast.cpp", kernel="dequant", ins=[x, p], inouts=[z],
                   scalars=[("f32", 0), ("i32", 0)], contains="SetDeqScale")  # fmt: skip


@covers("CastDequant", "SetDeqScale", forms=("count", "mask", "bits"), archs=ARCHS,
        dtypes=("int8_t", "uint8_t"), tail=True)  # fmt: skip
def test_quantise():
    x = rng.integers(-400, 400, 256).astype(np.int16)

    def want(z, call, vec, upper):
        z = z.copy()
        info = np.iinfo(z.dtype)
        for where in call.lanes(2):
            at = call.index(1, where, 2)
            j = at % 16
            scale, offset = (0.25 * (j + 1), j - 8) if vec else (0.5, -3)
            v = min(max(round_integral(float(x[at]) * scale + offset, RINT), info.min), info.max)
            block, lane = divmod(call.index(0, where, 2), 16)
            z[block * 32 + lane + (16 if upper else 0)] = v
        return z

    calls = [Call(COUNT, 250), Call(MASK, 100, repeat=2), Call(BITS, bits=0x1234567 << 40, repeat=2)]
    for arch in ARCHS:
        for dtype in ("int8", "uint8"):
            for vec, upper in ((True, True), (False, False), (False, True)):
                for call in calls if arch == 2201 else calls[:1]:
                    z = np.full(512, 9, dtype)
                    p = np.concatenate([call.words(), np.array([0, 256, 512], np.int32)])
                    kernel = f"quant<{dtype}_t,{int(vec)},{int(upper)}>"
                    (got,) = run("cast.cpp", kernel=kernel, ins=[x, p], inouts=[z], soc=arch)
                    np.testing.assert_array_equal(got, want(z, call, vec, upper))


@covers("Truncate", forms=("count",), dtypes=("half", "float"), archs=(3510,), tail=True)
def test_truncate():
    for dtype, kernel in (("float16", "half"), ("float32", "float")):
        x = (rng.standard_normal(96) * 30).astype(dtype)
        for mode, function in ((2, np.floor), (1, np.rint)):
            scalars = [("i32", mode), ("i32", 90), ("i32", 96)]
            (got,) = run("cast.cpp", kernel=f"truncate<{kernel}>", ins=[x], soc=3510,
                         inouts=[np.zeros(96, dtype)], scalars=scalars)  # fmt: skip
            np.testing.assert_array_equal(got[:90], function(x[:90]))


@covers("ScalarCast", "ToFloat", "ToBfloat16", "Cast", forms=("scalar",), dtypes=("float",))
def test_scalars():
    x = np.array([-2.5, 1 + 2.0**-11 + 2.0**-20], np.float32)
    (got,) = run("cast.cpp", kernel="scalars", ins=[x], outs=[("f32", 8)])
    bf16 = from_bf16(to_bf16(x[1:]))[0]
    odd, half = np.float32(1 + 2.0**-10), np.float32(np.float16(x[1]))
    np.testing.assert_array_equal(got, [-3, -2, -3, -2, odd, bf16, bf16, half])


@covers("SetSaturationFlag", forms=("float", "cast"), archs=(2201, 3510))
def test_saturation():
    x = np.array([1e6, -1e6, np.nan, 2.5, 70000, -40000] + [0] * 10, np.float32)
    for arch in (2201, 3510):
        for mode, want in (
            (0, [np.inf, -np.inf, np.nan, 2.5, np.inf, -40000]),
            (1, [65504, -65504, 0, 2.5, 65504, -40000]),
            (8, [65504, -65504, 0, 2.5, 65504, -40000]),
            (4, [32767, -32768, 0, 2, 32767, -32768]),
            (6, [16960, -16960, 0, 2, 4464, 25536]),
        ):
            (got,) = run("cast.cpp", kernel="saturation", ins=[x], soc=arch,
                         inouts=[np.zeros(16, np.float16)], scalars=[("i32", mode)])  # fmt: skip
            np.testing.assert_array_equal(got[:6], np.array(want, np.float16))


def test_refusals():
    def case(kernel, mode, x, z, arch=2201):
        p = np.concatenate([Call(COUNT, 16).words(), np.array([mode, len(x), len(z)], np.int32)])
        return dict(kernel=kernel, ins=[x, p], inouts=[z], soc=arch)

    h, f, s = np.zeros(16, np.float16), np.zeros(16, np.float32), np.zeros(16, np.int32)
    b = np.zeros(32, np.int8)
    expect_failure("unsupported-dtype", "cast.cpp", contains="CAST_NONE",
                   **case("cast<int32_t,float>", NONE, f, s))  # fmt: skip
    run("cast.cpp", **case("cast<int32_t,float>", RINT, f, s))
    expect_failure("unsupported-dtype", "cast.cpp", contains="CAST_RINT",
                   **case("cast<float,half>", RINT, h, f))  # fmt: skip
    expect_failure("unsupported-dtype", "cast.cpp", contains="this conversion has CAST_NONE",
                   **case("cast<float,half>", RINT, h, f))  # fmt: skip
    run("cast.cpp", **case("cast<float,half>", NONE, h, f))
    expect_failure("unsupported-dtype", "cast.cpp", contains="from float to int8_t",
                   **case("cast<int8_t,float>", RINT, np.zeros(32, np.float32), b))  # fmt: skip
    expect_failure("unsupported-dtype", "cast.cpp", contains="arch 2002",
                   **case("cast<int64_t,float>", RINT, f, np.zeros(16, np.int64), 2002))  # fmt: skip


if __name__ == "__main__":
    main()
