"""Element-wise calls against NumPy, lane by lane: all forms, masks, strides."""
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from elementwise import ARCHS, BINARY, CTYPE, Cases, FLOAT, FUSED, HALF, S16  # noqa: E402
from elementwise import S32, S64, S8, SCALAR, SOME, TWICE, U16, U32, U64, U8  # noqa: E402
from elementwise import binary, check, in_type, numbers, operand, rng, scalar  # noqa: E402
from elementwise import shift_left, shift_right, shift_right_rounded, unary  # noqa: E402
from harness import covers, expect_failure, from_bf16, main, run, to_bf16  # noqa: E402
from lanes import BITS, COUNT, COUNTER, COUNTER_REGISTER, FORMS, MASK  # noqa: E402
from lanes import REGISTER, Call, pad, random_call  # noqa: E402

ALL = (COUNT, MASK, BITS, REGISTER, COUNTER, COUNTER_REGISTER)
FEW = (COUNT, MASK, BITS)
FORM_NAMES = tuple(FORMS)


@covers("Exp", "Ln", "Abs", "Reciprocal", "Sqrt", "Rsqrt", "Relu",
        forms=FORM_NAMES, dtypes=SOME, archs=ARCHS, tail=True)  # fmt: skip
@covers("Not", forms=FORM_NAMES, dtypes=("int16_t", "uint16_t"), archs=ARCHS, tail=True)
def test_unary():
    cases = Cases()
    for name in ("Exp", "Ln", "Abs", "Reciprocal", "Sqrt", "Rsqrt", "Relu"):
        for dtype in (HALF, FLOAT):
            unary(cases, name, dtype, ALL, (2201,))
            unary(cases, name, dtype, (COUNT, BITS), (2002, 3510))
    unary(cases, "Relu", S32, FEW, ARCHS)
    for dtype in (S16, U16):
        unary(cases, "Not", dtype, ALL, (2201,))
        unary(cases, "Not", dtype, FEW, (2002, 3510))
    cases.run()


@covers("Abs", "Relu", "Not", "Neg", forms=("count",), archs=(3510,), tail=True,
        dtypes=("int8_t", "int16_t", "int32_t", "int64_t"))  # fmt: skip
def test_unary_on_950():
    cases = Cases()
    for name in ("Abs", "Neg"):
        for dtype in (S8, S16, S32, S64):
            unary(cases, name, dtype, (COUNT,), (3510,))
    unary(cases, "Relu", S64, (COUNT,), (3510,))
    for dtype in (S8, U8, S32, U32, S64, U64):
        unary(cases, "Not", dtype, (COUNT,), (3510,))
    cases.run()


@covers("Reciprocal", forms=("count",), archs=(3510,), dtypes=("int64_t", "uint64_t"))
def test_reciprocal_of_longs():
    for dtype, x in ((S64, [1, -1, 2, -2]), (U64, [1, 1, 2, 3])):
        p = np.concatenate([Call(COUNT, 4).words(), np.array([3, 4, 0, 4], np.int32)])
        (z,) = run("elementwise.cpp", kernel=f"unary<{CTYPE[dtype.name]}>", soc=3510,
                   ins=[np.array(x, dtype), p], inouts=[np.zeros(4, dtype)])  # fmt: skip
        np.testing.assert_array_equal(z, [1, x[1], 0, 0])
    # By count only, and on the 950 only.
    p = np.concatenate([Call(MASK, 4).words(), np.array([3, 4, 0, 4], np.int32)])
    expect_failure("unsupported-dtype", "elementwise.cpp", kernel="unary<int64_t>", soc=3510,
                   ins=[np.ones(4, S64), p], inouts=[np.zeros(4, S64)])  # fmt: skip


@covers("Add", "Sub", "Mul", "Max", "Min", "AddRelu", "SubRelu", forms=FORM_NAMES,
        dtypes=SOME + ("int16_t", "int32_t"), archs=ARCHS, tail=True)  # fmt: skip
@covers("Div", "FusedMulAdd", "FusedMulAddRelu", "MulAddRelu", "MulAddDst",
        forms=FORM_NAMES, dtypes=SOME, archs=ARCHS, tail=True)  # fmt: skip
@covers("And", "Or", forms=FORM_NAMES, dtypes=("int16_t", "uint16_t"), archs=ARCHS,
        tail=True)  # fmt: skip
