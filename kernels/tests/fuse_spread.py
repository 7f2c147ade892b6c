"""Transposed convolutions of volumes that are normalized or pooled twice, against PyTorch in float64."""
import math

import torch
from fuse_convolution import ONLY, SIZE, TILES, Layer, launches
from fuse_normalized import (SPREADS, affine, changed, floating, grouped, normalized, of_channels, over_batch, room,
                             same)
from library import F, In, InOut, f32, i64, kernel, normal
from products import SEPARATE

grouped("conv_transpose3d_swish_group_norm_hard_swish", 3, F.silu, 1.2, F.hardswish, 1.5, stride=2, pad=1)
grouped("convtranspose3d_relu_groupnorm", 3, torch.relu, 1, same, 1, stride=1)


def over_batches(name, slope, before, result, *scalars, parameters="2", shapes=SPREADS, change=False, size=SIZE[3]):
    """Transposed convolutions with a stride of 2 that are normalized over the batch."""
    @kernel(f"fuse/{name}", f"{name}<{{T}}, {', '.join(map(str, size))}, {parameters}, {TILES}>", f"fuse/{name}",
            dtypes=ONLY, archs=SEPARATE)
    def cases(T):
        for blocks, layer in launches(3, 2, 1, shapes=shapes):
            t, off = before(layer.t), slope * layer.off + 4
            inputs, n, near = affine(layer, *over_batch(t, off))
            want, near = result(layer, n, near)
            outputs = [changed(layer, want, near)] if change else [room(layer, t, off), floating(want, near)]
            yield blocks, [*layer.inputs, *inputs, *outputs, i64(1), f32(1e-5), *map(f32, scalars)]


over_batches("conv_transpose3d_batch_norm_avg_pool_avg_pool", 1, same,
             lambda layer, n, near: (F.avg_pool3d(F.avg_pool3d(n, 2), 2), F.max_pool3d(near, 4) + 64),
             parameters="2, 4", shapes=((3, 2, 5, 5, 103, 20), (1, 1, 1, 4, 4, 4)))
over_batches("conv_transpose3d_batch_norm_subtract", 1, same,
             lambda layer, n, near: (n - n.mean((2, 3, 4), keepdim=True),
                                     2 * near + 16 * (1 + n.abs()).flatten(2).mean(2)[..., None, None, None]),
             change=True)
over_batches("conv_transpose3d_scale_batch_norm_global_avg_pool", 2, lambda t: t * 2, of_channels, 2.0)


# --- lines -------------------------------------------------------------------------


def lines(layer, t, off, seed=7):
    w = t.shape[-1]
    gamma, beta = normal(seed, w), normal(seed + 1, w)
    n, near = (x.reshape(t.shape) for x in normalized(t.reshape(-1, w), off.reshape(-1, w)))
    return [In(gamma), In(beta)], n * gamma.double() + beta.double(), near * gamma.abs().double() + beta.abs().double()


# With taps of 4 columns, a stride of 2 and a pad of 1, lines are twice as long.
LINES = ((2, 3, 4), ((1, 1, 1, 2, 18, 4), (3, 2, 5, 3, 18, 20)))


@kernel("fuse/conv_transpose3d_layer_norm_gelu_scaling",
        "conv_transpose3d_layer_norm_gelu_scaling<{T}, 2, 3, 4, 2, 36, 16, 16>",
        "fuse/conv_transpose3d_layer_norm_gelu_scaling", dtypes=ONLY, archs=SEPARATE)
def conv_transpose3d_layer_norm_gelu_scaling(T):
    size, shapes = LINES
    for blocks, *shape in shapes:
        layer = Layer(3, shape, size, 2, 1)
        inputs, n, near = lines(layer, layer.t, layer.off)
        yield blocks, [*layer.inputs, *inputs, changed(layer, F.gelu(n) * 0.5, near + 4), i64(1), f32(1e-5), f32(0.5)]


