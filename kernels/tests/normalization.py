"""Normalizations: the statistics of PyTorch in float64."""
import torch
from library import F, In, Out, f32, kernel, matrices, normal, uniform, vary, vectors

EPS = 1e-5
LONG = ((1, 0, 5), (8, 1, 2), (2, 3, 37), (3, 3, 4096), (2, 3, 4097), (3, 2, 70001))


def shifted(T):
    """Rows far from zero: what cancels in the naive sum of squares."""
    for blocks, x in matrices(T, 1.0, vary(LONG)):
        yield blocks, x + 10 if x.shape[1] % 2 else x


# A mean of values near 10 is off by some eps * 10, in units of the standard deviation.
@kernel("normalization/layer_norm", "layer_norm<{T}>", "normalization/layer_norm", rel=8, near=60)
def layer_norm(T):
    for blocks, x in shifted(T):
        g, b = normal(1, x.shape[1]), normal(2, x.shape[1])
        want = F.layer_norm(x.double(), x.shape[1:], g.double(), b.double(), EPS)
        yield blocks, [In(x), In(g), In(b), Out(want, T), f32(EPS)]


for columns in (1, 96, 1024):
    @kernel("normalization/layer_norm:layer_norm_rows", f"layer_norm_rows<{{T}}, {columns}>",
            "normalization/layer_norm", rel=8, near=60)
    def layer_norm_rows(T, C=columns):
        for blocks, x in matrices(T, 1.0, ((1, 0, C), (8, 1, C), (2, 5, C), (3, 33, C))):
            g, b = normal(1, C), normal(2, C)
            want = F.layer_norm(x.double(), (C,), g.double(), b.double(), EPS)
            yield blocks, [In(x), In(g), In(b), Out(want, T), f32(EPS)]


@kernel("normalization/instance_norm", "instance_norm<{T}>", "normalization/instance_norm", rel=8, near=60)
def instance_norm(T):
    for blocks, x in shifted(T):
        yield blocks, [In(x), Out(F.layer_norm(x.double(), x.shape[1:], None, None, EPS), T), f32(EPS)]


@kernel("normalization/batch_norm", "batch_norm<{T}>", "normalization/batch_norm", rel=8, near=60)
def batch_norm(T):
    for blocks, n, c, size in ((1, 2, 0, 5), (8, 2, 1, 1), (3, 3, 9, 4097), (2, 2, 7, 33), (4, 5, 5, 8192)):
        x, g, b = normal(1, n, c, size, T=T) + 3, normal(2, c), normal(3, c)
        mean = x.double().mean((0, 2), keepdim=True)
        var = x.double().var((0, 2), unbiased=False, keepdim=True)
        want = (x.double() - mean) / torch.sqrt(var + EPS) * g.double()[:, None] + b.double()[:, None]
        yield blocks, [In(x), In(g), In(b), Out(want, T), f32(EPS)]


@kernel("normalization/group_norm", "group_norm<{T}>", "normalization/group_norm", rel=8, near=60)
def group_norm(T):
    for blocks, n, g, c, size in ((1, 0, 2, 2, 5), (8, 1, 1, 1, 2), (3, 2, 3, 4, 4097), (2, 3, 8, 3, 33)):
        x, gamma, beta = normal(1, n, g, c, size, T=T) + 3, normal(2, g, c), normal(3, g, c)
        want = F.layer_norm(x.double(), (c, size), None, None, EPS)
        want = want * gamma.double()[:, :, None] + beta.double()[:, :, None]
        yield blocks, [In(x), In(gamma), In(beta), Out(want, T), f32(EPS)]


@kernel("normalization/rms_norm_channels", "rms_norm_channels<{T}>", "normalization/rms_norm", rel=20)
def rms_norm_channels(T):
    for blocks, n, c, size in ((1, 0, 2, 5), (8, 1, 1, 1), (2, 2, 64, 515), (3, 3, 17, 33)):
        x = normal(1, n, c, size, T=T)
        wide = x.double()
        yield blocks, [In(x), Out(wide / torch.sqrt((wide**2).mean(1, keepdim=True) + EPS), T), f32(EPS)]


def rms(T, shapes):
    for blocks, x in matrices(T, 2.0, shapes):
        g, wide = normal(1, x.shape[1]), x.double()
        want = wide / torch.sqrt((wide**2).mean(1, keepdim=True) + EPS) * g.double()
        yield blocks, [In(x), In(g), Out(want, T), f32(EPS)]


kernel("normalization/rms_norm", "rms_norm<{T}>", rel=20)(lambda T: rms(T, vary(LONG)))
for columns in (1, 96, 1024):
    kernel("normalization/rms_norm:rms_norm_rows", f"rms_norm_rows<{{T}}, {columns}>", rel=20)(
        lambda T, C=columns: rms(T, ((1, 0, C), (8, 1, C), (2, 5, C), (3, 33, C))))


def rows(name, reference):
    @kernel(f"normalization/{name}", f"{name}<{{T}}>", f"normalization/{name}", rel=20)
    def cases(T):
        for blocks, x in matrices(T, 2.0, vary(LONG)):
            yield blocks, [In(x), Out(reference(x.double()), T)]
        zero = torch.zeros(2, 40, dtype=normal(0, 1, T=T).dtype)
        yield 2, [In(zero), Out(reference(zero.double()), T)]  # 0 / 0 is NaN there and here


