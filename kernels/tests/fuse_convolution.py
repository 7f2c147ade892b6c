"""Convolutions with what follows them, in one kernel, against PyTorch in float64.

Images are volumes of one plane. Bounds follow from those of the sums, as in fuse.py.
"""
import math

import torch
from convolution import summed, taps_first
from library import F, In, Out, f32, i64, kernel, normal
from products import SEPARATE

ONLY = ("float",)
TILES = "16, 48, 16"
# Cores, images, channels, height, width, outputs: no image, one pixel of output, odd, more than
# one tile of outputs, pixels and channels.
SHAPES = ((1, 0, 3, 5, 7, 2), (1, 1, 1, 3, 3, 1), (3, 2, 5, 6, 61, 20), (2, 1, 21, 5, 9, 3))


class Layer:
    """Arguments of a convolution, what it is, and how far it may be off."""

    def __init__(self, dims, shape, size, stride=0, pad=0, more=0):
        n, c, h, w, o = shape
        extents = (h, w) if dims == 2 else (4, h, w)
        fan = math.sqrt(c * math.prod(size))
        x, f, bias = normal(1, n, c, *extents), normal(2, 1, o, c, *size, scale=1 / fan), normal(3, 1, o)
        convolve = (getattr(F, f"conv_transpose{dims}d") if stride else getattr(F, f"conv{dims}d"))
        self.t = self.off = None
        if stride:
            outs = [(e - 1) * stride - 2 * pad + k + more for e, k in zip(extents, size)]
            apply = lambda a, b: convolve(a, b.transpose(0, 1), None, stride, pad, more)  # noqa: E731
        else:
            outs = [e + 2 * pad - k + 1 for e, k in zip(extents, size)]
            apply = lambda a, b: convolve(a, b, None, 1, pad)  # noqa: E731
        self.t, self.off = (summed(apply, x, f, bias) if n else
                            (torch.zeros(0, o, *outs).double(), torch.zeros(0, o, *outs).double()))
        self.inputs = [In(self.deep(x)), In(taps_first(f)[0]), In(bias[0])]
        self.o, self.dims = o, dims

    def deep(self, x):
        return x[:, :, None] if x.dim() == 4 else x

    def out(self, want, off, dtype="float"):
        return Out(self.deep(want), dtype, self.deep(off))

    def channel(self, row):
        return row.double().reshape(-1, *[1] * self.dims)


SIZE = {2: (3, 2), 3: (2, 3, 2)}


def instance(name, dims, *more):
    return f"{name}<{{T}}, {', '.join(map(str, (*SIZE[dims], *more)))}, {TILES}>"


def launches(dims, stride=0, pad=0, more=0, shapes=SHAPES):
    for blocks, *shape in shapes:
        yield blocks, Layer(dims, shape, SIZE[dims], stride, pad, more)


def mapped(name, dims, function, slope, *scalars, rows=0, near=8):
    """y = f(t, numbers for each output)."""
    @kernel(f"fuse/{name}", instance(name, dims), f"fuse/{name}", dtypes=ONLY, archs=SEPARATE)
    def cases(T):
        for blocks, layer in launches(dims):
            given = [normal(4 + i, layer.o) for i in range(rows)]
            want = function(layer.t, *map(layer.channel, given))
            yield blocks, [*layer.inputs, *map(In, given), layer.out(want, slope * layer.off + near),
                           *map(f32, scalars)]


mapped("conv2d_divide_leaky_relu", 2, lambda t: F.leaky_relu(t / 2, 0.01), 0.5, 2.0, 0.01)
mapped("conv2d_hard_swish_relu", 2, lambda t: torch.relu(F.hardswish(t)), 1.5)
mapped("conv2d_min_add_multiply", 2, lambda t, a: (t.clamp(max=0.5) + a) * 2, 2, 0.5, 2.0, rows=1)
mapped("conv2d_mish_mish", 2, lambda t: F.mish(F.mish(t)), 1.3)
# Factors are below 4.
mapped("conv2d_multiply_leaky_relu_gelu", 2, lambda t, a: F.gelu(F.leaky_relu(t * a, 0.01)), 5, 0.01, rows=1)
mapped("conv2d_relu_bias_add", 2, lambda t, a: torch.relu(t) + a, 1, rows=1)
mapped("conv2d_relu_hard_swish", 2, lambda t: F.hardswish(torch.relu(t)), 1.5)
mapped("conv2d_subtract_subtract_mish", 2, lambda t: F.mish(t - 0.5 - 0.2), 1.2, 0.5, 0.2)
mapped("conv3d_leaky_relu_sum_clamp_gelu", 3, lambda t, a: F.gelu((F.leaky_relu(t, 0.2) + a).clamp(-1, 1)), 1.2, 0.2,
       rows=1)
mapped("conv3d_mish_tanh", 3, lambda t: torch.tanh(F.mish(t)), 1.2)
mapped("conv3d_relu_leaky_relu_gelu_sigmoid_bias_add", 3,
       lambda t, a: torch.sigmoid(F.gelu(F.leaky_relu(torch.relu(t), 0.01))) + a, 1, 0.01, rows=1)
mapped("conv3d_scaling_tanh_multiply_sigmoid", 3, lambda t, a, b: torch.sigmoid(torch.tanh(t * a) * b), 4, rows=2)


