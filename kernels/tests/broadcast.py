"""Operands that repeat along a dimension."""
import torch
from library import In, Out, integers, kernel, normal, special, uniform, vary, vectors

PLANES = ((1, 0, 3, 5), (8, 1, 1, 1), (2, 2, 9, 513), (3, 3, 17, 64), (4, 2, 3, 4097))
ROWS = ((1, 0, 5), (8, 1, 1), (2, 9, 513), (3, 33, 64), (4, 3, 4097))


@kernel("broadcast/add_bias", "add_bias<{T}>", "broadcast/add_bias_broadcast", rel=1)
def add_bias(T):
    for blocks, x in vectors(T):
        b = normal(7, 1, T=T)
        yield blocks, [In(x), In(b), Out(x.double() + b.double(), T)]


def channels(name, covers, operation, rel=1, safe=False):
    @kernel(f"broadcast/{name}", f"{name}<{{T}}>", covers, rel=rel)
    def cases(T):
        for blocks, n, c, size in vary(PLANES):
            x, b = normal(1, n, c, size, T=T), normal(2, c, T=T)
            if c == 9:
                x[0, 0, :21], b[1] = special(T), 0.0
            yield blocks, [In(x), In(b), Out(operation(x.double(), b.double()[:, None]), T)]


channels("add_channels", "broadcast/add_bias_four_dim_broadcast", torch.add)
channels("divide_channels", "broadcast/division_broadcast", torch.div)
channels("scale_channels", (), torch.mul)


def rows(name, covers, operation, rel=1, positive=False):
    @kernel(f"broadcast/{name}", f"{name}<{{T}}>", covers, rel=rel)
    def cases(T):
        for blocks, r, c in vary(ROWS):
            x, b = normal(1, r, c, T=T), normal(2, c, T=T)
            if positive:
                x = uniform(1, 0.1, 4, r, c, T=T)
            yield blocks, [In(x), In(b), Out(operation(x.double(), b.double()), T)]


rows("add_rows", (), torch.add)
rows("subtract_rows", "broadcast/subtract_with_bias_broadcast", torch.sub)
rows("multiply_rows", (), torch.mul)
# pow is exp(e * log(x)): the product is at most 10 here, and its rounding is relative.
rows("power_rows", "broadcast/power_broadcast", torch.pow, rel=20, positive=True)


@kernel("broadcast/clamp_rows", "clamp_rows<{T}>", "broadcast/clamp_broadcast", rel=0)
def clamp_rows(T):
    for blocks, r, c in vary(ROWS):
        x, low = normal(1, r, c, T=T), normal(2, c, T=T) - 0.5
        high = low + uniform(3, -0.5, 2, c, T=T)  # sometimes below: high wins, as in PyTorch
        want = torch.minimum(torch.maximum(x.double(), low.double()), high.double())
        yield blocks, [In(x), In(low), In(high), Out(want, T)]


@kernel("broadcast/multiply_outer", "multiply_outer<{T}>", "broadcast/elmentwise_mul_broadcast",
        dtypes=("float", "half"), rel=1)
def multiply_outer(T):
    for blocks, n, m, c in vary(PLANES):
        a, b = normal(1, n, c, T=T), normal(2, m, c, T=T)
        yield blocks, [In(a), In(b), Out(a.double()[:, None] * b.double(), T)]


@kernel("broadcast/max_outer", "max_outer<{T}>", "broadcast/max_broadcast", rel=0)
def max_outer(T):
    for blocks, n, m, c in vary(PLANES):
        a, b = normal(1, n, c, T=T), normal(2, m, T=T)
        yield blocks, [In(a), In(b), Out(torch.maximum(a.double()[:, None], b.double()[:, None]), T)]


@kernel("broadcast/and_channels", covers="broadcast/logic_and_broadcast")
def and_channels():
    for blocks, n, c, size in vary(PLANES):
        a, b = integers(1, 0, 2, n, c, size, T="i8"), integers(2, 0, 2, c, T="i8")
        yield blocks, [In(a), In(b), Out(a & b[:, None])]


@kernel("broadcast/where_channels", "where_channels<{T}>", "broadcast/where_broadcast", dtypes=("float", "half"),
        rel=0)
def where_channels(T):
    for blocks, n, c, size in vary(PLANES):
        a, b, cond = normal(1, n, c, size, T=T), normal(2, n, c, size, T=T), integers(3, 0, 2, c, T="i8")
        if c == 9:
            a[0, 0, :21] = special(T)
        yield blocks, [In(cond), In(a), In(b), Out(torch.where(cond[:, None] != 0, a, b).double(), T)]
