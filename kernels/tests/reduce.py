"""Reductions over a middle dimension, and of rows of any length."""
import math

import torch
from library import F, In, Out, f32, kernel, matrices, normal, vary

SHAPES = ((1, 0, 3, 5), (8, 1, 1, 1), (2, 2, 9, 513), (3, 3, 33, 64), (4, 2, 50, 2049), (2, 1, 300, 7))


def middle(name, covers, reference, rel=4, sums=False):
    @kernel(f"reduce/{name}", f"{name}<{{T}}>", covers, rel=rel)
    def cases(T):
        for blocks, b, m, n in vary(SHAPES):
            x = normal(1, b, m, n, T=T) if name != "prod_middle" else (normal(1, b, m, n) * 0.1 + 1).to(
                normal(0, 1, T=T).dtype)
            if m == 33:
                x[0, 1, 2], x[1, 3, 4], x[2, 5, 6] = math.inf, -math.inf, math.nan
            wide = x.double()
            # Of m terms, half of them at worst lose half an epsilon of the sum so far.
            near = wide.abs().sum(1) * 8 if sums else None
            yield blocks, [In(x), Out(reference(wide), T, near)]


middle("sum_middle", "reduce/sum_reduction_over_a_dimension", lambda x: x.sum(1), sums=True)
middle("mean_middle", "reduce/mean_reduction_over_a_dimension", lambda x: x.mean(1), sums=True)
middle("max_middle", "reduce/max_reduction_over_a_dimension", lambda x: x.amax(1), rel=0)
middle("min_middle", "reduce/min_reduction_over_a_dimension", lambda x: x.amin(1), rel=0)
middle("prod_middle", "reduce/product_reduction_over_a_dimension", lambda x: x.prod(1), rel=300)


def rows(name, reference, rel=0, near=0, sums=False):
    @kernel(f"reduce/{name}", f"{name}<{{T}}>", rel=rel, near=near)
    def cases(T):
        for blocks, x in matrices(T):
            wide = x.double()
            yield blocks, [In(x), Out(reference(wide), torch.float32, wide.abs().sum(1) * 8 if sums else None)]


rows("sum_rows", lambda x: x.sum(1), sums=True)
rows("max_rows", lambda x: x.amax(1))
rows("min_rows", lambda x: x.amin(1))
rows("log_sum_exp_rows", lambda x: torch.logsumexp(x, 1), rel=8, near=4)


def everything(name, reference, least=0):
    @kernel(f"reduce/{name}", f"{name}<{{T}}>", rel=100)
    def cases(T):
        for blocks, n in vary(((1, 0), (8, 1), (2, 63), (3, 8192), (2, 8193), (5, 60001))):
            if n >= least:
                x = normal(1, n, T=T)
                want = reference(x.double())
                near = 70 * (x.double().abs().sum() if name == "sum_all" else x.double().abs().mean() if n else 0.0)
                yield blocks, [In(x), Out(want.reshape(1), torch.float32, near)]


everything("sum_all", torch.sum)
everything("mean_all", torch.mean, least=1)
everything("sum_squares", lambda x: (x * x).sum())


@kernel("reduce/moments_rows", "moments_rows<{T}>", rel=40, near=8)
def moments_rows(T):
    for blocks, x in matrices(T, 2.0):
        x = x + 5
        mean, variance = x.double().mean(1), x.double().var(1, unbiased=False)
        yield blocks, [In(x), Out(mean, torch.float32), Out(variance, torch.float32)]


# --- more of rows -----------------------------------------------------------------
WHOLE_ROWS = ((8, 1, 1), (2, 3, 37), (3, 9, 512), (2, 3, 4097), (3, 2, 70001))


def of_rows(name, reference, dtype=torch.float32, rel=0, near=0, empty=True, make=None):
    """`near`: of each row, given its elements in float64. Some elements are 0."""
    @kernel(f"reduce/{name}", f"{name}<{{T}}>", rel=rel)
    def cases(T):
        for blocks, x in matrices(T, shapes=vary(((1, 0, 5), *WHOLE_ROWS) if empty else WHOLE_ROWS)):
            x = make(x) if make else x
            want = reference(x.double())
            yield blocks, [In(x), Out(want, dtype, near(x.double()) if callable(near) else near)]


def with_zeros(x):
    x[::2, ::3] = 0
    x[1:2] = 0
    return x


def rounding(x):
    """Lanes, then what is left of them, add up magnitudes."""
    return x.abs().sum(1) * 8


of_rows("mean_rows", lambda x: x.mean(1), near=lambda x: x.abs().mean(1) * 10, rel=2, empty=False)
of_rows("l1_norm_rows", lambda x: x.abs().sum(1), rel=40)
of_rows("l2_norm_rows", lambda x: x.norm(dim=1), rel=40)
of_rows("max_abs_rows", lambda x: x.abs().amax(1), empty=False)
of_rows("range_rows", lambda x: x.amax(1) - x.amin(1), rel=1, empty=False)
of_rows("count_nonzero_rows", lambda x: x.count_nonzero(1).to(torch.int32), torch.int32, make=with_zeros)
of_rows("any_rows", lambda x: (x != 0).any(1).double(), make=with_zeros)
of_rows("all_rows", lambda x: (x != 0).all(1).double(), make=with_zeros)
of_rows("sum_exp_rows", lambda x: x.exp().sum(1), rel=60)
of_rows("entropy_rows", lambda x: torch.special.entr(x).sum(1), near=lambda x: x.sum(1) * 60, rel=60,
        make=lambda x: x.double().abs().clamp(max=1).to(x.dtype))
