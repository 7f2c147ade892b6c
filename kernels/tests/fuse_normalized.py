"""Normalized convolutions, against PyTorch in float64; bounds as in fuse.py."""
import math

import torch
from fuse_convolution import ONLY, SIZE, TILES, launches
from library import F, In, InOut, Out, f32, i64, kernel, normal
from products import SEPARATE

SPREADS = ((1, 1, 1, 2, 2, 4), (3, 2, 5, 3, 35, 20), (2, 1, 21, 2, 5, 8))
SHAPES = ((1, 1, 1, 4, 3, 4), (3, 2, 5, 5, 61, 20), (2, 3, 21, 4, 9, 8))


def normalized(t, off, eps=1e-5):
    """Over all dimensions but the first."""
    flat, worst = t.flatten(1), off.flatten(1)
    count = flat.shape[1]
    d = flat - flat.mean(1, keepdim=True)
    deviation = torch.sqrt((d * d).mean(1, keepdim=True) + eps)
    n, worst = d / deviation, (worst + 2 * math.sqrt(count) * flat.abs()).amax(1, keepdim=True)
    near = 3 * worst / deviation * (1 + n.abs()) + 8 * n.abs() + 4
    return n.reshape(t.shape), near.reshape(t.shape)


def over_batch(t, off):
    return [x.transpose(0, 1) for x in normalized(t.transpose(0, 1), off.transpose(0, 1))]


