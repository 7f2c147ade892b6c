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


# --- more losses of two tensors ------------------------------------------------
def ratios(name, low, high, reference, *scalars, binary=0, near=8):
    """Of numbers between two bounds; `binary`: what one of the two classes of labels is, 1 the other."""
    @kernel(f"loss/{name}", f"{name}<{{T}}>", rel=ROUNDINGS, near=near)
    def cases(T):
        for blocks, n in vary(SIZES):
            a, b = uniform(1, low, high, n, T=T), uniform(2, low, high, n, T=T)
            if binary is not None:
                b = torch.where(integers(2, 0, 2, n) > 0, 1.0, float(binary)).to(a.dtype)
            yield blocks, [In(a), In(b), Out(single(reference(a.double(), b.double())), torch.float32), *scalars]


ratios("bce", 0.01, 0.99, F.binary_cross_entropy, near=80)
ratios("hinge_embedding", 0.0, 2.0, lambda a, b: torch.where(b > 0, a, (1 - a).clamp(min=0)).mean(), f32(1.0), binary=-1)
ratios("squared_hinge", -2.0, 2.0, lambda a, b: ((1 - a * b).clamp(min=0) ** 2).mean(), binary=-1)
ratios("contrastive_pair", 0.0, 2.0, lambda a, b: torch.where(b > 0, a * a, (1.5 - a).clamp(min=0) ** 2).mean(), f32(1.5))
ratios("multilabel_soft_margin", -4.0, 4.0, lambda a, b: F.binary_cross_entropy_with_logits(
    a, b, pos_weight=torch.tensor(2.0).double()), f32(2.0))
ratios("log_mse", 0.0, 9.0, lambda a, b: F.mse_loss(torch.log1p(a), torch.log1p(b)), binary=None, near=20)
ratios("jensen_shannon", 0.05, 1.0, lambda a, b: (0.5 * (a * (a.log() - ((a + b) / 2).log())
                                                     + b * (b.log() - ((a + b) / 2).log()))).mean(), binary=None)
pairs("charbonnier", (), lambda a, b: torch.sqrt((a - b) ** 2 + 0.0625).mean(), f32(0.0625))
pairs("quantile", (), lambda a, b: torch.maximum((a - b) * 0.75, (a - b) * -0.25).mean(), f32(0.75))
pairs("wing", (), lambda a, b: torch.where((a - b).abs() < 1.5, torch.log((a - b).abs() / 0.5 + 1) * 1.5,
                                           (a - b).abs() - 0.25).mean(), f32(1.5), f32(0.5), f32(0.25))
pairs("relative_error", (), lambda a, b: ((a - b).abs() / b.abs().clamp(min=0.125)).mean(), f32(0.125))
pairs("cauchy", (), lambda a, b: torch.log1p(((a - b) / 0.5) ** 2).mean(), f32(0.5))
pairs("elbo_kl", (), lambda a, b: (0.5 * (a * a + torch.exp(b) - b - 1)).mean())


@kernel("loss/gaussian_nll", "gaussian_nll<{T}>", rel=ROUNDINGS, near=40)
def gaussian_nll(T):
    for blocks, n in vary(SIZES):
        mean, target, variance = normal(1, n, T=T), normal(2, n, T=T), uniform(3, 0.0, 2, n, T=T)
        want = F.gaussian_nll_loss(mean.double(), target.double(), variance.double(), eps=0.125)
        yield blocks, [In(mean), In(target), In(variance), Out(single(want), torch.float32), f32(0.125)]


def overlaps(name, reference, *scalars):
    @kernel(f"loss/{name}", f"{name}<{{T}}>", rel=ROUNDINGS, near=100)
    def cases(T):
        for blocks, n in vary(((1, 0), *SIZES)):
            a, b = uniform(1, 0, 1, n, T=T), integers(2, 0, 2, n).to(normal(0, 1, T=T).dtype)
            common, p, t = (v.double().sum() for v in (a.double() * b.double(), a, b))
            yield blocks, [In(a), In(b), Out(single(reference(common, p, t)), torch.float32), *scalars]


overlaps("dice", lambda i, p, t: 1 - (2 * i + 1) / (p + t + 1), f32(1.0))
overlaps("jaccard", lambda i, p, t: 1 - (i + 1) / (p + t - i + 1), f32(1.0))
overlaps("tversky", lambda i, p, t: 1 - (i + 1) / (i + 0.25 * (p - i) + 0.75 * (t - i) + 1), f32(0.25), f32(0.75),
         f32(1.0))

CLASSES = ((1, 1), (8, 3), (2, 9), (3, 65))
for C in (7, 512):
    @kernel("loss/nll", f"nll<{{T}}, {C}>", rel=ROUNDINGS)
    def nll(T, C=C):
        for blocks, n in vary(CLASSES):
            x, t = -uniform(1, 0, 9, n, C, T=T), integers(2, 0, C, n)
            yield blocks, [In(x), In(t), Out(single(F.nll_loss(x.double(), t.long())), torch.float32)]

    @kernel("loss/nll", f"nll<float, {C}>", fails="guard-failed")
    def nll_beyond(C=C):
        yield 1, [In(normal(1, 3, C)), In(torch.tensor([0, C, 1]).int()), Out(torch.zeros(1), torch.float32)]

    @kernel("loss/cross_entropy_smoothed", f"cross_entropy_smoothed<{{T}}, {C}>", rel=ROUNDINGS, near=40)
    def cross_entropy_smoothed(T, C=C):
        for blocks, n in vary(CLASSES):
            x, t = normal(1, n, C, T=T, scale=3), integers(2, 0, C, n)
            want = F.cross_entropy(x.double(), t.long(), label_smoothing=0.125)
            yield blocks, [In(x), In(t), Out(single(want), torch.float32), f32(0.125)]

    @kernel("loss/multi_margin", f"multi_margin<{{T}}, {C}>", rel=ROUNDINGS, near=40)
    def multi_margin(T, C=C):
        for blocks, n in vary(CLASSES):
            x, t = normal(1, n, C, T=T), integers(2, 0, C, n)
            want = F.multi_margin_loss(x.double(), t.long(), margin=0.5)
            yield blocks, [In(x), In(t), Out(single(want), torch.float32), f32(0.5)]

    @kernel("loss/z_loss", f"z_loss<{{T}}, {C}>", rel=ROUNDINGS)
    def z_loss(T, C=C):
        for blocks, n in vary(CLASSES):
            x = normal(1, n, C, T=T, scale=3)
            yield blocks, [In(x), Out(single((torch.logsumexp(x.double(), 1) ** 2).mean()), torch.float32)]

    @kernel("loss/cosine_embedding", f"cosine_embedding<{{T}}, {C}>", rel=ROUNDINGS, near=60)
    def cosine_embedding(T, C=C):
        for blocks, n in vary(CLASSES):
            a, b, label = normal(1, n, C, T=T), normal(2, n, C, T=T), (integers(3, 0, 2, n) * 2 - 1).float()
            want = F.cosine_embedding_loss(a.double(), b.double(), label.double(), margin=0.25)
            yield blocks, [In(a), In(b), In(label), Out(single(want), torch.float32), f32(0.25)]
