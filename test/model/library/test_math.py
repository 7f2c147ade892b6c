"""Element-wise routines of the library against PyTorch in double precision."""
import numpy as np
import torch
from harness import Batch, covers, main, run

COUNT, TMP_COUNT, WHOLE, TMP_WHOLE = range(4)
ALL, COUNTED = (COUNT, TMP_COUNT, WHOLE, TMP_WHOLE), (COUNT, TMP_COUNT)
N = 997  # fills no block


def gelu(x):
    return torch.nn.functional.gelu(x, approximate="tanh")


def faster_gelu_v2(x):
    clipped = torch.clamp(torch.abs(0.7071 * x), max=1.769) - 1.769
    return x * (torch.sign(x) * (-0.1444 * clipped**2 + 0.5) + 0.5)


def swish(x, beta):
    return x * torch.sigmoid(beta * x)


# Name: (meaning of x, y and the first y, range of x, range of y, forms)
ROUTINES = [
    ("Tanh", lambda x, y, s: torch.tanh(x), (-6, 6), ALL),
    ("Sin", lambda x, y, s: torch.sin(x), (-20, 20), ALL),
    ("Cos", lambda x, y, s: torch.cos(x), (-20, 20), ALL),
    ("Tan", lambda x, y, s: torch.tan(x), (-1.5, 1.5), ALL),
    ("Asin", lambda x, y, s: torch.asin(x), (-1, 1), ALL),
    ("Acos", lambda x, y, s: torch.acos(x), (-1, 1), ALL),
    ("Atan", lambda x, y, s: torch.atan(x), (-50, 50), ALL),
    ("Sinh", lambda x, y, s: torch.sinh(x), (-8, 8), ALL),
    ("Cosh", lambda x, y, s: torch.cosh(x), (-8, 8), ALL),
    ("Asinh", lambda x, y, s: torch.asinh(x), (-50, 50), ALL),
    ("Acosh", lambda x, y, s: torch.acosh(x), (1, 50), ALL),
    ("Atanh", lambda x, y, s: torch.atanh(x), (-0.99, 0.99), ALL),
    ("Erf", lambda x, y, s: torch.erf(x), (-4, 4), ALL),
    ("Erfc", lambda x, y, s: torch.erfc(x), (-4, 3), ALL),
    ("Log", lambda x, y, s: torch.log(x), (0.01, 100), ALL),
    ("Log2", lambda x, y, s: torch.log2(x), (0.01, 100), ALL),
    ("Log10", lambda x, y, s: torch.log10(x), (0.01, 100), ALL),
    ("Trunc", lambda x, y, s: torch.trunc(x), (-100, 100), ALL),
    ("Frac", lambda x, y, s: torch.frac(x), (-100, 100), ALL),
    ("Sign", lambda x, y, s: torch.sign(x), (-1, 1), ALL),
    ("Sigmoid", lambda x, y, s: torch.sigmoid(x), (-12, 12), ALL),
    ("Floor", lambda x, y, s: torch.floor(x), (-100, 100), COUNTED),
    ("Ceil", lambda x, y, s: torch.ceil(x), (-100, 100), COUNTED),
    # Ties go to the even neighbour, as in PyTorch.
    ("Round", lambda x, y, s: torch.round(x), (-100, 100), COUNTED),
    ("Lgamma", lambda x, y, s: torch.lgamma(x), (0.1, 50), COUNTED),
    ("Digamma", lambda x, y, s: torch.digamma(x), (0.1, 50), COUNTED),
    ("Gelu", lambda x, y, s: gelu(x), (-6, 6), COUNTED),
    ("FasterGelu", lambda x, y, s: swish(x, 1.702), (-6, 6), COUNTED),
    ("FasterGeluV2", lambda x, y, s: faster_gelu_v2(x), (-4, 4), COUNTED),
    ("Exp", lambda x, y, s: torch.exp(x), (-8, 8), COUNTED),
    ("Silu", lambda x, y, s: swish(x, 1), (-8, 8), (COUNT,)),
    ("Swish", lambda x, y, s: swish(x, s), (-8, 8), (COUNT,)),
    ("Power", lambda x, y, s: torch.pow(x, y), (0.1, 4), ALL),
    ("Power", lambda x, y, s: torch.pow(x, s), (0.1, 4), ALL),
    ("Power", lambda x, y, s: torch.pow(s, x), (0.1, 4), ALL),
    ("Fmod", lambda x, y, s: torch.fmod(x, y), (-20, 20), ALL),
    ("GeGLU", lambda x, y, s: x * gelu(y), (-4, 4), ALL),
    ("ReGlu", lambda x, y, s: x * torch.relu(y), (-4, 4), COUNTED),
    ("SwiGLU", lambda x, y, s: x * swish(y, s), (-4, 4), ALL),
    ("ClampMax", lambda x, y, s: torch.minimum(x, s), (-4, 4), COUNTED),
    ("ClampMin", lambda x, y, s: torch.maximum(x, s), (-4, 4), COUNTED),
    ("Axpy", lambda x, y, s: s + x * s, (-4, 4), (TMP_COUNT,)),
]
TYPES = {"half": np.float16, "float": np.float32}
# Rounding of the result, and for float the error of the vectorised math.
TOLERANCE = {"half": (1e-3, 1e-7), "float": (4e-6, 1e-6)}