rows("l1_norm", lambda x: x / x.abs().mean(1, keepdim=True))
rows("l2_norm", lambda x: x / x.norm(p=2, dim=1, keepdim=True))


@kernel("normalization/frobenius_norm", "frobenius_norm<{T}>", "normalization/frobenius_norm", rel=20)
def frobenius_norm(T):
    for blocks, x in vectors(T, 1.0, edges=False):
        yield blocks, [In(x), Out(x.double() / x.double().norm(), T)]


@kernel("normalization/normalize_rows", "normalize_rows<{T}>", rel=20)
def normalize_rows(T):
    for blocks, r, c in ((1, 0, 5), (8, 1, 1), (2, 9, 515), (3, 2, 4100)):
        x = normal(1, r, c, T=T)
        if r == 9:
            x[3] = 0  # the least norm counts
        yield blocks, [In(x), Out(F.normalize(x.double(), dim=1, eps=2.0**-30), T), f32(2.0**-30)]


@kernel("normalization/l2_norm_channels", "l2_norm_channels<{T}>", rel=20)
def l2_norm_channels(T):
    for blocks, n, c, size in ((1, 0, 2, 5), (8, 1, 1, 1), (2, 2, 64, 515), (3, 3, 17, 33)):
        x = normal(1, n, c, size, T=T)
        if n == 3:
            x[0, :, 1] = 0  # the least norm counts
        yield blocks, [In(x), Out(F.normalize(x.double(), dim=1, eps=2.0**-30), T), f32(2.0**-30)]


@kernel("normalization/batch_norm_inference", "batch_norm_inference<{T}>", rel=20, near=60)
def batch_norm_inference(T):
    for blocks, n, c, i in vary(((1, 0, 3, 5), (8, 1, 1, 1), (2, 2, 9, 513), (3, 3, 17, 64))):
        x, mean, variance = normal(1, n, c, i, T=T), normal(2, c), uniform(3, 0.25, 2, c)
        gamma, beta = normal(4, c), normal(5, c)
        want = F.batch_norm(x.double(), *(v.double() for v in (mean, variance, gamma, beta)), eps=1e-5)
        yield blocks, [In(x), In(mean), In(variance), In(gamma), In(beta), Out(want, T), f32(1e-5)]


for SIZE in (3, 5):
    @kernel("normalization/local_response_norm", f"local_response_norm<{{T}}, {SIZE}>", rel=60)
    def local_response_norm(T, SIZE=SIZE):
        for blocks, n, c, i in vary(((1, 0, 3, 5), (8, 1, 1, 1), (2, 2, 9, 1030), (3, 3, 7, 64))):
            x = normal(1, n, c, i, T=T)
            want = F.local_response_norm(x.double(), SIZE, 0.5, 0.75, 2.0)
            yield blocks, [In(x), Out(want, T), f32(0.5), f32(0.75), f32(2.0)]


def of_rows(name, reference, make=lambda T, n, C: [], scalars=(), rel=60, near=60, columns=(1, 96, 1000)):
    """Rows of C columns; `make`: further operands."""
    for C in columns:
        @kernel(f"normalization/{name}", f"{name}<{{T}}, {C}>", rel=rel, near=near)
        def cases(T, C=C):
            for blocks, n in vary(((1, 0), (8, 1), (2, 9), (3, 33))):
                x, more = normal(1, n, C, T=T) + 0.5, make(T, n, C)
                want = reference(x.double(), *(m.double() for m in more))
                yield blocks, [In(x), *map(In, more), Out(want, T), *map(f32, scalars)]


def root(x):
    return torch.sqrt((x * x).mean(1, keepdim=True) + 2.0**-10)


def standard(x):
    return F.layer_norm(x, x.shape[1:], eps=2.0**-10)


of_rows("min_max_norm", lambda x: (x - x.amin(1, keepdim=True)) / (x.amax(1, keepdim=True) - x.amin(
    1, keepdim=True)).clamp(min=2.0**-10), scalars=(2.0**-10,))
of_rows("scale_norm", lambda x: 3 * x / x.norm(dim=1, keepdim=True).clamp(min=2.0**-10), scalars=(3.0, 2.0**-10))
of_rows("max_norm", lambda x: x * (10 / x.norm(dim=1, keepdim=True).clamp(min=10)), scalars=(10.0,))
of_rows("weight_norm", lambda x, g: x * (g[:, None] / x.norm(dim=1, keepdim=True)), lambda T, n, C: [normal(2, n)])
of_rows("ada_layer_norm", lambda x, a, b: standard(x) * (1 + a) + b,
        lambda T, n, C: [normal(2, n, C, T=T), normal(3, n, C, T=T)], (2.0**-10,), near=400, columns=(96, 1000))
of_rows("rms_norm_gated", lambda x, z, g: x / root(x) * g * F.silu(z),
        lambda T, n, C: [normal(2, n, C, T=T), normal(3, C)], (2.0**-10,))
of_rows("rms_norm_offset", lambda x, g: x / root(x) * (1 + g), lambda T, n, C: [normal(2, C)], (2.0**-10,))
of_rows("deep_norm", lambda x, r, g, b: standard(x * 2.5 + r) * g + b,
        lambda T, n, C: [normal(2, n, C, T=T), normal(3, C), normal(4, C)], (2.5, 2.0**-10), near=400,
        columns=(96, 1000))
of_rows("signed_root_norm", lambda x: F.normalize(x.sign() * x.abs().sqrt(), dim=1, eps=2.0**-10), scalars=(2.0**-10,))
