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