def inputs(name, low_high, dtype):
    rng = np.random.default_rng(7)
    x = rng.uniform(*low_high, N).astype(dtype)
    if name in ("Round", "Sign", "Trunc", "Floor", "Ceil"):
        x[:8] = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 0, 3, -3], dtype)
    y = rng.uniform(0.5, 2.5, N).astype(dtype)
    if name in ("GeGLU", "ReGlu", "SwiGLU"):
        y[1:] = rng.uniform(-4, 4, N - 1).astype(dtype)
    return x, y


@covers(*{name for name, *_ in ROUTINES},
        forms=("count", "tmp+count", "whole", "tmp+whole"),
        dtypes=tuple(TYPES), archs=(2201, 2002, 3510), tail=True)
def test_math():
    batch, cases = Batch(), []
    for op, (name, meaning, span, forms) in enumerate(ROUTINES):
        for kind, dtype in TYPES.items():
            x, y = inputs(name, span, dtype)
            for form in forms:
                # Each architecture sees some form of each routine.
                soc = (2201, 2002, 3510)[(op + form) % 3]
                if name == "Exp" and soc == 2002:
                    soc = 2201
                launch = batch.add(
                    "math.cpp", kernel=f"math<{kind}>", ins=[x, y], soc=soc,
                    outs=[(kind == "half" and "f16" or "f32", N)],
                    scalars=[("u32", N), ("u32", op), ("u32", form)])
                cases.append((launch, name, kind, form, meaning, x, y))
    batch.run()
    for launch, name, kind, form, meaning, x, y in cases:
        wide = [torch.from_numpy(v.astype(np.float64)) for v in (x, y, y[:1])]
        want = meaning(*wide).numpy().astype(TYPES[kind])
        got, = launch.results()
        relative, absolute = TOLERANCE[kind]
        np.testing.assert_allclose(
            got, want, rtol=relative, atol=absolute,
            err_msg=f"{name}<{kind}>, form {form}")


@covers("Power", forms=("count", "tmp+whole"), dtypes=("int32_t",), tail=True)
def test_integer_power():
    rng = np.random.default_rng(3)
    x = rng.integers(-9, 9, N).astype(np.int32)
    y = rng.integers(0, 9, N).astype(np.int32)
    x[:4], y[:4] = [1, -1, -1, 5], [-3, -3, -4, -2]
    want = np.array([int(a) ** int(b) if b >= 0 else int(float(a) ** b)
                     for a, b in zip(x, y)], dtype=np.int64).astype(np.int32)
    for form in (COUNT, TMP_WHOLE):
        got, = run("math.cpp", kernel="integers<int32_t>", ins=[x, y],
                   outs=[("i32", N)], scalars=[("u32", N), ("u32", form)])
        np.testing.assert_array_equal(got, want)


@covers("Xor", forms=("count", "tmp+count", "whole", "tmp+whole"),
        dtypes=("int16_t", "uint16_t"), tail=True)
def test_xor():
    rng = np.random.default_rng(3)
    for kind, dtype in (("int16_t", np.int16), ("uint16_t", np.uint16)):
        x, y = rng.integers(0, 65536, (2, N)).astype(np.uint16).view(dtype)
        for form in ALL:
            got, = run("math.cpp", kernel=f"integers<{kind}>", ins=[x, y],
                       outs=[(kind == "int16_t" and "i16" or "u16", N)],
                       scalars=[("u32", N), ("u32", form)])
            np.testing.assert_array_equal(got, x ^ y)


@covers("Axpy", forms=("tmp+count",), dtypes=("half+float",), tail=True)
def test_axpy_mixed():
    rng = np.random.default_rng(4)
    x = rng.uniform(-4, 4, N).astype(np.float16)
    z = rng.uniform(-4, 4, N).astype(np.float32)
    got, = run("math.cpp", kernel="axpy_mixed", ins=[x], inouts=[z],
               scalars=[("u32", N), ("f32", 1.5)])
    np.testing.assert_allclose(got, z + x.astype(np.float32) * np.float32(1.5),
                               rtol=1e-6, atol=1e-6)


@covers("CumSum", forms=("first axis", "last axis", "tmp"),
        dtypes=("half", "float"))
def test_cumsum():
    rng = np.random.default_rng(5)
    for kind, dtype, tag in (("half", np.float16, "f16"),
                             ("float", np.float32, "f32")):
        x = rng.integers(-4, 5, (7, 32)).astype(dtype)
        keep = np.full(32, 77, dtype)
        for form in range(3):
            got, last = run("math.cpp", kernel=f"cumsum<{kind}>",
                            args=_cumsum_args(x, keep, tag, form))
            want = np.cumsum(x, axis=0 if form == 0 else 1, dtype=dtype)
            np.testing.assert_array_equal(got, want)
            # Without outputLastRow, the tensor keeps what it held.
            np.testing.assert_array_equal(last, keep if form == 1 else want[-1])


def _cumsum_args(x, keep, tag, form):
    from harness import In, InOut, Out, Scalar
    return [In(x), Out(tag, x.shape), InOut(keep), Scalar("u32", x.shape[0]),
            Scalar("u32", x.shape[1]), Scalar("u32", form)]


if __name__ == "__main__":
    main()