@kernel("fuse/conv_transpose3d_sum_layer_norm_avg_pool_gelu",
        "conv_transpose3d_sum_layer_norm_avg_pool_gelu<{T}, 2, 3, 4, 2, 36, 16, 16>",
        "fuse/conv_transpose3d_sum_layer_norm_avg_pool_gelu", dtypes=ONLY, archs=SEPARATE)
def conv_transpose3d_sum_layer_norm_avg_pool_gelu(T):
    size, shapes = LINES
    for blocks, *shape in shapes:
        layer = Layer(3, shape, size, 2, 1, 1)
        t = layer.t[..., :36] + 1
        inputs, n, near = lines(layer, t, layer.off[..., :36] + t.abs())
        # Planes and rows that no window has stay as they were.
        d, h = t.shape[2] // 2 * 2, t.shape[3] // 2 * 2
        kept, close = torch.zeros_like(n), torch.zeros_like(n)
        kept[:, :, :d, :h], close[:, :, :d, :h] = n[:, :, :d, :h], near[:, :, :d, :h]
        want = F.gelu(F.avg_pool3d(n, 2))
        yield blocks, [*layer.inputs, *inputs, InOut(torch.zeros(n.shape), kept, close),
                       floating(want, 1.2 * F.max_pool3d(near, 2) + 16), i64(1), f32(1e-5), f32(1.0)]


@kernel("fuse/conv_transpose3d_max_max_sum", f"conv_transpose3d_max_max_sum<{{T}}, 2, 3, 2, 2, 3, {TILES}>",
        "fuse/conv_transpose3d_max_max_sum", dtypes=ONLY, archs=SEPARATE)
def conv_transpose3d_max_max_sum(T):
    for blocks, layer in launches(3, 2, 0, shapes=((1, 1, 1, 3, 3, 4), (3, 2, 5, 4, 61, 20))):
        first, off = F.max_pool3d(layer.t, 2), F.max_pool3d(layer.off, 2)
        second, close = F.max_pool3d(first, 3), F.max_pool3d(off, 3)
        yield blocks, [*layer.inputs, InOut(torch.zeros(first.shape), first, off),
                       floating(second.sum(1), close.sum(1) + 8 * second.abs().sum(1)), i64(0)]


@kernel("fuse/conv_transpose3d_avg_pool_clamp_softmax_multiply",
        f"conv_transpose3d_avg_pool_clamp_softmax_multiply<{{T}}, 2, 3, 2, 2, {TILES}>",
        "fuse/conv_transpose3d_avg_pool_clamp_softmax_multiply", dtypes=ONLY, archs=SEPARATE)
def conv_transpose3d_avg_pool_clamp_softmax_multiply(T):
    for blocks, n, c, d, h, w, o in ((1, 1, 1, 2, 2, 3, 1), (3, 2, 18, 4, 5, 63, 20)):
        x, f = normal(1, n, c, d, h, w), normal(2, c, o, *SIZE[3], scale=0.3)
        bias, factors = normal(3, o), normal(4, o)
        p = F.avg_pool3d(x.double(), 2)
        t = F.conv_transpose3d(p, f.double(), bias.double(), 2, 1, 1)
        size = F.conv_transpose3d(p.abs() + 1, f.abs().double(), bias.abs().double(), 2, 1, 1)
        off = (2 * math.sqrt(c * f[0, 0].numel()) + 8) * size
        want = torch.softmax(t.clamp(0, 1).flatten(2), 2).reshape(t.shape) * factors.double().reshape(-1, 1, 1, 1)
        near = want.abs() * (2 * off.flatten(2).amax(2)[..., None, None, None] + 2 * math.sqrt(t[0, 0].numel()) + 32)
        taps = f.flatten(2).permute(2, 1, 0)
        yield blocks, [In(x), In(taps), In(bias), In(factors), InOut(torch.zeros(p.shape), p, 8 * (p.abs() + 1)),
                       InOut(torch.zeros(t.shape), want, near), i64(1), f32(0.0), f32(1.0)]
