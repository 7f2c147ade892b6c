"""Pooling: PyTorch's in float64; padding is -inf for maxima and a zero that counts for means."""
import math

from library import F, In, Out, i64, kernel, normal, vary

FLOATS = ("float", "half")
LINES = ((1, 0, 9), (8, 1, 8), (2, 3, 37), (3, 4, 4103), (2, 2, 9000))


def lines(name, covers, reference, near=0.0):
    for k, p in ((8, 4), (3, 1), (2, 0)):
        @kernel(f"pooling/{name}", f"{name}<{{T}}, {k}, {p}>", covers, near=near, rel=0 if not near else 4)
        def cases(T, k=k, p=p):
            for blocks, r, c in vary(LINES):
                x = normal(1, r, c, T=T)
                if r == 3:
                    x[0, 3], x[1, 5] = math.inf, -math.inf
                want = reference(x.double()[None], k, p)[0] if r else x.double().new_zeros(0, c + 2 * p - k + 1)
                yield blocks, [In(x), Out(want, T)]


lines("max_pool_1d", "pooling/max_pooling_1d", lambda x, k, p: F.max_pool1d(x, k, 1, p))
# Sums of at most 8 terms of size 5.
lines("avg_pool_1d", "pooling/average_pooling_1d", lambda x, k, p: F.avg_pool1d(x, k, 1, p), near=20)


for k, p in ((4, 1), (3, 1), (2, 0)):
    @kernel("pooling/max_pool_2d", f"max_pool_2d<{{T}}, {k}, {p}>", "pooling/max_pooling_2d", rel=0)
    def max_pool_2d(T, k=k, p=p):
        for blocks, n, h, w in ((1, 0, 5, 5), (8, 1, 4, 4), (2, 3, 9, 37), (3, 2, 5, 1030)):
            x = normal(1, n, h, w, T=T)
            if n == 3:
                x[0, 3, 3], x[1, 5, 5] = math.inf, -math.inf
            want = (F.max_pool2d(x.double(), k, 1, p) if n
                    else x.double().new_zeros(0, h + 2 * p - k + 1, w + 2 * p - k + 1))
            yield blocks, [In(x), Out(want, T)]


for w, k in ((33, 11), (512, 11), (9, 2)):
    @kernel("pooling/avg_pool_2d", f"avg_pool_2d<{{T}}, {w}, {k}>", "pooling/average_pooling_2d", dtypes=FLOATS,
            near=40)
    def avg_pool_2d(T, w=w, k=k):
        for blocks, n, h in ((1, 0, 12), (8, 1, 11), (2, 9, 25), (3, 20, 13)):
            x = normal(1, n, h, w, T=T)
            want = F.avg_pool2d(x.double()[:, None], k).reshape(n, -1) if n else x.double().new_zeros(
                0, (h // k) * (w // k))
            yield blocks, [In(x.reshape(n, h * w)), Out(want, T), i64(h)]


def volumes(name, covers, reference, near):
    for d, h, w, k, s, p in ((4, 5, 16, 3, 2, 1), (3, 4, 9, 2, 2, 0)):
        @kernel(f"pooling/{name}", f"{name}<{{T}}, {d}, {h}, {w}, {k}, {s}, {p}>", covers, dtypes=FLOATS,
                near=near, rel=0 if not near else 4)
        def cases(T, d=d, h=h, w=w, k=k, s=s, p=p):
            for blocks, n in ((1, 0), (8, 1), (2, 9), (3, 20)):
                x = normal(1, n, d, h, w, T=T)
                if n == 9:
                    x[0, 1, 1, 3], x[1, 2, 2, 2] = math.inf, -math.inf
                one = reference(x.double().new_zeros(1, 1, d, h, w), k, s, p).numel()
                want = reference(x.double()[:, None], k, s, p).reshape(n, one) if n else x.double().new_zeros(0, one)
                yield blocks, [In(x.reshape(n, d * h * w)), Out(want, T)]


volumes("max_pool_3d", "pooling/max_pooling_3d", F.max_pool3d, 0)
volumes("avg_pool_3d", "pooling/average_pooling_3d", F.avg_pool3d, 40)


for k, s in ((2, 2), (3, 1), (3, 2)):
    @kernel("pooling/max_pool_2d_strided", f"max_pool_2d_strided<{{T}}, {k}, {s}>", dtypes=FLOATS, rel=0)
    def max_pool_2d_strided(T, k=k, s=s):
        for blocks, n, c, h, w, p, ceil in ((1, 0, 3, 5, 5, 0, False), (8, 1, 1, k, k, 0, False),
                                            (2, 2, 17, 9, 37, 1, False), (3, 1, 3, 8, 261, 0, True)):  # fmt: skip
            x = normal(1, max(n, 1), c, h, w, T=T)
            if n == 2:
                x[0, 0, 3, 3], x[1, 1, 5, 5] = math.inf, -math.inf
            want = F.max_pool2d(x.double(), k, s, p, ceil_mode=ceil)
            yield blocks, [In(x[:n]), Out(want[:n], T), i64(p)]
