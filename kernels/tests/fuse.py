"""Linear layers with what follows them, in one kernel, against PyTorch in float64.

How far a result may be off follows from how far the layer may be (products.py): a function
with slopes up to s makes s times of it, a sum adds them up, a maximum has the largest.
"""
import math

import torch
from library import F, In, InOut, Out, f32, i64, kernel, normal, vary
from products import SEPARATE, SIZES, TILES, layer, product, rounded

ONLY = ("float",)  # what the references have
BOTH = ("float", "half")
# The same with neither an empty sum nor an empty row, where a mean or a maximum is asked for.
FILLED = ((1, 0, 5, 7), (1, 1, 1, 1), (3, 17, 31, 63), (2, 64, 96, 128), (8, 70, 101, 150))


def mapped(name, function, slope, *scalars, dtypes=ONLY, near=4, quick=None):
    """y = f(layer); the functions themselves are off by `near`."""
    @kernel(f"fuse/{name}", f"{name}<{{T}}, {TILES}>", f"fuse/{name}", dtypes=dtypes, archs=SEPARATE, rel=4,
            quick=quick)
    def cases(T):
        for blocks, m, n, k in vary(SIZES):
            x, w, b, t, off = layer(T, m, n, k)
            yield blocks, [In(x), In(w), In(b), Out(function(t), T, slope * off + near), *map(f32, scalars)]


mapped("gemm_add_relu", torch.relu, 1, dtypes=BOTH, quick=True)
mapped("gemm_multiply_leakyrelu", lambda t: F.leaky_relu(t * 2, 0.1), 2, 2.0, 0.1)
mapped("gemm_relu_divide", lambda t: torch.relu(t) / 3, 0.5, 3.0)
mapped("gemm_scaling_hard_tanh_gelu", lambda t: F.gelu(F.hardtanh(t * 0.5, -2, 2)), 0.6, 0.5, -2.0, 2.0)
mapped("gemm_sigmoid_scaling_residual_add", lambda t: torch.sigmoid(t) * 2 + t, 1.5, 2.0)
mapped("gemm_swish_divide_clamp_tanh_clamp", lambda t: torch.tanh((F.silu(t) / 2).clamp(-1, 1)).clamp(-1, 1), 0.6)
mapped("matmul_divide_gelu", lambda t: F.gelu(t / 10), 0.2, 10.0)
mapped("matmul_min_subtract", lambda t: t.clamp(max=0.5) - 0.5, 1, 0.5)
mapped("matmul_mish_mish", lambda t: F.mish(F.mish(t)), 1.3)
mapped("matmul_scaling_residual_add", lambda t: t * 0.5 + t, 1.5, 0.5)
mapped("matmul_subtract_multiply_relu", lambda t: torch.relu((t - 0.25) * 1.5), 1.5, 0.25, 1.5)
mapped("matmul_swish_scaling", lambda t: F.silu(t) * 2, 2.2, 2.0, dtypes=BOTH)


@kernel("fuse/matmul_add_swish_tanh_gelu_hardtanh", f"matmul_add_swish_tanh_gelu_hardtanh<{{T}}, {TILES}>",
        "fuse/matmul_add_swish_tanh_gelu_hardtanh", dtypes=ONLY, archs=SEPARATE)
def matmul_add_swish_tanh_gelu_hardtanh(T):
    for blocks, m, n, k in vary(SIZES):
        x, w, b, t, off = layer(T, m, n, k)
        add = normal(4, n)
        want = F.hardtanh(F.gelu(torch.tanh(F.silu(t + add.double()))))
        yield blocks, [In(x), In(w), In(b), Out(want, T, 1.3 * off + 6), In(add)]


# --- a number for each row -------------------------------------------------------


def added(t, off, slope=1.0):
    """Of sums of rows: how far they may be off."""
    return slope * off.sum(1) + 2 * math.sqrt(max(t.shape[1], 1)) * t.abs().sum(1)


