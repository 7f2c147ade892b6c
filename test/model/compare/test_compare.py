"""Compare, Compares and Select against NumPy: bits, modes, masks, strides."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import Batch, covers, expect_failure, main, run  # noqa: E402
from lanes import BITS, COUNT, COUNTER, FORMS, MASK, REGISTER, Call, pad  # noqa: E402
from lanes import random_call  # noqa: E402

ARCHS = (2002, 2201, 3510)
CTYPE = {
    "float16": "half",
    "float32": "float",
    "int8": "int8_t",
    "int16": "int16_t",
    "uint16": "uint16_t",
    "int32": "int32_t",
    "uint32": "uint32_t",
    "int64": "int64_t",
    "float64": "double",
}
LT, GT, EQ, LE, GE, NE = range(6)
COMPARE = [np.less, np.greater, np.equal, np.less_equal, np.greater_equal, np.not_equal]
CMPMASK, SCALAR, TENSOR = range(3)
rng = np.random.default_rng(5)


def numbers(dtype, n):
    """Few distinct values, so that equality happens; floats with a NaN."""
    dtype = np.dtype(dtype)
    if dtype.kind != "f":
        return rng.integers(0, 4, n).astype(dtype)
    x = rng.integers(-2, 3, n).astype(dtype)
    x[rng.integers(0, n, max(n // 20, 1))] = np.nan
    return x


def add(batch, kind, mode, call, x, y, z, arch):
    p = [mode, len(x), len(y), len(z), kind]
    p = np.concatenate([call.words(), np.array(p, np.int32)])
    kernel = f"compare<{CTYPE[x.dtype.name]}>"
    return batch.add("compare.cpp", kernel=kernel, ins=[x, y, p], inouts=[z], soc=arch)


def packed(bits):
    return np.packbits(bits, bitorder="little")


def lanes_of(call, size, masked):
    """Before 3510 the mask of a comparison with a destination does not count."""
    if call.form == COUNT or masked:
        return set(call.lanes(size))
    return {(r, i) for r in range(call.repeat) for i in range(256 // size)}


def expected(call, mode, x, y, z, arch, scalar):
    size, per_repeat = x.itemsize, 256 // x.itemsize
    repeats = -(-call.n // per_repeat) if call.form == COUNT else call.repeat
    bits = np.zeros(repeats * per_repeat, bool)
    for where in lanes_of(call, size, arch == 3510):
        a = x[call.index(1, where, size)]
        b = y[0] if scalar else y[call.index(2, where, size)]
        bits[where[0] * per_repeat + where[1]] = COMPARE[mode](a, b)
    result = z.copy()
    result[: len(bits) // 8] = packed(bits)
    return result


def call_for(form, size):
    per_repeat = 256 // size
    if form == COUNT:
        return Call(COUNT, int(rng.integers(1, 5)) * per_repeat)
    call = random_call(rng, form, size)
    call.block[0], call.rep[0] = 1, 8
    return call


def room(call, operand, size):
    """All lanes of each repeat, since masks may not count."""
    full = Call(MASK, 256 // size, 0, call.repeat, call.block, call.rep)
    return (call if call.form == COUNT else full).reach(operand, size, size)


def check_compares(kinds, dtypes, archs, forms, modes=range(6)):
    batch, checks = Batch(), []
    for arch in archs:
        for dtype in dtypes:
            size = np.dtype(dtype).itemsize
            for kind in kinds:
                for form in forms:
                    for mode in modes:
                        call = call_for(form, size)
                        x = pad(numbers(dtype, room(call, 1, size)))
                        y = pad(numbers(dtype, room(call, 2, size)))
                        z = rng.integers(0, 256, 256, dtype=np.uint8)
                        want = expected(call, mode, x, y, z, arch, kind in (1, 2))
                        checks.append((add(batch, kind, mode, call, x, y, z, arch), want))
    batch.run()
    for one, want in checks:
        np.testing.assert_array_equal(one.results()[0], want)


@covers("Compare", "Compares", "CompareScalar", forms=("count", "mask", "bits"),
        dtypes=("half", "float"), archs=ARCHS)  # fmt: skip
def test_compare():
    check_compares((0, 1, 2), ("float16", "float32"), ARCHS, (COUNT, MASK, BITS))


@covers("Compare", "Compares", forms=("count",), dtypes=("int32_t",), archs=(2201,))
def test_compare_integers():
    check_compares((0, 1), ("int32",), (2201,), (COUNT, MASK), modes=(EQ,))


@covers("Compare", "Compares", forms=("count", "mask"), archs=(3510,),
        dtypes=("int8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t"))  # fmt: skip
def test_compare_on_950():
    check_compares((0, 1), ("int16", "uint16", "int32", "uint32"), (3510,), (COUNT, MASK))
    check_compares((0, 1), ("int8", "int64"), (3510,), (COUNT,))
    check_compares((0,), ("float64",), (3510,), (COUNT,))


@covers("Compare", forms=("operator",), dtypes=("half", "float"))
@covers("Compares", forms=("scalar first", "scalar tensor"), archs=(3510,))
def test_other_spellings():
    batch, checks = Batch(), []
    for mode in range(6):
        for dtype in ("float16", "float32"):
            x, y = numbers(dtype, 256), numbers(dtype, 256)
            z = np.full(64, 0xAA, np.uint8)
            call = Call(COUNT, 256)
            for kind, arch, a, b in ((4, 2201, x, y), (5, 3510, y[0], x), (6, 3510, x, y[0])):
                want = z.copy()
                want[:32] = packed(COMPARE[mode](a, b))
                checks.append((add(batch, kind, mode, call, x, y, z, arch), want))
    batch.run()
    for one, want in checks:
        np.testing.assert_array_equal(one.results()[0], want)


@covers("Compare", "GetCmpMask", forms=("register",), dtypes=("half", "float"), archs=ARCHS)
def test_register():
    batch, checks = Batch(), []
    for arch in ARCHS:
        for dtype in ("float16", "float32"):
            size = np.dtype(dtype).itemsize
            for form in (MASK, BITS):
                for mode in range(6):
                    call = random_call(rng, form, size)
                    call.repeat = 1
                    x = pad(numbers(dtype, call.reach(1, size, size)))
                    y = pad(numbers(dtype, call.reach(2, size, size)))
                    z = np.full(64, 0x55, np.uint8)
                    bits = np.zeros(128, bool)
                    for _, lane in call.lanes(size):
                        at = [call.index(k, (0, lane), size) for k in (1, 2)]
                        bits[lane] = COMPARE[mode](x[at[0]], y[at[1]])
                    want = np.concatenate([packed(bits), z[16:]])
                    checks.append((add(batch, 3, mode, call, x, y, z, arch), want))
    batch.run()
    for one, want in checks:
        np.testing.assert_array_equal(one.results()[0], want)


# --- Select --------------------------------------------------------------------


def add_select(batch, kind, mode, call, x, y, sel, z, arch):
    p = [mode, len(x), len(y), len(z), kind]
    p = np.concatenate([call.words(), np.array(p, np.int32)])
    return batch.add(
        "compare.cpp", kernel=f"select<{CTYPE[x.dtype.name]}>", ins=[x, y, sel, p],
        inouts=[z], scalars=[("i32", len(sel))], soc=arch,
    )  # fmt: skip


def selected(call, mode, x, y, sel, z, scalar):
    size, per_repeat = x.itemsize, 256 // x.itemsize
    bits = np.unpackbits(sel, bitorder="little")
    z = z.copy()
    for r, lane in call.lanes(size):
        bit = lane if mode == CMPMASK else r * per_repeat + lane
        other = y[0] if scalar else y[call.index(2, (r, lane), size)]
        chosen = x[call.index(1, (r, lane), size)] if bits[bit] else other
        z[call.index(0, (r, lane), size)] = chosen
    return z


def values(dtype, n):
    return rng.integers(-100, 100, n).astype(dtype)


def check_selects(dtypes, archs, forms, kinds=((0, CMPMASK), (0, TENSOR), (1, SCALAR))):
    batch, checks = Batch(), []
    for arch in archs:
        for dtype in dtypes:
            size = np.dtype(dtype).itemsize
            for form in forms:
                for kind, mode in kinds:
                    call = random_call(rng, form, size)
                    if kind == 2:
                        call.form = MASK
                    x, y, z = (pad(values(dtype, call.reach(k, size, size))) for k in (1, 2, 0))
                    sel = rng.integers(0, 256, 192, dtype=np.uint8)
                    want = selected(call, mode, x, y, sel, z, mode == SCALAR)
                    one = add_select(batch, kind, mode, call, x, y, sel, z, arch)
                    checks.append((one, want))
    batch.run()
    for one, want in checks:
        np.testing.assert_array_equal(one.results()[0], want)


@covers("Select", forms=tuple(FORMS)[:5], dtypes=("half", "float"), archs=ARCHS, tail=True)
def test_select():
    check_selects(("float16", "float32"), (2201,), (COUNT, MASK, BITS, REGISTER, COUNTER))
    check_selects(("float16", "float32"), (2002, 3510), (COUNT, MASK))


@covers("Select", forms=("count", "mask"), dtypes=("int8_t", "int32_t", "int64_t"), archs=(3510,))
def test_select_on_950():
    check_selects(("int16", "uint16", "int32", "uint32"), (3510,), (COUNT, MASK))
    check_selects(("int8", "int64"), (3510,), (COUNT,))


@covers("Select", "SetCmpMask", forms=("mask registers",), dtypes=("half", "float"), archs=ARCHS)
def test_select_by_registers():
    kinds = ((2, CMPMASK), (2, SCALAR), (2, TENSOR))
    check_selects(("float16", "float32"), ARCHS, (MASK,), kinds)


@covers("Select", forms=("scalar first", "scalar tensor"), dtypes=("half",), archs=(3510,))
def test_select_scalar_places():
    x, y = values("float16", 160), values("float16", 16)
    z, sel = values("float16", 160), rng.integers(0, 256, 32, dtype=np.uint8)
    bits = np.unpackbits(sel, bitorder="little")[:150].astype(bool)
    for kind, want in ((3, np.where(bits, y[0], x[:150])), (4, np.where(bits, x[:150], y[0]))):
        batch = Batch()
        one = add_select(batch, kind, SCALAR, Call(COUNT, 150), x, y, sel, z, 3510)
        batch.run()
        np.testing.assert_array_equal(one.results()[0][:150], want)


def compare_case(kind, mode, call, dtype="float32", arch=2201):
    x = numbers(dtype, 512)
    z = np.zeros(64, np.uint8)
    p = [mode, len(x), len(x), len(z), kind]
    p = np.concatenate([call.words(), np.array(p, np.int32)])
    kernel = f"compare<{CTYPE[dtype]}>"
    return dict(kernel=kernel, ins=[x, x, p], inouts=[z], soc=arch)


def test_refusals():
    whole, part = Call(COUNT, 64), Call(COUNT, 65)
    for kind in (0, 1):
        run("compare.cpp", **compare_case(kind, LT, whole))
        expect_failure("bad-repeat", "compare.cpp", contains="multiples of 256 bytes",
                       **compare_case(kind, LT, part))  # fmt: skip
    expect_failure("unsupported-dtype", "compare.cpp", contains="CMPMODE::EQ",
                   **compare_case(0, LT, whole, "int32"))  # fmt: skip
    run("compare.cpp", **compare_case(0, EQ, whole, "int32"))
    run("compare.cpp", **compare_case(0, LT, whole, "int32", 3510))
    expect_failure("unsupported-dtype", "compare.cpp", contains="int16_t",
                   **compare_case(0, LT, Call(COUNT, 128), "int16"))  # fmt: skip
    x, y, z = (values("int16", 64) for _ in range(3))
    sel = np.zeros(32, np.uint8)
    batch = Batch()
    one = add_select(batch, 0, TENSOR, Call(COUNT, 64), x, y, sel, z, 2201)
    batch.run()
    assert one.failure and one.failure.ident == "unsupported-dtype"


if __name__ == "__main__":
    main()