of_rows("prod_rows", lambda x: x.prod(1), rel=300, make=lambda x: (x.double() * 0.001 + 1).to(x.dtype)
        if x.dtype == torch.float32 else x.double().sign().to(x.dtype))
of_rows("mean_square_rows", lambda x: (x * x).mean(1), rel=40, empty=False)


@kernel("reduce/std_rows", "std_rows<{T}>", rel=60)
def std_rows(T):
    for blocks, x in matrices(T, shapes=vary(((1, 0, 5), (2, 3, 37), (3, 9, 512), (2, 3, 4097)))):
        yield blocks, [In(x + 1), Out((x + 1).double().std(1), torch.float32)]


@kernel("reduce/argmin_rows", "argmin_rows<{T}>")
def argmin_rows(T):
    for blocks, x in matrices(T, shapes=vary(WHOLE_ROWS)):
        if x.numel() > 100:
            x[1, 5:9] = x[1].min() - 1  # the first of equals
        yield blocks, [In(x), Out(x.double().argmin(1).to(torch.int32))]


def of_middle(name, reference, rel=4, near=0, zeros=False, shapes=SHAPES):
    @kernel(f"reduce/{name}", f"{name}<{{T}}>", rel=rel)
    def cases(T):
        for blocks, b, m, n in vary(shapes):
            x = normal(1, b, m, n, T=T)
            if zeros:
                x[:, :, ::3], x[:, ::2, 1::3] = 0, 0
            yield blocks, [In(x), Out(reference(x.double()), T, near(x.double()) if callable(near) else near)]


of_middle("l1_norm_middle", lambda x: x.abs().sum(1), rel=160)
of_middle("l2_norm_middle", lambda x: x.norm(dim=1), rel=160)
of_middle("max_abs_middle", lambda x: x.abs().amax(1), rel=0)
of_middle("any_middle", lambda x: (x != 0).any(1).double(), rel=0, zeros=True)
of_middle("all_middle", lambda x: (x != 0).all(1).double(), rel=0, zeros=True)
of_middle("count_nonzero_middle", lambda x: x.count_nonzero(1).double(), rel=0, zeros=True)
of_middle("log_sum_exp_middle", lambda x: torch.logsumexp(x, 1), rel=8, near=200)
of_middle("var_middle", lambda x: x.var(1, unbiased=False), rel=200, near=4)


# --- more of everything -------------------------------------------------------------
def of_all(name, reference, operands=1, rel=100, near=0, least=0):
    @kernel(f"reduce/{name}", f"{name}<{{T}}>", rel=rel)
    def cases(T):
        for blocks, n in vary(((1, 0), (8, 1), (2, 63), (3, 8192), (2, 8193), (5, 60001))):
            if n < least:
                continue
            values = [normal(seed, n, T=T) for seed in range(operands)]
            values[0][::7] = 0
            wide = [v.double() for v in values]
            yield blocks, [*map(In, values), Out(reference(*wide).reshape(1).double(), torch.float32,
                                                 near(*wide) if callable(near) else near)]


of_all("dot_all", torch.dot, 2, near=lambda a, b: (a * b).abs().sum() * 70)
of_all("l2_norm_all", torch.norm)
of_all("l1_norm_all", lambda x: x.abs().sum())
of_all("distance_all", lambda a, b: (a - b).norm(), 2)
of_all("count_nonzero_all", lambda x: x.count_nonzero(), rel=0)
of_all("max_all", torch.max, rel=0, least=1)
of_all("min_all", torch.min, rel=0, least=1)


# --- pairs of rows ------------------------------------------------------------------
PAIRS = ((1, 0), (8, 1), (2, 9), (3, 33))


def of_pairs(name, reference, *scalars, rel=60, near=0):
    for C in (1, 96, 1000):
        @kernel(f"reduce/{name}", f"{name}<{{T}}, {C}>", rel=rel)
        def cases(T, C=C):
            for blocks, n in vary(PAIRS):
                a, b = normal(1, n, C, T=T), normal(2, n, C, T=T)
                wide = a.double(), b.double()
                yield blocks, [In(a), In(b), Out(reference(*wide), torch.float32,
                                                 near(*wide) if callable(near) else near), *scalars]


of_pairs("pairwise_distance", lambda a, b: F.pairwise_distance(a, b, eps=0.0625), f32(0.0625), near=4)
of_pairs("cosine_rows", lambda a, b: F.cosine_similarity(a, b, dim=1), f32(1e-8), near=60)
of_pairs("dot_rows", lambda a, b: (a * b).sum(1), near=lambda a, b: (a * b).abs().sum(1) * 20)
of_pairs("manhattan_rows", lambda a, b: (a - b).abs().sum(1))
of_pairs("chebyshev_rows", lambda a, b: (a - b).abs().amax(1), rel=1)


def all_pairs(name, reference):
    for C in (1, 96):
        @kernel(f"reduce/{name}", f"{name}<{{T}}, {C}>", rel=60)
        def cases(T, C=C):
            for blocks, m, n in vary(((1, 0, 3), (8, 1, 1), (2, 9, 13), (3, 5, 65))):
                a, b = normal(1, m, C, T=T), normal(2, n, C, T=T)
                yield blocks, [In(a), In(b), Out(reference(a.double(), b.double()), torch.float32)]


def exact(a, b):
    return a[:, None] - b[None]


all_pairs("cdist", lambda a, b: exact(a, b).norm(dim=2))
all_pairs("cdist_manhattan", lambda a, b: exact(a, b).abs().sum(2))
all_pairs("cdist_squared", lambda a, b: (exact(a, b) ** 2).sum(2))
