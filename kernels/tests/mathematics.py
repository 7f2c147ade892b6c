"""Scans and products with a number."""
import torch
from library import In, Out, f32, integers, kernel, normal, special, unary, uniform, vary, vectors
from reduce import SHAPES

unary("math/scale", lambda x: x * 3.140000104904175, f32(3.14), covers="math/matrix_scalar_multiplication", rel=1)


@kernel("math/cumsum_middle", "cumsum_middle<{T}>")
def cumsum_middle(T):
    for blocks, b, m, n in vary(SHAPES):
        x = normal(1, b, m, n, T=T)
        wide = x.double()
        yield blocks, [In(x), Out(wide.cumsum(1), T, wide.abs().cumsum(1) * 16)]


@kernel("math/cumprod_middle", "cumprod_middle<{T}>", rel=300)
def cumprod_middle(T):
    for blocks, b, m, n in vary(SHAPES):
        x = (normal(1, b, m, n) * 0.1 + 1).to(normal(0, 1, T=T).dtype)
        yield blocks, [In(x), Out(torch.cumprod(x.double(), 1), T)]


# One rounding, or the function's own accuracy.
unary("math/exp", torch.exp, instance="exp_of<{T}>")
unary("math/log", torch.log, instance="log_of<{T}>")
unary("math/sqrt", torch.sqrt, instance="sqrt_of<{T}>", rel=1)
unary("math/rsqrt", torch.rsqrt, instance="rsqrt_of<{T}>", rel=2)
unary("math/reciprocal", torch.reciprocal, instance="reciprocal_of<{T}>", rel=1)
unary("math/erf", torch.erf, instance="erf_of<{T}>")
unary("math/floor", torch.floor, instance="floor_of<{T}>", rel=0)
unary("math/ceil", torch.ceil, instance="ceil_of<{T}>", rel=0)
unary("math/rint", torch.round, instance="rint_of<{T}>", rel=0)
unary("math/trunc", torch.trunc, instance="trunc_of<{T}>", rel=0)
unary("math/abs", torch.abs, instance="abs_of<{T}>", rel=0)
unary("math/square", torch.square, rel=1)
# The exponent is rounded: relative to the result, by as much as it is large.
unary("math/exp2", torch.exp2, instance="exp2_of<{T}>", rel=100)
unary("math/log1p", torch.log1p, instance="log1p_of<{T}>", near=1)
unary("math/sign", lambda x: torch.where(x > 0, 1.0, 0.0) - torch.where(x < 0, 1.0, 0.0), rel=0)
unary("math/clip", lambda x: torch.clamp(x, -1, 2), f32(-1.0), f32(2.0), rel=0)


def angles(name, reference):
    """sin and cos of what range reduction in float can do."""
    @kernel(f"math/{name}", f"{name}_of<{{T}}>", near=8)
    def cases(T):
        for blocks, x in vectors(T, 10.0, edges=False):
            yield blocks, [In(x), Out(reference(x.double()), T)]


angles("sin", torch.sin)
angles("cos", torch.cos)


def binary(name, reference, *scalars, instance=None, rel=1, near=0.0, edges=True):
    @kernel(f"math/{name}", (instance or name) + "<{T}>", rel=rel, near=near)
    def cases(T):
        for blocks, a in vectors(T):
            b = normal(77, *a.shape, T=T, scale=2)
            yield blocks, [In(a), In(b), Out(reference(a.double(), b.double()), T), *scalars]
        if edges:
            a = special(T, finite=True).repeat_interleave(16)[:256]
            b = special(T, finite=True).repeat(16)[: a.numel()]
            yield 2, [In(a), In(b), Out(reference(a.double(), b.double()), T), *scalars]


binary("add", torch.add)
binary("subtract", torch.sub)
binary("multiply", torch.mul)
binary("divide", torch.div)
binary("maximum", torch.maximum, instance="larger", rel=0)
binary("minimum", torch.minimum, instance="smaller", rel=0)
binary("squared_difference", lambda a, b: (a - b) ** 2, rel=4)
# Products of values up to 20 are added; extreme ones overflow on the way.
binary("lerp", lambda a, b: a + 0.25 * (b - a), f32(0.25), near=40, edges=False)
binary("axpby", lambda a, b: 1.5 * a - 0.5 * b, f32(1.5), f32(-0.5), near=40, edges=False)
binary("hypot", torch.hypot, instance="hypot_of", rel=6, edges=False)


def triple(name, reference):
    @kernel(f"math/{name}", f"{name}<{{T}}>", rel=3, near=200)
    def cases(T):
        for blocks, x in vectors(T, edges=False):
            a, b = normal(7, *x.shape, T=T), uniform(8, 0.25, 2, *x.shape, T=T)
            yield blocks, [In(x), In(a), In(b), Out(reference(x.double(), a.double(), b.double()), T), f32(0.5)]


triple("addcmul", lambda x, a, b: x + 0.5 * a * b)
triple("addcdiv", lambda x, a, b: x + 0.5 * a / b)