def folded(name, function, bound, *scalars, sizes=SIZES):
    @kernel(f"fuse/{name}", f"{name}<{{T}}, {TILES}>", f"fuse/{name}", dtypes=ONLY, archs=SEPARATE)
    def cases(T):
        for blocks, m, n, k in vary(sizes):
            x, w, b, t, off = layer(T, m, n, k)
            yield blocks, [In(x), In(w), In(b), Out(function(t), torch.float32, bound(t, off)), *map(f32, scalars)]


def top(t, off):
    """Of what depends on the largest or the logarithm of a sum of exponentials."""
    return 2 * off.amax(1) + 2 * t.abs().amax(1) + 16


def gelus(t):
    s = torch.logsumexp(t, 1)
    return F.gelu(F.gelu(F.leaky_relu(F.leaky_relu(s, 0.01), 0.01)))


def with_mish(t):
    s = torch.logsumexp((t * 2 + t * 2).clamp(-3, 3), 1)
    return s * F.mish(s)


folded("matmul_sum_max_avg_pool_log_sum_exp_log_sum_exp", lambda t: t.sum(1), added)
folded("matmul_sigmoid_sum", lambda t: torch.sigmoid(t).sum(1),
       lambda t, off: added(torch.sigmoid(t), off + 4, 1.0))
folded("gemm_log_sum_exp_leaky_relu_leaky_relu_gelu_gelu", gelus, top, sizes=FILLED)
# s * mish(s) has slopes up to 2 s; s is below 3 + log(101).
folded("matmul_scale_residual_add_clamp_log_sum_exp_mish", with_mish, lambda t, off: 16 * (4 * top(t, off)),
       2.0, -3.0, 3.0, sizes=FILLED)


@kernel("fuse/gemm_max_subtract_gelu", f"gemm_max_subtract_gelu<{{T}}, {TILES}>", "fuse/gemm_max_subtract_gelu",
        dtypes=ONLY, archs=SEPARATE)
