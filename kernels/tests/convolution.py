"""Convolutions, against PyTorch in float64; bounds are those of their sums (products.py)."""
import math

import torch
from library import ALL, F, In, Out, i64, kernel, normal
from products import SEPARATE

BOTH = ("float", "half")
ONLY = ("float",)  # what the references have
TILES = "32, 48, 32"
# Cores, images, groups, channels, height, width, outputs, pads, dilations: no image, no output,
# one, odd, more than one tile of outputs, pixels and channels, padding wider than the image.
SHAPES = ((1, 0, 1, 3, 5, 7, 2, (1, 1), (1, 1)), (2, 2, 1, 3, 8, 9, 0, (1, 1), (1, 1)),
          (1, 1, 1, 1, 1, 1, 1, (2, 3), (1, 1)), (3, 2, 2, 5, 6, 61, 40, (1, 0), (1, 2)),
          (2, 1, 1, 37, 7, 120, 33, (2, 4), (2, 3)), (2, 1, 1, 4, 5, 5, 4, (7, 6), (1, 1)))


def names(*ends):
    return tuple(f"convolution/{e}" for e in ends)


def taps_first(f):
    """[G, O, C, taps...] as [G, taps, O, C]."""
    return f.flatten(3).permute(0, 3, 1, 2)


def summed(convolve, x, f, bias):
    """Planes of groups, each with the filters of its group: in float64, and how far off."""
    groups = f.shape[0]
    want = [convolve(x[p:p + 1].double(), f[p % groups].double()) for p in range(x.shape[0])]
    size = [convolve(x[p:p + 1].double().abs(), f[p % groups].double().abs()) for p in range(x.shape[0])]
    b = [bias[p % groups].double().reshape(1, -1, *[1] * (x.dim() - 2)) for p in range(x.shape[0])]
    terms = f.shape[2] * f[0, 0, 0].numel()
    want = torch.cat([w + c for w, c in zip(want, b)])
    return want, 2 * math.sqrt(terms) * torch.cat(size) + want.abs() + 1e-9


def out_extent(e, k, stride, pad, dilation):
    return (e + 2 * pad - dilation * (k - 1) - 1) // stride + 1


def convolutions(dims, T, size, stride, shapes=SHAPES, one=False):
    """One: the same pad and dilation in all directions."""
    convolve = getattr(F, f"conv{dims}d")
    for blocks, n, g, c, h, w, o, pads, dilations in shapes:
        extents = (3, h, w)[3 - dims:]
        pads = ((pads[0],) * dims if one else (0, *pads)[3 - dims:])
        dilations = ((dilations[0],) * dims if one else (1, *dilations)[3 - dims:])
        outs = [out_extent(*a) for a in zip(extents, size, stride, pads, dilations)]
        if min(outs) < 1:
            continue
        x, f = normal(1, n * g, c, *extents, T=T), normal(2, g, o, c, *size, T=T)
        bias = normal(3, g, o)
        if n and o:
            want, near = summed(lambda a, b: convolve(a, b, None, stride, pads, dilations), x, f, bias)
        else:
            want, near = torch.zeros(n * g, o, *outs).double(), 0
        yield blocks, [In(x), In(taps_first(f)), In(bias), Out(want, T, near)], pads, dilations


for stride, k, covers in ((1, 3, "conv_standard_1d"), (3, 3, "conv_standard_1d_dilated_strided"), (2, 4, None)):
    @kernel("convolution/conv1d", f"conv1d<{{T}}, {stride}, {TILES}>", names(covers) if covers else (), dtypes=BOTH,
            archs=SEPARATE, rel=2, quick=stride == 2)
    def conv1d(T, stride=stride, k=k):
        for blocks, arguments, pads, dilations in convolutions(1, T, (k,), (stride,)):
            yield blocks, [*arguments, i64(pads[0]), i64(dilations[0])]


STANDARD = "conv_standard_2d_"
for KH, KW, SH, SW, covers in (
        (3, 3, 1, 1, [STANDARD + "asymmetric_input_square_kernel"]),
        (2, 3, 1, 1, [STANDARD + s for s in ("square_input_asymmetric_kernel", "asymmetric_input_asymmetric_kernel",
                                             "square_input_asymmetric_kernel_dilated_padded")]),
        (3, 3, 4, 4, [STANDARD + "square_input_square_kernel"]), (3, 2, 1, 2, [])):
    @kernel("convolution/conv2d", f"conv2d<{{T}}, {KH}, {KW}, {SH}, {SW}, {TILES}>", names(*covers), dtypes=BOTH,
            archs=SEPARATE, rel=2)
    def conv2d(T, size=(KH, KW), stride=(SH, SW)):
        for blocks, arguments, pads, dilations in convolutions(2, T, size, stride):
            yield blocks, [*arguments, *map(i64, (*pads, *dilations))]


