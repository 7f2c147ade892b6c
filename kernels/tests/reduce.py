"""Reductions over a middle dimension, and of rows of any length."""
import math

import torch
from library import In, Out, kernel, matrices, normal, vary

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
