"""Quantisation by channel, by group and of sums; those of rows are in inference.py."""
import torch
from library import In, Out, f32, integers, kernel, normal, uniform, vary

SHAPES = ((1, 0, 3), (8, 1, 1), (2, 9, 300), (3, 33, 64))
ROWS = ((1, 0), (8, 1), (2, 9), (3, 33))


def whole(seed, T, *shape):
    """Whole numbers: what they are divided by is a power of two, and no quotient is near a half."""
    return integers(seed, -120, 121, *shape).to(normal(0, 1, T=T).dtype)


@kernel("quantize/quantize_channels", "quantize_channels<{T}>")
def quantize_channels(T):
    for blocks, r, c in vary(SHAPES):
        x, s = whole(1, T, r, c), 2.0 ** integers(2, -1, 3, c).float()
        want = torch.clamp(torch.round(x.double() / s.double()), -128, 127)
        yield blocks, [In(x), In(s), Out(want.to(torch.int8))]


@kernel("quantize/dequantize_channels", "dequantize_channels<{T}>", rel=1)
def dequantize_channels(T):
    for blocks, r, c in vary(SHAPES):
        q, s = integers(1, -128, 128, r, c, T="i8"), uniform(2, 0.01, 1, c)
        yield blocks, [In(q), In(s), Out(q.double() * s.double(), T)]


for G in (32, 128):
    @kernel("quantize/quantize_groups", f"quantize_groups<{{T}}, {G}>", rel=2)
    def quantize_groups(T, G=G):
        for blocks, n in vary(ROWS):
            x = whole(1, T, n, G)
            x[:, 0] = 127  # scales are 1
            yield blocks, [In(x), Out(x.to(torch.int8)), Out(torch.ones(n).double(), torch.float16)]

    @kernel("quantize/quantize_asymmetric", f"quantize_asymmetric<{{T}}, {G}>", rel=2)
    def quantize_asymmetric(T, G=G):
        for blocks, n in vary(ROWS):
            x = integers(1, -100, 121, n, G).to(normal(0, 1, T=T).dtype)
            x[:, 0], x[:, 1] = -100, 155  # 255 steps of 1
            yield blocks, [In(x), Out((x.double() - 28).to(torch.int8)), Out(torch.ones(n).double(), torch.float32),
                           Out(torch.full((n,), -28.0).double(), torch.float32)]

    @kernel("quantize/swiglu_quantize", f"swiglu_quantize<{{T}}, {G}>", rel=20)
    def swiglu_quantize(T, G=G):
        for blocks, n in vary(ROWS):
            # The gate is wide open: a is far enough from 0 that sigmoid(a) is 1.
            a, b = torch.full((n, G), 32.0), integers(1, -126, 127, n, G).float()
            if n:
                b[:, 0] = 127
            x = torch.cat([a, b], 1).to(normal(0, 1, T=T).dtype)
            yield blocks, [In(x), Out(b.to(torch.int8)), Out(torch.full((n,), 32.0).double(), torch.float32)]


@kernel("quantize/requantize", "requantize<>")
def requantize():
    for blocks, n in ((1, 0), (8, 1), (2, 63), (3, 8193)):
        x = integers(1, -3000, 3001, n) * 2 + 1  # odd: x / 16 is no half
        want = torch.clamp(torch.round(x.double() / 16) + 3, -128, 127)
        yield blocks, [In(x), Out(want.to(torch.int8)), f32(0.0625), f32(3.0)]


@kernel("quantize/dequantize_sums", "dequantize_sums<{T}>", rel=4, near=4)
def dequantize_sums(T):
    for blocks, r, c in vary(SHAPES):
        x, rows, columns, bias = integers(1, -9000, 9000, r, c), uniform(2, 0, 0.01, r), uniform(3, 0, 1, c), normal(4, c)
        want = x.double() * rows.double()[:, None] * columns.double() + bias.double()
        yield blocks, [In(x), In(rows), In(columns), In(bias), Out(want, T)]


@kernel("quantize/smooth_scale", "smooth_scale<{T}>", rel=1)
def smooth_scale(T):
    for blocks, r, c in vary(SHAPES):
        x, s = normal(1, r, c, T=T), uniform(2, 0.5, 4, c, T=T)
        yield blocks, [In(x), In(s), Out(x.double() / s.double(), T)]
