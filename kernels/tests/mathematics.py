"""Scans and products with a number."""
import torch
from library import In, Out, f32, kernel, normal, unary
from reduce import SHAPES

unary("math/scale", lambda x: x * 3.140000104904175, f32(3.14), covers="math/matrix_scalar_multiplication", rel=1)


@kernel("math/cumsum_middle", "cumsum_middle<{T}>")
def cumsum_middle(T):
    for blocks, b, m, n in SHAPES:
        x = normal(1, b, m, n, T=T)
        wide = x.double()
        yield blocks, [In(x), Out(wide.cumsum(1), T, wide.abs().cumsum(1) * 16)]


@kernel("math/cumprod_middle", "cumprod_middle<{T}>", rel=300)
def cumprod_middle(T):
    for blocks, b, m, n in SHAPES:
        x = (normal(1, b, m, n) * 0.1 + 1).to(normal(0, 1, T=T).dtype)
        yield blocks, [In(x), Out(torch.cumprod(x.double(), 1), T)]