def pooled(name, function, slope, *scalars, rows=0, sizes=(2, 3)):
    for size in sizes:
        @kernel(f"fuse/{name}", instance(name, 2, size), f"fuse/{name}", dtypes=ONLY, archs=SEPARATE)
        def cases(T, size=size):
            for blocks, layer in launches(2, shapes=((1, 0, 3, 5, 7, 2), (1, 1, 1, 5, 4, 1), (3, 2, 5, 9, 130, 20),
                                                     (2, 1, 21, 6, 9, 3))):
                given = [normal(4 + i, layer.o) for i in range(rows)]
                want = function(layer.t, size, *map(layer.channel, given))
                off = max2(layer.off, size)
                yield blocks, [*layer.inputs, *map(In, given), layer.out(want, slope * off + 8), *map(f32, scalars)]


def pool2(pool, t, size):
    """Nothing of what is empty or smaller than a window."""
    if t.numel() and min(t.shape[2:]) >= size:
        return pool(t, size)
    return t.new_zeros(*t.shape[:2], t.shape[2] // size, t.shape[3] // size)


def max2(t, size):
    return pool2(F.max_pool2d, t, size)


def avg2(t, size):
    return pool2(F.avg_pool2d, t, size)


pooled("conv2d_subtract_hard_swish_max_pool_mish", lambda t, p: F.mish(max2(F.hardswish(t - 0.5), p)), 1.8, 0.5)
pooled("conv2d_subtract_tanh_subtract_avg_pool", lambda t, p: avg2(torch.tanh(t - 0.5) - 0.2, p), 1.5, 0.5, 0.2)
pooled("conv2d_tanh_scaling_bias_add_max", lambda t, p, a: max2(torch.tanh(t) * 2 + a, p), 2, 2.0, rows=1,
       sizes=(2, 4))


# --- transposed ------------------------------------------------------------------


def spread(name, dims, function, slope, *scalars, rows=0, near=8, pad=1, more=1):
    @kernel(f"fuse/{name}", instance(name, dims, 2), f"fuse/{name}", dtypes=ONLY, archs=SEPARATE)
    def cases(T):
        for blocks, layer in launches(dims, 2, pad, more, ((1, 0, 3, 3, 4, 2), (1, 1, 1, 2, 2, 1), (3, 2, 5, 3, 35, 20),
                                                           (2, 1, 21, 2, 5, 3))):
            given = [normal(4 + i, layer.o) for i in range(rows)]
            want = function(layer.t, *map(layer.channel, given))
            yield blocks, [*layer.inputs, *map(In, given), layer.out(want, slope(layer) if callable(slope) else
                                                                     slope * layer.off + near), i64(pad),
                           *map(f32, scalars)]


spread("conv_transpose2d_add_min_gelu_multiply", 2, lambda t: F.gelu((t + 0.5).clamp(max=0)) * 2, 2.4, 0.5, 2.0, pad=0,
       more=0)
spread("conv_transpose2d_bias_add_clamp_scaling_clamp_divide", 2,
       lambda t, a: ((t + a).clamp(0, 1) * 2).clamp(0, 1) / 2, 1, 2.0, rows=1)
spread("conv_transpose2d_mish_add_hardtanh_scaling", 2, lambda t: F.hardtanh(F.mish(t) + 0.5) * 2, 2.4, 0.5, 2.0)
spread("conv_transpose2d_subtract_tanh", 2, lambda t, a: torch.tanh(t - a), 1, rows=1)
spread("conv_transpose3d_clamp_min_divide", 3, lambda t: t.clamp(min=-1) / 2, 0.5, -1.0, 2.0, more=0)
# Of (2 t + a) t + t, the slope is 4 |t| + |a| + 1.
spread("conv_transpose3d_sum_residual_add_multiply_residual_add", 3, lambda t, a: (t + a + t) * t + t,
       lambda layer: (4 * layer.t.abs() + 6) * layer.off + 8 * (1 + layer.t.abs()) ** 2, rows=1)


def phases(name, function, slope, *scalars, more=1):
    """Pooling of the 2 by 2 by 2 neighbours that are the phases of the stride."""
    @kernel(f"fuse/{name}", instance(name, 3, 2), f"fuse/{name}", dtypes=ONLY, archs=SEPARATE)
    def cases(T):
        for blocks, layer in launches(3, 2, 1, more, ((1, 1, 1, 2, 3, 1), (3, 2, 5, 3, 55, 20), (2, 1, 21, 2, 5, 3))):
            given = normal(4, layer.o)
            want = function(layer.t, layer.channel(given))
            off = F.max_pool3d(layer.off, 2)
            yield blocks, [*layer.inputs, In(given), layer.out(want, slope * off + 8), i64(1), *map(f32, scalars)]


# Factors are below 4.
phases("conv_transpose3d_leaky_relu_multiply_leaky_relu_max",
       lambda t, a: F.max_pool3d(F.leaky_relu(F.leaky_relu(t, 0.2) * a, 0.2), 2), 4, 0.2)
phases("conv_transpose3d_scaling_avg_pool_bias_add_scaling",
       lambda t, a: (F.avg_pool3d(t * 0.5, 2) + a) * 1.5, 3, 0.5, 1.5, more=0)