CUBIC = "conv_standard_3d_"
for size, stride, covers in (
        ((2, 3, 3), 1, [CUBIC + s for s in ("square_input_asymmetric_kernel", "asymmetric_input_asymmetric_kernel")]),
        ((2, 2, 2), 1, [CUBIC + "square_input_square_kernel"]),
        ((3, 3, 1), 1, [CUBIC + "asymmetric_input_square_kernel"]), ((2, 2, 2), 2, [])):
    @kernel("convolution/conv3d", f"conv3d<{{T}}, {', '.join(map(str, size))}, {stride}, {TILES}>", names(*covers),
            dtypes=ONLY, archs=SEPARATE, rel=2)
    def conv3d(T, size=size, stride=stride):
        for blocks, arguments, pads, dilations in convolutions(3, T, size, (stride,) * 3, one=True):
            yield blocks, [*arguments, i64(pads[0]), i64(dilations[0])]


@kernel("convolution/conv_pointwise", f"conv_pointwise<{{T}}, {TILES}>", names("conv_pointwise_2d"), dtypes=ONLY,
        archs=SEPARATE, rel=1)
def conv_pointwise(T):
    for blocks, n, c, h, w, o in ((1, 0, 3, 5, 7, 2), (2, 2, 3, 4, 4, 0), (1, 1, 1, 1, 1, 1), (3, 2, 37, 9, 11, 40)):
        x, f = normal(1, n, c, h, w, T=T), normal(2, o, c, T=T)
        want = torch.einsum("oc,nchw->nohw", f.double(), x.double()).reshape(n, o, h * w)
        size = torch.einsum("oc,nchw->nohw", f.double().abs(), x.double().abs()).reshape(n, o, h * w)
        yield blocks, [In(x.reshape(n, c, h * w)), In(f), Out(want, T, 2 * math.sqrt(c) * size)]


# Cores, images, channels, height, width, pads, dilations.
CHANNELS = ((1, 0, 3, 5, 5, (1, 1), (1, 1)), (1, 1, 1, 1, 1, (1, 1), (1, 1)), (3, 2, 17, 6, 61, (1, 0), (1, 2)),
            (2, 1, 33, 7, 50, (4, 3), (2, 1)), (4, 1, 3, 5, 9, (2, 2), (1, 1)))


def each_channel(x, f, stride, pads, dilations):
    c = x.shape[1]
    want = F.conv2d(x.double(), f.double(), None, stride, pads, dilations, c)
    return want, 2 * math.sqrt(f[0].numel()) * F.conv2d(x.double().abs(), f.double().abs(), None, stride, pads,
                                                       dilations, c) + 1e-9


def channel_cases(T, size, stride):
    for blocks, n, c, h, w, pads, dilations in CHANNELS:
        if min(out_extent(*a) for a in zip((h, w), size, stride, pads, dilations)) < 1:
            continue
        x, f = normal(1, n, c, h, w, T=T), normal(2, c, 1, *size, T=T)
        yield blocks, x, f, pads, dilations, *each_channel(x, f, stride, pads, dilations)


DEEP = "conv_depthwise_2d_"
for KH, KW, SH, SW, covers in (
        (3, 3, 1, 1, [DEEP + "square_input_square_kernel", DEEP + "asymmetric_input_square_kernel"]),
        (3, 1, 1, 1, [DEEP + "square_input_asymmetric_kernel"]),
        (2, 5, 1, 1, [DEEP + "asymmetric_input_asymmetric_kernel"]), (3, 3, 1, 2, [])):
    @kernel("convolution/conv_depthwise", f"conv_depthwise<{{T}}, {KH}, {KW}, {SH}, {SW}, 16, 48>", names(*covers),
            dtypes=ONLY, archs=ALL, rel=2)
    def conv_depthwise(T, size=(KH, KW), stride=(SH, SW)):
        for blocks, x, f, pads, dilations, want, near in channel_cases(T, size, stride):
            yield blocks, [In(x), In(f.reshape(f.shape[0], -1).t()), Out(want, T, near),
                           *map(i64, (*pads, *dilations))]


@kernel("convolution/conv_separable", f"conv_separable<{{T}}, 3, 3, 1, 1, {TILES}>",
        names("conv_depthwise_separable_2d"), dtypes=ONLY, archs=SEPARATE, rel=2)
def conv_separable(T):
    for blocks, x, f, pads, dilations, want, near in channel_cases(T, (3, 3), (1, 1)):
        g = normal(4, 41, f.shape[0], T=T)
        # What is between the two is rounded to T, which may fall to either side.
        near = near + want.abs() * torch.finfo(x.dtype).eps / 2.0**-23
        more = near + 2 * math.sqrt(f.shape[0]) * want.abs()
        want = torch.einsum("oc,nchw->nohw", g.double(), want)
        more = torch.einsum("oc,nchw->nohw", g.double().abs(), more)
        yield blocks, [In(x), In(f.reshape(f.shape[0], -1).t()), In(g), Out(want, T, more),
                       *map(i64, (*pads, *dilations))]


# --- transposed ------------------------------------------------------------------