def test_binary():
    cases = Cases()
    for name in ("Add", "Sub", "Mul", "Max", "Min"):
        for dtype in (HALF, FLOAT, S16, S32):
            binary(cases, name, dtype, ALL, (2201,))
            binary(cases, name, dtype, (COUNT, MASK), (2002, 3510))
    for name in ("AddRelu", "SubRelu"):
        for dtype in (HALF, FLOAT, S16):
            binary(cases, name, dtype, FEW, ARCHS)
    for name in ("Div",) + FUSED[:4]:
        for dtype in (HALF, FLOAT):
            binary(cases, name, dtype, ALL, (2201,))
            binary(cases, name, dtype, (COUNT, BITS), (2002, 3510))
    for name in ("And", "Or"):
        for dtype in (S16, U16):
            binary(cases, name, dtype, FEW, ARCHS)
    cases.run()


@covers("Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or", "Prelu", "AbsSub",
        "FusedExpSub", forms=("count",), archs=(3510,), tail=True,
        dtypes=("int8_t", "uint32_t", "int64_t", "uint64_t", "half", "float"))  # fmt: skip
def test_binary_on_950():
    cases = Cases()
    for name in ("Add", "Sub", "Max", "Min", "And", "Or"):
        for dtype in (S8, U8, U32, S64, U64):
            binary(cases, name, dtype, (COUNT,), (3510,))
    for dtype in (U16, U32, S64):
        binary(cases, "Mul", dtype, (COUNT,), (3510,))
    for dtype in (S16, U16, S32, U32):
        binary(cases, "Div", dtype, (COUNT,), (3510,))
    for name in ("Prelu", "AbsSub", "FusedExpSub"):
        for dtype in (HALF, FLOAT):
            binary(cases, name, dtype, (COUNT,), (3510,))
    cases.run()


@covers("Adds", "Muls", "Maxs", "Mins", forms=FORM_NAMES, archs=ARCHS, tail=True,
        dtypes=SOME + ("int16_t", "int32_t"))  # fmt: skip
@covers("LeakyRelu", "Axpy", forms=FORM_NAMES, dtypes=SOME, archs=ARCHS, tail=True)
@covers("ShiftLeft", "ShiftRight", forms=FORM_NAMES, archs=(2201, 3510), tail=True,
        dtypes=("int16_t", "uint16_t", "int32_t", "uint32_t"))  # fmt: skip
def test_scalar():
    cases = Cases()
    for name in ("Adds", "Muls", "Maxs", "Mins"):
        for dtype in (HALF, FLOAT, S16, S32):
            scalar(cases, name, dtype, ALL, (2201,))
            scalar(cases, name, dtype, (COUNT, BITS), (2002, 3510))
    for name in ("LeakyRelu", "Axpy"):
        for dtype in (HALF, FLOAT):
            scalar(cases, name, dtype, ALL, (2201,))
            scalar(cases, name, dtype, (COUNT, MASK), (2002, 3510))
    for name in ("ShiftLeft", "ShiftRight"):
        for dtype in (S16, U16, S32, U32):
            for by in (0, 3, 8 * dtype.itemsize):
                scalar(cases, name, dtype, (COUNT, MASK), (2201, 3510), value=by)
    cases.run()


@covers("Subs", "Divs", "Ands", "Ors", forms=("count", "mask"), archs=(3510,),
        dtypes=SOME + ("int16_t", "int64_t"), tail=True)  # fmt: skip
def test_scalar_on_950():
    cases = Cases()
    for dtype in (HALF, FLOAT, S16, S32):
        scalar(cases, "Subs", dtype, (COUNT, MASK, BITS), (3510,))
    for dtype in (HALF, FLOAT):
        scalar(cases, "Divs", dtype, (COUNT, MASK, BITS), (3510,))
    for name in ("Ands", "Ors"):
        for dtype in (S16, U16):
            scalar(cases, name, dtype, (COUNT, MASK), (3510,))
    for dtype in (S64, U64):
        scalar(cases, "Adds", dtype, (COUNT,), (3510,))
    cases.run()


def scalar_case(op, x, y, n, arch=3510, call=None):
    call = call or Call(COUNT, n)
    z = pad(np.zeros(len(x), x.dtype))
    p = np.concatenate([call.words(), np.array([op, len(x), 0, len(z)], np.int32)])
    return run(
        "elementwise.cpp", kernel=f"scalar<{CTYPE[x.dtype.name]}>", ins=[x, pad(y), p],
        inouts=[z], soc=arch,
    )[0]  # fmt: skip