def gemm_max_subtract_gelu(T):
    """Zero, unless the maximum is not finite; a bias of infinity makes it so."""
    for number, (blocks, m, n, k) in enumerate(vary(FILLED)):
        x, w, b, t, _ = layer(T, m, n, k)
        if number % 2:
            b[n // 2], t[:, n // 2] = math.inf, math.inf
        s = t.amax(1, keepdim=True)
        yield blocks, [In(x), In(w), In(b), Out(F.gelu(s - s.mean(1, keepdim=True))[:, 0], torch.float32)]


@kernel("fuse/gemm_divide_sum_scaling", f"gemm_divide_sum_scaling<{{T}}, {TILES}>", "fuse/gemm_divide_sum_scaling",
        dtypes=ONLY, archs=SEPARATE)
def gemm_divide_sum_scaling(T):
    for blocks, m, n, k in vary(SIZES):
        x, w = normal(1, m, k, T=T), normal(2, n, k, T=T)
        t, off = product(x, w.t())
        yield blocks, [In(x), In(w), Out((t / 2).sum(1) * 1.5, torch.float32, 1.5 * added(t, off)), f32(1.5)]


@kernel("fuse/gemm_subtract_global_avg_pool_log_sum_exp_gelu_residual_add",
        f"gemm_subtract_global_avg_pool_log_sum_exp_gelu_residual_add<{{T}}, {TILES}>",
        "fuse/gemm_subtract_global_avg_pool_log_sum_exp_gelu_residual_add", dtypes=ONLY, archs=SEPARATE)
def gemm_subtract_global_avg_pool_log_sum_exp_gelu_residual_add(T):
    for blocks, m, n, k in vary(FILLED):
        x, w, b, t, off = layer(T, m, n, k)
        less = normal(4, n)
        t = t - less.double()
        mean = torch.logsumexp(t.mean(1, keepdim=True), 1, keepdim=True)
        want = F.gelu(mean) + x.double()
        near = 1.2 * added(t, off + t.abs() + 1)[:, None] / n + want.abs() + 4
        yield blocks, [In(x), In(w), In(b), In(less), Out(want, T, near)]


@kernel("fuse/matmul_gelu_softmax", f"matmul_gelu_softmax<{{T}}, {TILES}>", "fuse/matmul_gelu_softmax", dtypes=ONLY,
        archs=SEPARATE, quick=True)
def matmul_gelu_softmax(T):
    for blocks, m, n, k in vary(FILLED):
        x, w, b, t, off = layer(T, m, n, k)
        want = torch.softmax(F.gelu(t), 1)
        near = want * (3 * off.amax(1, keepdim=True) + 4 * t.abs().amax(1, keepdim=True) + 16)
        yield blocks, [In(x), In(w), In(b), InOut(torch.zeros(m, n), want, near)]


def uniform(rows, cols, seed):
    """Numbers as include/belay/ops/random.h draws them."""
    low, high = seed % 65536, seed // 65536
    r, c = torch.arange(rows)[:, None], torch.arange(cols)[None]

    def mixed(half, factor, key):
        middle = ((half * factor >> 8) + key) & 32767
        return middle * middle >> 8

    first = ((r & 65535) + mixed(c & 65535, 31153, low) + (c >> 16) * 40503) & 65535
    second = (mixed(first, 26699, high) + (c & 65535) + (r >> 16) * 48271) & 65535
    for factor, key in ((32069, low), (25939, high), (31469, low), (27751, high)):
        first, second = second, (first + mixed(second, factor, key)) & 65535
    return second.double() / 65536 + (first >> 8).double() / 16777216


@kernel("fuse/matmul_dropout_mean_softmax", f"matmul_dropout_mean_softmax<{{T}}, {TILES}>",
        "fuse/matmul_dropout_mean_softmax", dtypes=ONLY, archs=SEPARATE)
def matmul_dropout_mean_softmax(T):
    for number, (blocks, m, n, k) in enumerate(vary(FILLED)):
        x, w, b, t, off = layer(T, m, n, k)
        seed = 123456789 * number
        kept = uniform(m, n, seed) >= 0.2
        t, off = torch.where(kept, t / 0.8, 0.0), torch.where(kept, off / 0.8, 0.0)
        want = torch.softmax(t, 1)
        near = want * (3 * off.amax(1, keepdim=True) + 4 * t.abs().amax(1, keepdim=True) + 16)
        yield blocks, [In(x), In(w), In(b), InOut(torch.zeros(m, n), want, near), f32(0.2), f32(1.25), i64(seed)]


def pooled(name, P, function, bound):
    """Weights [o][p][i] of neighbours that are pooled, bias [p][o]."""
    @kernel(f"fuse/{name}", f"{name}<{{T}}, {P}, {TILES}>", f"fuse/{name}", dtypes=ONLY, archs=SEPARATE)
    def cases(T):
        for blocks, m, n, k in vary(FILLED):
            x, w, b, t, off = layer(T, m, n * P, k)
            t, off = t.reshape(m, n, P), off.reshape(m, n, P)
            yield blocks, [In(x), In(w.reshape(n, P, k)), In(b.reshape(n, P).t()),
                           Out(function(t), torch.float32, bound(t, off)), f32(0.5)]


pooled("matmul_max_pool_sum_scale", 2, lambda t: t.amax(2).sum(1) * 0.5,
       lambda t, off: added(t.amax(2), off.amax(2)))
# The sum of P outputs is a sum of P times as many products.
for pool in (3, 16):
    pooled("matmul_avg_pool_gelu_scale_max", pool, lambda t: (F.gelu(t.mean(2)) * 0.5).amax(1),
           lambda t, off: 4 * off.mean(2).amax(1) + 8)


@kernel("fuse/gemm_sigmoid_sum_log_sum_exp", f"gemm_sigmoid_sum_log_sum_exp<{{T}}, {TILES}>",
        "fuse/gemm_sigmoid_sum_log_sum_exp", dtypes=ONLY, archs=SEPARATE)
def gemm_sigmoid_sum_log_sum_exp(T):
    for blocks, m, n, k in vary(FILLED):
        x, w, b, t, off = layer(T, m, n, k)
        hidden = torch.sigmoid(t)
        w2, b2 = normal(5, 2 * n + 1, n, T=T), normal(6, 2 * n + 1)
        logits, more = product(rounded(hidden, T), w2.t())
        logits = logits + b2.double()
        more = more + (0.25 * off + 4) @ w2.abs().t().double() + logits.abs()
        want = torch.logsumexp(logits, 1)
        yield blocks, [In(x), In(w), In(b), In(w2), In(b2), InOut(torch.zeros(m, n), hidden, 0.25 * off + 4),
                       Out(want, torch.float32, top(logits, more))]


# --- normalized ------------------------------------------------------------------


def normalized(t, off, dim, eps=1e-5):
    """(t - mean) / sqrt(variance + eps), and how far it may be off if t is: a mean is off by the
    largest of it, a deviation by as much, relative to itself."""
    count = max(t.shape[dim], 1)
    d = t - t.mean(dim, keepdim=True)
    deviation = torch.sqrt((d * d).mean(dim, keepdim=True) + eps)
    n, worst = d / deviation, (off + 2 * math.sqrt(count) * t.abs()).amax(dim, keepdim=True)
    return n, 3 * worst / deviation * (1 + n.abs()) + 8 * n.abs() + 4


def affine(n, off, n_columns):
    gamma, beta = normal(7, n_columns), normal(8, n_columns)
    return gamma, beta, n * gamma.double() + beta.double(), off * gamma.abs().double() + beta.abs().double() + 1


def batch_normalized(name, before, after, slope, *scalars, covers=(), row=False):
    @kernel(f"fuse/{name}", f"{name}<{{T}}, {TILES}>", (f"fuse/{name}", *covers), dtypes=ONLY, archs=SEPARATE)
    def cases(T):
        for blocks, m, n, k in vary(((1, 5, 0, 7), (1, 1, 1, 1), (3, 17, 31, 63), (2, 64, 96, 128), (8, 70, 101, 150))):
            x, w, b, t, off = layer(T, m, n, k)
            scale = normal(4, n)
            t, off = before(t, off, scale.double())
            gamma, beta, t, off = affine(*normalized(t, off, 0), n)
            more = [In(scale)] if row else []
            yield blocks, [In(x), In(w), In(b), In(gamma), In(beta), *more,
                           InOut(torch.zeros(m, n), after(t), slope * off + 4), f32(1e-5), *map(f32, scalars)]


def same(t, off, _):
    return t, off


batch_normalized("gemm_scale_batch_norm", lambda t, off, s: (t * s, off * s.abs() + (t * s).abs()), lambda t: t, 1,
                 covers=("fuse/gemm_scale_batchnorm",), row=True)
batch_normalized("gemm_batch_norm_gelu_group_norm_mean_relu", same, lambda t: torch.relu(F.gelu(t)), 1.2)
batch_normalized("matmul_batch_norm_bias_add_divide_swish", same, lambda t: F.silu((t + 0.75) / 2), 0.6, 0.75, 2.0)



@kernel("fuse/gemm_batch_norm_scaling_softmax", f"gemm_batch_norm_scaling_softmax<{{T}}, {TILES}>",
        "fuse/gemm_batch_norm_scaling_softmax", dtypes=ONLY, archs=SEPARATE)
def gemm_batch_norm_scaling_softmax(T):
    for blocks, m, n, k in vary(((1, 1, 1, 1), (3, 17, 31, 63), (2, 64, 96, 128), (8, 70, 101, 150))):
        x, w, b, t, off = layer(T, m, n, k)
        gamma, beta, t, off = affine(*normalized(t, off, 0), n)
        want = torch.softmax(t * 0.5, 1)
        near = want * (1.5 * off.amax(1, keepdim=True) + 2 * t.abs().amax(1, keepdim=True) + 16)
        yield blocks, [In(x), In(w), In(b), In(gamma), In(beta), InOut(torch.zeros(m, n), want, near), f32(1e-5),
                       f32(0.5)]


# Cores, rows, groups, k; groups have 16 or 48 columns.
GROUPS = ((1, 0, 2, 7), (1, 1, 1, 1), (3, 17, 3, 63), (8, 70, 5, 150))


def grouped(name, before, after, slope, *scalars, row=False):
    for W in (16, 48):
        @kernel(f"fuse/{name}", f"{name}<{{T}}, {W}, 32, 64>", f"fuse/{name}", dtypes=ONLY, archs=SEPARATE)
        def cases(T, W=W):
            for blocks, m, groups, k in vary(GROUPS):
                n = groups * W
                x, w, b, t, off = layer(T, m, n, k)
                extra = normal(4, n)
                t, off = before(t, off, extra.double())
                t, off = normalized(t.reshape(m, groups, W), off.reshape(m, groups, W), 2)
                gamma, beta, t, off = affine(t.reshape(m, n), off.reshape(m, n), n)
                more = [In(extra)] if row else []
                yield blocks, [In(x), In(w), In(b), In(gamma), In(beta), *more,
                               Out(after(t, extra.double()), T, slope * off + 4), f32(1e-5), *map(f32, scalars)]


grouped("gemm_group_norm_hardtanh", same, lambda t, _: F.hardtanh(t, -2, 2), 1, -2.0, 2.0)
grouped("gemm_bias_add_hardtanh_mish_group_norm",
        lambda t, off, e: (F.mish(F.hardtanh(t + e)), 1.2 * off + 4), lambda t, _: t, 1, row=True)
# The factors are below 4.
grouped("gemm_group_norm_swish_multiply_swish", same, lambda t, e: F.silu(F.silu(t) * e), 5, row=True)
grouped("matmul_group_norm_leaky_relu_sum", same, lambda t, _: F.leaky_relu(t, 0.01) * 2, 2, 0.01)
grouped("matmul_swish_sum_group_norm", lambda t, off, e: (F.silu(t) + e, 1.2 * off + 4), lambda t, _: t, 1, row=True)


@kernel("fuse/gemm_group_norm_min_bias_add", "gemm_group_norm_min_bias_add<{T}, 16, 32, 64>",
        "fuse/gemm_group_norm_min_bias_add", dtypes=ONLY, archs=SEPARATE)
def gemm_group_norm_min_bias_add(T):
    for blocks, m, groups, k in vary(GROUPS):
        n = groups * 16
        x, w, b, t, off = layer(T, m, n, k)
        t, off = normalized(t.reshape(m, groups, 16), off.reshape(m, groups, 16), 2)
        gamma, beta, t, off = affine(t.reshape(m, n), off.reshape(m, n), n)
        add = normal(4, n)
        want = t.amin(1)[None] + add.double()[:, None]
        near = off.amax(1)[None] + want.abs() + 4
        yield blocks, [In(x), In(w), In(b), In(gamma), In(beta), In(add), Out(want, torch.float32, near), f32(1e-5)]


@kernel("fuse/bmm_instance_norm_sum_residual_add_multiply",
        f"bmm_instance_norm_sum_residual_add_multiply<{{T}}, {TILES}>",
        "fuse/bmm_instance_norm_sum_residual_add_multiply", dtypes=ONLY, archs=SEPARATE)
def bmm_instance_norm_sum_residual_add_multiply(T):
    for blocks, m, n, k in vary(FILLED):
        x, w, b, t, off = layer(T, m, n, k)
        z = normal(4, m, n)
        t, off = normalized(t, off, 1)
        want = (t + z.double()) * z.double()
        yield blocks, [In(x), In(w), In(b), In(z),
                       InOut(torch.zeros(m, n), want, (off + 2) * z.abs().double() + 2 * want.abs()), f32(1e-5)]