# Cores, images, groups, channels, height, width, outputs, pads, dilations, and whether there are
# rows and columns that no input reaches.
SPREADS = ((1, 0, 1, 3, 4, 5, 2, (0, 0), (1, 1), 0), (2, 1, 1, 1, 1, 1, 1, (0, 0), (1, 1), 0),
           (2, 1, 2, 5, 3, 30, 40, (1, 0), (1, 2), 1), (3, 2, 1, 37, 4, 21, 3, (1, 2), (2, 1), 1),
           (2, 1, 1, 3, 3, 60, 5, (0, 1), (1, 1), 0))


def spreads(dims, T, size, stride, deep=0, dilated=True):
    convolve = getattr(F, f"conv_transpose{dims}d")
    for blocks, n, g, c, h, w, o, pads, dilations, more in SPREADS:
        extents = {1: (w,), 2: (h, w), 3: (2, h, w)}[dims]
        pads = (deep, *pads)[3 - dims:]
        dilations = (1, *dilations)[3 - dims:] if dilated else (dilations[0],) * dims
        more = [more if s > 1 else 0 for s in stride]
        outs = [(e - 1) * s - 2 * p + d * (k - 1) + m + 1
                for e, s, p, d, k, m in zip(extents, stride, pads, dilations, size, more)]
        if min(outs) < 1:
            continue
        x, f = normal(1, n * g, c, *extents, T=T), normal(2, g, c, o, *size, T=T)
        bias = normal(3, g, o)
        if n:
            want, near = summed(lambda a, b: convolve(a, b.transpose(0, 1), None, stride, pads, more, 1, dilations), x,
                                f.transpose(1, 2), bias)
        else:
            want, near = torch.zeros(0, o, *outs).double(), 0
        yield blocks, [In(x), In(taps_first(f.transpose(1, 2))), In(bias), Out(want, T, near)], pads, dilations


ONE = "conv_transposed_1d"
for K, S, covers in ((3, 1, [ONE]), (5, 1, [ONE + "_dilated"]),
                     (3, 2, [ONE + "_asymmetric_input_square_kernel_padded_strided_dilated"])):
    @kernel("convolution/conv_transpose1d", f"conv_transpose1d<{{T}}, {K}, {S}, {TILES}>", names(*covers), dtypes=ONLY,
            archs=SEPARATE, rel=2)
    def conv_transpose1d(T, K=K, S=S):
        for blocks, (x, f, bias, y), pads, dilations in spreads(1, T, (K,), (S,)):
            x.data = x.data[:, :, None]
            y.want = y.want[:, :, None]
            y.near = y.near[:, :, None] if torch.is_tensor(y.near) else y.near
            yield blocks, [x, f, bias, y, i64(pads[0]), i64(dilations[0])]


TWO = "conv_transposed_2d_"
for KH, KW, SH, SW, covers in (
        (3, 3, 1, 1, ["square_input_square_kernel", "asymmetric_input_square_kernel"]),
        (2, 5, 1, 1, ["square_input_asymmetric_kernel", "asymmetric_input_asymmetric_kernel",
                      "asymmetric_input_asymmetric_kernel_padded"]),
        (3, 3, 5, 5, ["asymmetric_input_square_kernel_dilated_padded_strided"]),
        (3, 5, 2, 3, ["asymmetric_input_asymmetric_kernel_strided_grouped_padded_dilated"]), (4, 4, 2, 2, [])):
    @kernel("convolution/conv_transpose2d", f"conv_transpose2d<{{T}}, {KH}, {KW}, {SH}, {SW}, {TILES}>",
            names(*(TWO + c for c in covers)), dtypes=ONLY, archs=SEPARATE, rel=2)
    def conv_transpose2d(T, size=(KH, KW), stride=(SH, SW)):
        for blocks, arguments, pads, dilations in spreads(2, T, size, stride):
            yield blocks, [*arguments, *map(i64, (*pads, *dilations))]


THREE = "conv_transposed_3d_"
for size, S, covers in (
        ((3, 3, 3), 1, ["square_input_square_kernel", "asymmetric_input_square_kernel"]),
        ((2, 3, 5), 1, ["square_input_asymmetric_kernel", "asymmetric_input_asymmetric_kernel"]),
        ((3, 3, 3), 2, ["square_input_square_kernel_padded_dilated_strided",
                        "asymmetric_input_square_kernel_strided_padded_grouped"]),
        ((2, 3, 4), 2, ["asymmetric_input_asymmetric_kernel_strided_padded_grouped"])):
    @kernel("convolution/conv_transpose3d", f"conv_transpose3d<{{T}}, {', '.join(map(str, size))}, {S}, {TILES}>",
            names(*(THREE + c for c in covers)), dtypes=ONLY, archs=SEPARATE, rel=2)
    def conv_transpose3d(T, size=size, S=S):
        for blocks, arguments, pads, dilations in spreads(3, T, size, (S,) * 3, deep=int(S > 1), dilated=False):
            yield blocks, [*arguments, *map(i64, (*pads, dilations[0]))]