@covers("Subs", "Divs", "Adds", forms=("scalar first", "scalar tensor"), archs=(3510,))
def test_scalar_places():
    x, y = numbers(FLOAT, 96, 1, 4), numbers(FLOAT, 8, 1, 4)
    check(scalar_case(13, x, y, 90)[:90], (y[0] - x)[:90])
    check(scalar_case(14, x, y, 90)[:90], (y[0] / x)[:90])
    check(scalar_case(15, x, y, 90)[:90], (y[0] + x)[:90])
    check(scalar_case(16, x, y, 90)[:90], (y[0] - x)[:90])


@covers("Adds", "Muls", forms=("other scalar type",), dtypes=SOME, archs=ARCHS)
def test_scalar_of_another_type():
    for arch in ARCHS:
        for dtype in (HALF, FLOAT, S32):
            x = numbers(dtype, 96, -100, 100)
            got = scalar_case(17, x, x[:1], 90, arch)
            check(got[:90], ((x + dtype.type(2)) * dtype.type(3))[:90])


@covers("ShiftRight", forms=("rounding",), dtypes=("int16_t", "int32_t"), archs=(2201,))
def test_shift_rounds():
    for dtype in (S16, S32):
        x = numbers(dtype, 512 // dtype.itemsize)
        n, by = 256 // dtype.itemsize, np.array([5], dtype)
        got = scalar_case(12, x, by, n, 2201, Call(MASK, n, repeat=2))
        check(got, [shift_right_rounded(v, v, 5) for v in x])


@covers("Adds", "Muls", forms=("count, mask set outside",), dtypes=SOME)
def test_count_with_the_mask_register():
    cases = Cases()
    for name, (op, function) in SCALAR.items():
        if name not in ("Adds", "Muls", "Maxs", "Mins", "LeakyRelu"):
            continue
        call = Call(COUNTER_REGISTER, 200)
        x, s = numbers(HALF, 256), pad(numbers(HALF, 1))
        z = numbers(HALF, 256)
        cases.add("scalar<half>", op, call, z, [x],
                  lambda z, x, f=function, s=s[0]: f(z, x, s), 2201,
                  extra=[op, len(x), 1, len(z)], number=s)  # fmt: skip
    cases.run()


@covers("ShiftLeft", "ShiftRight", forms=("tensor",), archs=(3510,),
        dtypes=("int16_t", "uint32_t", "int64_t"))  # fmt: skip
def test_shift_by_tensors():
    cases = Cases()
    for dtype in (S16, U32, S64):
        for op, function in ((23, shift_left), (24, shift_right)):
            call = Call(COUNT, 77)
            x, z = numbers(dtype, 96), numbers(dtype, 96)
            y = numbers(dtype, 96, 0, 8 * dtype.itemsize - 1)
            cases.add(
                f"binary<{CTYPE[dtype.name]}>", op, call, z, [x, y], function, 3510
            )
    cases.run()


@covers("Add", "Sub", "Mul", "Div", "And", "Or", forms=("operator",), dtypes=SOME)
def test_operators():
    cases = Cases()
    for op, name in ((14, "Add"), (15, "Sub"), (16, "Mul"), (17, "Div")):
        for dtype in (HALF, FLOAT):
            x, y, z = (numbers(dtype, 160) for _ in range(3))
            cases.add(f"binary<{CTYPE[dtype.name]}>", op, Call(COUNT, 144), z, [x, y],
                      BINARY[name][1], 2201)  # fmt: skip
    for op, name in ((18, "And"), (19, "Or")):
        x, y, z = (numbers(S16, 160) for _ in range(3))
        cases.add(
            "binary<int16_t>", op, Call(COUNT, 144), z, [x, y], BINARY[name][1], 2201
        )
    cases.run()


def clamp(dtype, value):
    info = np.iinfo(dtype)
    return dtype.type(min(max(int(value), info.min), info.max))


MIXED = [
    # number, destination, source, function, architectures, repeat strides
    (0, FLOAT, HALF, in_type(lambda z, x, y: x * y + z), ARCHS),
    (1, S8, HALF, lambda z, x, y: clamp(S8, np.rint(max(np.float32(x) + y, 0))), ARCHS),
    (1, S8, S16, lambda z, x, y: clamp(S8, max(int(x) + int(y), 0)), ARCHS),
    (1, HALF, FLOAT, lambda z, x, y: HALF.type(max(x + y, 0)), ARCHS),
    (2, S8, HALF, lambda z, x, y: clamp(S8, np.rint(max(np.float32(x) - y, 0))), ARCHS),
    (2, S8, S16, lambda z, x, y: clamp(S8, max(int(x) - int(y), 0)), ARCHS),
    (2, HALF, FLOAT, lambda z, x, y: HALF.type(max(x - y, 0)), ARCHS),
    (3, S8, HALF, lambda z, x, y: clamp(S8, np.rint(np.float32(x) * y)), ARCHS),
    (3, U8, HALF, lambda z, x, y: clamp(U8, np.rint(np.float32(x) * y)), ARCHS),
    (4, HALF, S32, lambda z, x, y: HALF.type(max((int(x) + int(y)) / 4, 0)), ARCHS),
]


@covers("MulAddDst", "AddReluCast", "SubReluCast", "MulCast", "AddDeqRelu",
        forms=FORM_NAMES, dtypes=("half", "float", "int8_t", "int16_t", "int32_t"),
        archs=ARCHS, tail=True)  # fmt: skip
def test_mixed_types():
    cases = Cases()
    for op, to, frm, function, archs in MIXED:
        widest = max(to.itemsize, frm.itemsize)
        natural = [8 * d.itemsize // widest for d in (to, frm, frm)]
        kernel = f"mixed<{CTYPE[to.name]},{CTYPE[frm.name]}>"
        for arch in archs:
            for form in ALL if arch == 2201 else (COUNT, MASK):
                call = random_call(rng, form, widest, natural)
                low, high = (-30, 30) if frm.kind == "f" else (-300, 300)
                x, y = (operand(call, k, frm, widest, low, high) for k in (1, 2))
                z = operand(call, 0, to, widest, 0, 100)
                cases.add(kernel, op, call, z, [x, y], function, arch, ulps=0)
    cases.run()


@covers("Axpy", forms=("count", "mask", "bits"), dtypes=("float", "half"), archs=ARCHS)
@covers("MulsCast", "ExpSub", forms=("count",), dtypes=("half", "float"), archs=(3510,))
def test_mixed_scalars():
    cases = Cases()
    s = pad(np.array([1.375], HALF))
    for arch in ARCHS:
        for form in FEW:
            call = random_call(rng, form, 4, (8, 4, 4))
            x = operand(call, 1, HALF, 4)
            z = operand(call, 0, FLOAT, 4)
            cases.add("mixed<float,half>", 5, call, z, [x],
                      lambda z, x: FLOAT.type(np.float64(x) * 1.375 + z), arch,
                      extra=[5, len(x), len(s), len(z)], ulps=TWICE, number=s)  # fmt: skip
    x, z = numbers(FLOAT, 96), numbers(HALF, 96)
    s = pad(np.array([1.1], FLOAT))

    def round_away(z, x):
        # Halves are 1024 apart per power of two: scale, round half away, scale back.
        product = np.float64(np.float32(x) * s[0])
        unit = 2.0 ** (np.floor(np.log2(abs(product))) - 10)
        return HALF.type(np.sign(product) * np.floor(abs(product) / unit + 0.5) * unit)

    cases.add("mixed<half,float>", 6, Call(COUNT, 90, rep=(4, 8, 8)), z, [x],
              round_away, 3510, extra=[6, len(x), len(s), len(z)], number=s)  # fmt: skip
    x, y, z = numbers(HALF, 96), numbers(HALF, 96), numbers(FLOAT, 96)
    cases.add("mixed<float,half>", 7, Call(COUNT, 90, rep=(8, 4, 4)), z, [x, y],
              in_type(lambda z, x, y: np.exp(x - y)), 3510, ulps=4)  # fmt: skip
    cases.run()


@covers("Add", "Mul", "Max", "Axpy", forms=("count",), dtypes=("bfloat16_t",),
        archs=(3510,))  # fmt: skip
def test_bfloat16_on_950():
    x, y, z = (to_bf16(numbers(FLOAT, 160)) for _ in range(3))
    for op, function in ((0, np.add), (2, np.multiply), (4, np.maximum)):
        p = np.concatenate([Call(COUNT, 150).words(), np.array([op, 160, 160, 160], np.int32)])
        (got,) = run("elementwise.cpp", kernel="binary<bfloat16_t>", ins=[x, y, p],
                     inouts=[z], soc=3510)  # fmt: skip
        want = to_bf16(function(from_bf16(x), from_bf16(y)))
        np.testing.assert_array_equal(got[:150], want[:150])
        np.testing.assert_array_equal(got[150:], z[150:])


def test_random_walks():
    """The fast paths against the plain walk: whatever masks and strides."""
    cases = Cases()
    for dtype in (HALF, FLOAT, S16, S32):
        binary(cases, "Sub", dtype, ALL, (2201,), each=12)
    cases.run()


@covers("Add", forms=("accumulate",), dtypes=("float",))
def test_accumulates_over_repeats():
    """dst = src1 with a repeat stride of 0 adds up, repeat after repeat."""
    x, z = numbers(FLOAT, 256), numbers(FLOAT, 64)
    call = Call(MASK, 64, repeat=4, rep=(0, 8, 0))
    cases = Cases()
    cases.add("binary<float>", 0, call, z, [x, z.copy()], lambda z, x, y: x + y, 2201)
    cases.run()


def one_call(kernel, op, call, x, z, y=None, arch=2201):
    ins = [x] if y is None else [x, y]
    counts = [len(x), 0 if y is None else len(y), len(z)]
    p = np.concatenate([call.words(), np.array([op] + counts, np.int32)])
    return dict(kernel=kernel, ins=ins + [p], inouts=[z], soc=arch)


def fails(ident, contains, *args, **kwargs):
    expect_failure(ident, "elementwise.cpp", contains=contains, **one_call(*args, **kwargs))


def works(*args, **kwargs):
    run("elementwise.cpp", **one_call(*args, **kwargs))


def test_wrong_masks():
    x, z = numbers(FLOAT, 512), numbers(FLOAT, 512)
    works("binary<float>", 0, Call(MASK, 64, repeat=8), x, z, x)
    fails("bad-mask", "65 lanes", "binary<float>", 0, Call(MASK, 65), x, z, x)
    h = numbers(HALF, 512)
    works("binary<half>", 0, Call(MASK, 128, repeat=4), h, h, h)
    fails("bad-mask", "129 lanes", "binary<half>", 0, Call(MASK, 129), h, h, h)


def test_empty_masks():
    """Nothing happens, except on the part that has no such mask."""
    x, z = numbers(FLOAT, 64), numbers(FLOAT, 64)
    for call in (Call(MASK, 0), Call(BITS, bits=0), Call(COUNT, 0), Call(MASK, 8, repeat=0)):
        (got,) = run("elementwise.cpp", **one_call("binary<float>", 0, call, x, z, x))
        check(got, z)
    fails("bad-mask", "no lane", "binary<float>", 0, Call(BITS, bits=0), x, z, x, arch=2002)


def test_wrong_repeats():
    x, z = numbers(HALF, 128), numbers(HALF, 128)
    still = Call(MASK, 128, repeat=255, rep=(0, 0, 0))
    works("binary<half>", 0, still, x, z, x)
    more = Call(MASK, 128, repeat=256, rep=(0, 0, 0))
    fails("bad-repeat", "repeat of 256", "binary<half>", 0, more, x, z, x)
    fails("bad-repeat", "count of -1", "binary<half>", 0, Call(COUNT, -1), x, z, x)
    stuck = Call(MASK, 128, block=(0, 1, 1))
    fails("bad-repeat", "block stride is 0", "binary<half>", 0, stuck, x, z, x)
    works("binary<half>", 0, Call(MASK, 16, block=(0, 1, 1)), x, z, x)
    works("binary<half>", 0, Call(MASK, 128, block=(1, 0, 0)), x, z, x)


def test_out_of_bounds():
    # 192 KB of UB minus what the three buffers leave.
    x, z = numbers(HALF, 128), numbers(HALF, 128)
    far = Call(MASK, 128, repeat=255, rep=(255, 8, 8))
    fails("local-out-of-bounds", "Add writes", "binary<half>", 0, far, x, z, x)


def test_wrong_types():
    x = numbers(S32, 64)
    fails("unsupported-dtype", "And has no form", "binary<int32_t>", 6, Call(COUNT, 64), x, x, x)
    works("binary<int32_t>", 6, Call(COUNT, 64), x, x, x, arch=3510)
    b = to_bf16(numbers(FLOAT, 64))
    fails("unsupported-dtype", "Add has no form", "binary<bfloat16_t>", 0, Call(COUNT, 64), b, b, b)
    works("binary<bfloat16_t>", 0, Call(MASK, 64), b, b, b, arch=3510)
    c = numbers(S8, 64)
    works("binary<int8_t>", 0, Call(COUNT, 64), c, c, c, arch=3510)
    fails("unsupported-dtype", "only in the form with a count", "binary<int8_t>", 0,
          Call(MASK, 64), c, c, c, arch=3510)  # fmt: skip
    f = numbers(FLOAT, 64)
    fails("unsupported-api", "AbsSub does not exist", "binary<float>", 21, Call(COUNT, 64), f, f, f)
    fails("bad-repeat", "by 17 bits", "scalar<int16_t>", 5, Call(COUNT, 64),
          numbers(S16, 64), numbers(S16, 64), pad(np.array([17], S16)))  # fmt: skip


if __name__ == "__main__":
    main()