def compare(name, reference):
    @kernel(f"math/{name}", f"{name}<{{T}}>")
    def cases(T):
        for blocks, a in vectors(T):
            b = a.clone()
            b[::3] = normal(5, *b[::3].shape, T=T)
            yield blocks, [In(a), In(b), Out(reference(a.double(), b.double()).to(torch.int8))]


compare("greater", torch.gt)
compare("less", torch.lt)
compare("equal", torch.eq)


# Blocks, rows, columns: none, one, tails in both directions, many tiles.
SCANNED = ((1, 0, 5), (8, 1, 1), (2, 65, 33), (3, 7, 300), (2, 130, 64))


def flipped(x):
    return x.flip(1).cumsum(1).flip(1)


def scan(name, reference, products=False):
    @kernel(f"math/{name}", f"{name}<{{T}}>", f"math/{name}", rel=300 if products else 4)
    def cases(T):
        for blocks, r, c in vary(SCANNED):
            x = (normal(1, r, c) * 0.1 + 1).to(normal(0, 1, T=T).dtype) if products else normal(1, r, c, T=T)
            mask = integers(2, 0, 2, r, c, T="i8")
            extra = [In(mask)] if name == "masked_cumsum" else []
            wide = x.double() * mask if extra else x.double()
            # One rounding for each element, of the sum so far.
            near = 0.0 if products else wide.abs().sum(1, keepdim=True) * (c / 4 + 2)
            yield blocks, [In(x), *extra, Out(reference(wide), T, near)]


scan("cumsum", lambda x: x.cumsum(1))
scan("cumprod", lambda x: x.cumprod(1), products=True)
scan("masked_cumsum", lambda x: x.cumsum(1))
scan("cumsum_exclusive", lambda x: x.cumsum(1) - x)
scan("cumsum_reverse", flipped)


binary("logaddexp", torch.logaddexp, rel=4, near=2, edges=False)


@kernel("math/xlogy", "xlogy<{T}>", rel=4)
def xlogy(T):
    for blocks, a in vectors(T, edges=False):
        b = uniform(5, 0.1, 4, *a.shape, T=T)
        a[::5], b[::10] = 0, 0
        yield blocks, [In(a), In(b), Out(torch.xlogy(a.double(), b.double()), T)]


@kernel("math/isnan", "isnan_of<{T}>")
def isnan(T):
    for blocks, x in vectors(T):
        yield blocks, [In(x), Out(x.isnan().to(torch.int8))]


@kernel("math/where", "where<{T}>", rel=0)
def where(T):
    for blocks, a in vectors(T):
        b, c = normal(5, *a.shape, T=T), integers(6, 0, 2, *a.shape, T="i8")
        yield blocks, [In(c), In(a), In(b), Out(torch.where(c != 0, a, b).double(), T)]


# --- more functions of one number ----------------------------------------------
unary("math/negate", torch.neg, rel=0)
unary("math/frac", torch.frac, finite=True, rel=0)
unary("math/degrees", torch.rad2deg, rel=2)
unary("math/round_decimals", lambda x: torch.round(x * 8) / 8, f32(8.0), rel=0)
unary("math/nan_to_num", lambda x: torch.nan_to_num(x, 7.0, 1000.0, -1000.0).clamp(-1000, 1000), f32(7.0),
      f32(-1000.0), f32(1000.0), rel=0)
unary("math/expm1", torch.expm1, instance="expm1_of<{T}>", near=2)
unary("math/erfc", torch.erfc, instance="erfc_of<{T}>", near=4)
# Of two exponentials that cancel near 0.
unary("math/sinh", torch.sinh, instance="sinh_of<{T}>", near=4)
unary("math/cosh", torch.cosh, instance="cosh_of<{T}>")
unary("math/gaussian", lambda x: torch.exp(-0.5 * ((x - 0.5) / 2) ** 2), f32(0.5), f32(2.0), rel=200)


def over(name, low, high, reference, *scalars, instance=None, rel=4, near=0.0):
    """A function of numbers between two bounds."""
    @kernel(f"math/{name}", (instance or f"{name}_of") + "<{T}>", rel=rel, near=near)
    def cases(T):
        for seed, (blocks, n) in enumerate(vary(((1, 0), (8, 1), (2, 63), (3, 8193)))):
            x = uniform(seed, low, high, n, T=T)
            yield blocks, [In(x), Out(reference(x.double()), T), *scalars]


over("tan", -1.25, 1.25, torch.tan, rel=8, near=80)  # cos is at least 0.31
over("asinh", -900.0, 900.0, torch.asinh, near=8)
over("acosh", 1.0, 900.0, torch.acosh, near=1000)  # log of what is near 1: its root is
over("atanh", -0.9, 0.9, torch.atanh, near=12)
over("log2", 0.01, 900.0, torch.log2, near=12)
over("log10", 0.01, 900.0, torch.log10, near=8)
over("sinc", -5.0, 5.0, torch.sinc, instance="sinc", near=20)
over("entropy_terms", 0.0, 1.0, torch.special.entr, instance="entropy_terms", near=4)
over("logit", 0.0, 1.0, lambda x: torch.logit(x, 0.0078125), f32(0.0078125), instance="logit", near=80)
over("pow_scalar", 0.1, 9.0, lambda x: x**2.5, f32(2.5), instance="pow_scalar", rel=40)