def over_groups(t, off, width):
    n, o = t.shape[:2]
    split = [x.reshape(n * o // width, width, *t.shape[2:]) for x in (t, off)]
    return [x.reshape(t.shape) for x in normalized(*split)]


def over_images(t, off):
    return over_groups(t, off, 1)


def affine(layer, n, off):
    gamma, beta = normal(7, layer.o), normal(8, layer.o)
    g, b = layer.channel(gamma), layer.channel(beta)
    return [In(gamma), In(beta)], n * g + b, off * g.abs() + b.abs() + 1


def changed(layer, want, off):
    return InOut(torch.zeros(layer.deep(want).shape), layer.deep(want), layer.deep(off))


def batch(name, before, slope, after, rise, *scalars):
    @kernel(f"fuse/{name}", f"{name}<{{T}}, {SIZE[2][0]}, {SIZE[2][1]}, {TILES}>", f"fuse/{name}", dtypes=ONLY,
            archs=SEPARATE)
    def cases(T):
        for blocks, layer in launches(2, shapes=SHAPES):
            inputs, t, off = affine(layer, *over_batch(before(layer.t), slope * layer.off + 8))
            yield blocks, [*layer.inputs, *inputs, changed(layer, after(t), rise * off + 4), f32(1e-5),
                           *map(f32, scalars)]


batch("conv2d_batch_norm_scaling", lambda t: t, 1, lambda t: t * 2, 2, 2.0)
batch("conv2d_activation_batch_norm", F.mish, 1.2, lambda t: t, 1)


def grouped(name, dims, before, slope, after, rise, *scalars, stride=0, pad=0, rows=0):
    """Groups of 4 outputs."""
    more = (4, stride) if stride else (4,)
    numbers = ", ".join(map(str, (*SIZE[dims], *more)))

    @kernel(f"fuse/{name}", f"{name}<{{T}}, {numbers}, 48, 16>", f"fuse/{name}", dtypes=ONLY, archs=SEPARATE)
    def cases(T):
        for blocks, layer in launches(dims, stride, pad, shapes=SPREADS if stride else SHAPES):
            given = [normal(4 + i, layer.o) for i in range(rows)]
            t = before(layer.t, *map(layer.channel, given))
            inputs, t, off = affine(layer, *over_groups(t, slope * layer.off + 8, 4))
            yield blocks, [*layer.inputs, *inputs, *map(In, given), changed(layer, after(t), rise * off + 4),
                           *([i64(pad)] if stride else []), f32(1e-5), *map(f32, scalars)]


def same(t):
    return t


# Factors are below 4, and sigmoid has slopes up to a quarter.
grouped("conv2d_add_scale_sigmoid_group_norm", 2, lambda t, a, b: torch.sigmoid((t + a) * b), 1, same, 1, rows=2)
grouped("conv_transpose2d_gelu_group_norm", 2, F.gelu, 1.2, same, 1, stride=1)
# What is at most the lower bound and then at least that is the lower bound: the reference is 0
# whatever it normalizes, and no test of its result can tell more.
grouped("conv3d_group_norm_min_clamp_dropout", 3, same, 1, lambda t: t.clamp(max=0).clamp(0, 1), 1, 0.0, 1.0)


@kernel("fuse/conv2d_instance_norm_divide", f"conv2d_instance_norm_divide<{{T}}, 3, 2, {TILES}>",
        "fuse/conv2d_instance_norm_divide", dtypes=ONLY, archs=SEPARATE)
def conv2d_instance_norm_divide(T):
    for blocks, layer in launches(2, shapes=SHAPES):
        t, off = over_images(layer.t, layer.off)
        yield blocks, [*layer.inputs, changed(layer, t / 2, 0.5 * off), f32(1e-5), f32(2.0)]


# --- with another result than what is normalized -----------------------------------


def room(layer, t, off):
    return changed(layer, t, off)


def group_norm(layer, before=same, slope=1.0, width=4):
    """What is normalized, with how far it may be off; scales and shifts; the result, with how far."""
    t, off = before(layer.t), slope * layer.off + 8
    inputs, n, near = affine(layer, *over_groups(t, off, width))
    return t, off, inputs, n, near


def floating(want, near):
    return Out(want, torch.float32, near)


@kernel("fuse/conv2d_group_norm_scale_max_pool_clamp",
        "conv2d_group_norm_scale_max_pool_clamp<{T}, 3, 2, 4, 2, 48, 16>",
        "fuse/conv2d_group_norm_scale_max_pool_clamp", dtypes=ONLY, archs=SEPARATE)
def conv2d_group_norm_scale_max_pool_clamp(T):
    for blocks, layer in launches(2, shapes=((1, 1, 1, 5, 4, 4), (3, 2, 5, 7, 103, 20))):
        t, off, inputs, n, near = group_norm(layer)
        factors = normal(4, layer.o)
        factor = layer.channel(factors)
        want = F.max_pool2d(n * factor, 2).clamp(0, 1)
        yield blocks, [*layer.inputs, *inputs, In(factors), room(layer, t, off),
                       layer.out(want, F.max_pool2d(near * factor.abs() + 2, 2)), f32(1e-5), f32(0.0), f32(1.0)]


@kernel("fuse/conv2d_group_norm_tanh_hard_swish_residual_add_log_sum_exp",
        "conv2d_group_norm_tanh_hard_swish_residual_add_log_sum_exp<{T}, 3, 2, 4, 48, 16>",
        "fuse/conv2d_group_norm_tanh_hard_swish_residual_add_log_sum_exp", dtypes=ONLY, archs=SEPARATE)
def conv2d_group_norm_tanh_hard_swish_residual_add_log_sum_exp(T):
    for blocks, layer in launches(2, shapes=SHAPES):
        t, off, inputs, n, near = group_norm(layer)
        groups = t.reshape(t.shape[0], -1, 4, *t.shape[2:]).flatten(2)
        mean, scale = groups.mean(2), 1 / torch.sqrt(groups.var(2, unbiased=False) + 1e-5)
        statistics = torch.stack([mean, scale], 1).repeat_interleave(4, 2)
        worst = off.flatten(1).amax(1).reshape(-1, 1, 1) + 64
        want = torch.logsumexp(t + F.hardswish(torch.tanh(n)), 1)
        yield blocks, [*layer.inputs, *inputs, room(layer, t, off),
                       InOut(torch.zeros(statistics.shape), statistics, 8 * worst * (1 + statistics[:, 1:] ** 2)),
                       floating(want, (off + 1.2 * near).amax(1) + 4 * want.abs() + 24), f32(1e-5)]


def of_channels(layer, n, near):
    """Means over all places of each output."""
    return n.flatten(2).mean(2), near.flatten(2).mean(2) + 16 * (1 + n.abs().flatten(2).mean(2))


@kernel("fuse/conv3d_group_norm_mean", "conv3d_group_norm_mean<{T}, 2, 3, 2, 4, 48, 16>", "fuse/conv3d_group_norm_mean",
        dtypes=ONLY, archs=SEPARATE)
def conv3d_group_norm_mean(T):
    for blocks, layer in launches(3, shapes=SHAPES):
        t, off, inputs, n, near = group_norm(layer)
        want, close = of_channels(layer, n, near)
        yield blocks, [*layer.inputs, *inputs, room(layer, t, off), floating(want.mean(1), close.mean(1)), f32(1e-5)]


@kernel("fuse/conv3d_hardswish_relu_softmax_mean", "conv3d_hardswish_relu_softmax_mean<{T}, 2, 3, 2, 4, 48, 16>",
        "fuse/conv3d_hardswish_relu_softmax_mean", dtypes=ONLY, archs=SEPARATE)
def conv3d_hardswish_relu_softmax_mean(T):
    for blocks, layer in launches(3, shapes=SHAPES):
        t, off, inputs, n, near = group_norm(layer, F.hardswish, 1.5)
        yield blocks, [*layer.inputs, *inputs, room(layer, t, off), floating(*of_channels(layer, n, near)), f32(1e-5)]


@kernel("fuse/conv3d_multiply_instance_norm_clamp_multiply_max",
        "conv3d_multiply_instance_norm_clamp_multiply_max<{T}, 2, 3, 2, 32, 48, 16>",
        "fuse/conv3d_multiply_instance_norm_clamp_multiply_max", dtypes=ONLY, archs=SEPARATE)
def conv3d_multiply_instance_norm_clamp_multiply_max(T):
    for blocks, layer in launches(3, shapes=SHAPES):
        factors = normal(4, layer.o)
        factor = layer.channel(factors)
        t, off = layer.t * factor, layer.off * factor.abs() + 4 * (layer.t * factor).abs() + 1
        n, near = over_images(t, off)
        want = (n.clamp(-1, 1) * factor).amax(1)
        yield blocks, [*layer.inputs, In(factors), room(layer, t, off),
                       floating(want, (near * factor.abs()).amax(1) + 4), f32(1e-5), f32(-1.0), f32(1.0)]


@kernel("fuse/convtranspose2d_batchnorm_tanh_maxpool_groupnorm",
        "convtranspose2d_batchnorm_tanh_maxpool_groupnorm<{T}, 3, 2, 1, 2, 4, 48, 16>",
        "fuse/convtranspose2d_batchnorm_tanh_maxpool_groupnorm", dtypes=ONLY, archs=SEPARATE)
def convtranspose2d_batchnorm_tanh_maxpool_groupnorm(T):
    for blocks, layer in launches(2, 1, 0, shapes=((1, 1, 1, 3, 4, 4), (3, 3, 5, 5, 101, 20))):
        inputs, n, near = affine(layer, *over_batch(layer.t, layer.off))
        pooled, close = F.max_pool2d(torch.tanh(n), 2), F.max_pool2d(near + 4, 2)
        z, close = over_groups(pooled, close, 4)
        gamma, beta = normal(17, layer.o), normal(18, layer.o)
        want = z * layer.channel(gamma) + layer.channel(beta)
        close = close * layer.channel(gamma).abs() + layer.channel(beta).abs() + 1
        yield blocks, [*layer.inputs, *inputs, In(gamma), In(beta), room(layer, layer.t, layer.off),
                       changed(layer, want, close), i64(0), f32(1e-5)]
