"""Losses: one number for all elements or rows."""
import torch
from library import F, In, Out, f32, integers, kernel, normal, uniform, vary

SIZES = ((1, 1), (8, 1), (2, 63), (3, 8192), (2, 8193), (5, 60001))
ROWS = ((8, 1, 1), (2, 3, 37), (3, 9, 512), (2, 5, 4097), (3, 2, 70001))
# A sum of positive terms is off by a few dozen roundings: lanes, then 64 repeats one after
# the other, then cores.
ROUNDINGS = 100


def single(want):
    return want.reshape(1).double()


def pairs(name, covers, reference, *scalars, positive=False, binary=False, scale=None):
    @kernel(f"loss/{name}", f"{name}<{{T}}>", covers, rel=ROUNDINGS, near=8)
    def cases(T):
        for blocks, n in vary(SIZES):
            a, b = normal(1, n, T=T), normal(2, n, T=T)
            if positive:
                a, b = uniform(1, 0.05, 1, n, T=T), uniform(2, 0, 1, n, T=T)
                b[:: 7] = 0
            if binary:
                b = integers(2, 0, 2, n).to(a.dtype)
            yield blocks, [In(a), In(b), Out(single(reference(a.double(), b.double())), torch.float32), *scalars]


pairs("mse", "loss/mse_loss", F.mse_loss)
pairs("l1", (), F.l1_loss)
pairs("huber", "loss/huber_loss", F.smooth_l1_loss, f32(1.0))
pairs("huber", (), lambda a, b: F.huber_loss(a, b, delta=0.5), f32(0.5))
pairs("kl_div", "loss/kl_div_loss", lambda a, b: F.kl_div(torch.log(a), b, reduction="sum") * 0.125, f32(0.125),
      positive=True)
pairs("bce_with_logits", (), F.binary_cross_entropy_with_logits, binary=True)
pairs("log_cosh", (), lambda a, b: torch.log(torch.cosh(a - b)).mean())


@kernel("loss/hinge", "hinge<{T}>", "loss/hinge_loss", rel=ROUNDINGS)
def hinge(T):
    for blocks, r, c in vary(ROWS):
        p, t = normal(1, r, c, T=T), (integers(2, 0, 2, c) * 2 - 1).to(normal(0, 1, T=T).dtype)
        want = torch.clamp(1 - p.double() * t.double(), min=0).mean()
        yield blocks, [In(p), In(t), Out(single(want), torch.float32)]


@kernel("loss/triplet_margin", "triplet_margin<{T}>", "loss/triplet_margin_loss", rel=ROUNDINGS, near=2000)
def triplet_margin(T):
    for blocks, r, c in vary(ROWS):
        a, p, n = (normal(seed, r, c, T=T) for seed in (1, 2, 3))
        want = F.triplet_margin_loss(a.double(), p.double(), n.double(), margin=1.0)
        yield blocks, [In(a), In(p), In(n), Out(single(want), torch.float32), f32(1.0)]


@kernel("loss/cosine_similarity", "cosine_similarity<{T}>", "loss/cosine_similarity_loss", rel=ROUNDINGS, near=50)
def cosine_similarity(T):
    for blocks, r, c in vary(ROWS):
        a, b = normal(1, r, c, T=T), normal(2, r, c, T=T)
        if r == 9:
            a[0] = 0  # no direction: the smallest length counts
        want = (1 - F.cosine_similarity(a.double(), b.double(), dim=1)).mean()
        yield blocks, [In(a), In(b), Out(single(want), torch.float32)]


for index, archs in (("i32", (2201, 3510, 2002)), ("i64", (2201, 3510, 2002))):
    @kernel("loss/cross_entropy", f"cross_entropy<{{T}}, {index}>", "loss/cross_entropy_loss", rel=ROUNDINGS,
            archs=archs, dtypes=("float", "half"))
    def cross_entropy(T, index=index):
        for blocks, r, c in vary(ROWS):
            x, t = normal(1, r, c, T=T, scale=3), integers(2, 0, c, r, T=index)
            yield blocks, [In(x), In(t), Out(single(F.cross_entropy(x.double(), t.long())), torch.float32)]

    @kernel("loss/cross_entropy", f"cross_entropy<float, {index}>", archs=archs, fails="guard-failed")
    def cross_entropy_beyond(index=index):
        for bad in (-1, 7, 2**31 - 1):
            x, t = normal(1, 5, 7), torch.tensor([0, 1, bad, 2, 3]).to(integers(0, 0, 1, 1, T=index).dtype)
            yield 2, [In(x), In(t), Out(torch.zeros(1), torch.float32)]


pairs("soft_margin", (), lambda a, b: torch.logaddexp(-a * b, torch.zeros_like(a)).mean())
pairs("poisson_nll", (), lambda a, b: (torch.exp(a) - a * b).mean())
pairs("margin_ranking", (), lambda a, b: torch.relu(0.5 - (a - b)).mean(), f32(0.5))
pairs("focal", (), lambda a, b: (torch.sigmoid(a * (1 - 2 * b)) ** 2 * F.binary_cross_entropy_with_logits(
    a, b, reduction="none")).mean(), binary=True)