def divisions(name, reference, instance=None):
    """Divisors are powers of two: quotients are exact, and which whole number they are near is not in doubt."""
    @kernel(f"math/{name}", (instance or f"{name}_of") + "<{T}>", rel=0)
    def cases(T):
        for blocks, a in vectors(T, edges=False):
            b = (2.0 ** integers(5, -2, 4, *a.shape).double()) * (integers(6, 0, 2, *a.shape) * 2 - 1)
            yield blocks, [In(a), In(b.to(a.dtype)), Out(reference(a.double(), b), T)]


divisions("fmod", torch.fmod)
divisions("remainder", torch.remainder)
divisions("floor_divide", lambda a, b: torch.floor(a / b), instance="floor_divide")
binary("positive_difference", lambda a, b: torch.where((a - b > 0) | (a - b).isnan(), a - b, 0.0))
binary("mean_of_two", lambda a, b: a / 2 + b / 2, near=1)
binary("heaviside", lambda a, b: torch.where(a.isnan(), a, torch.heaviside(a, b)), rel=0)
binary("logaddexp2", torch.logaddexp2, near=4, rel=4, edges=False)


@kernel("math/copysign", "copysign_of<{T}>", rel=0)
def copysign(T):
    for blocks, a in vectors(T, edges=False):
        b = normal(77, *a.shape, T=T)
        yield blocks, [In(a), In(b), Out(torch.copysign(a.double(), b.double()), T)]


@kernel("math/xlog1py", "xlog1py<{T}>", rel=4, near=12)
def xlog1py(T):
    for blocks, a in vectors(T, edges=False):
        b = uniform(5, -0.5, 4, *a.shape, T=T)
        a[::5], b[::10] = 0, -1
        yield blocks, [In(a), In(b), Out(torch.special.xlog1py(a.double(), b.double()), T)]


def tested(name, reference, *scalars, instance=None):
    @kernel(f"math/{name}", (instance or name) + "<{T}>")
    def cases(T):
        for blocks, x in vectors(T):
            yield blocks, [In(x), Out(reference(x.double()).to(torch.int8)), *scalars]


tested("isinf", torch.isinf, instance="isinf_of")
tested("isfinite", torch.isfinite, instance="isfinite_of")
tested("is_negative", lambda x: x < 0)
tested("in_range", lambda x: (x >= -0.5) & (x < 3), f32(-0.5), f32(3.0))
compare("not_equal", torch.ne)
compare("greater_equal", torch.ge)
compare("less_equal", torch.le)


@kernel("math/isclose", "isclose<{T}>")
def isclose(T):
    for blocks, a in vectors(T, edges=False):
        b = a + normal(5, *a.shape, T=T) * (integers(6, 0, 2, *a.shape) * 0.25).to(a.dtype)
        # In float, as the kernel; sums of such numbers are far from the bound or exact.
        want = (a.float() - b.float()).abs() <= b.float().abs() * 0.125 + 0.0625
        yield blocks, [In(a), In(b), Out(want.to(torch.int8)), f32(0.125), f32(0.0625)]


WHOLE = ((1, 0), (8, 1), (2, 63), (3, 8193))


def logical(name, reference, operands=2):
    @kernel(f"math/{name}", name + ("" if operands == 2 else "_of"))
    def cases():
        for blocks, n in vary(WHOLE):
            values = [integers(seed, -2, 3, n, T="i8") for seed in range(operands)]
            yield blocks, [*map(In, values), Out(reference(*values).to(torch.int8))]


logical("logical_and", torch.logical_and)
logical("logical_or", torch.logical_or)
logical("logical_xor", torch.logical_xor)
logical("logical_not", torch.logical_not, operands=1)


def bits(name, reference, operands=2, suffix=""):
    # The 310P has no operations on the bits of whole numbers.
    @kernel(f"math/{name}", f"{name}<{{T}}{suffix}>", dtypes=("i16", "i32"), archs=(2201, 3510))
    def cases(T):
        for blocks, n in vary(WHOLE):
            values = [integers(seed, -2**15, 2**15, n, T=T) for seed in range(operands)]
            yield blocks, [*map(In, values), Out(reference(*values))]


bits("bitwise_and", torch.bitwise_and)
bits("bitwise_or", torch.bitwise_or)
bits("bitwise_xor", torch.bitwise_xor)
bits("bitwise_not", torch.bitwise_not, operands=1)
bits("shift_left", lambda x: x << 3, operands=1, suffix=", 3")
bits("shift_right", lambda x: x >> 3, operands=1, suffix=", 3")
