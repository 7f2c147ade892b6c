"""Resizing: PyTorch's interpolate with align_corners = False, in float64."""
import torch
from library import F, In, InOut, Out, i64, kernel, normal, uniform

# Weights are rational numbers, rounded once or twice; their sum is 1 and products are
# at most 5 here. Bicubic weights are below 2 and polynomials of degree 3.
DTYPES = ("float", "half")


def planes(name, mode, covers, sizes, near=40, shapes=((1, 0), (8, 1), (2, 17), (3, 40)), antialias=False):
    for h, w, oh, ow in sizes:
        @kernel(f"resize/{name}", f"{name}<{{T}}, {w}, {ow}>", covers, dtypes=DTYPES, near=near)
        def cases(T, h=h, w=w, oh=oh, ow=ow):
            for blocks, n in shapes:
                x = normal(1, n, h, w, T=T)
                options = {} if mode == "nearest" else {"align_corners": False}
                if n == 0:
                    want = x.double().new_zeros(0, oh * ow)
                else:
                    want = F.interpolate(x.double()[:, None], size=(oh, ow), mode=mode, antialias=antialias,
                                         **options)
                yield blocks, [In(x.reshape(n, h * w)), Out(want.reshape(n, oh * ow), T), i64(h), i64(oh)]


planes("nearest", "nearest", "resize/nearest_neighbor_upsample", ((3, 8, 12, 32), (7, 5, 4, 3)), near=0)
planes("bilinear", "bilinear", ("resize/bilinear_upsample", "resize/interpolate_dynamic"),
       ((4, 16, 8, 32), (5, 15, 11, 31), (1, 1, 3, 4)))
planes("bilinear", "bilinear", "resize/downsample_bilinear", ((12, 64, 3, 16), (7, 9, 2, 2)))
planes("bicubic", "bicubic", "resize/bicubic_upsample", ((4, 8, 16, 32), (5, 9, 7, 13)), near=60)
planes("antialias", "bilinear", "resize/resize_with_antialias", ((8, 32, 4, 16), (9, 21, 4, 8)), antialias=True)

# As wide as the references.
FEW = ((3, 3),)
planes("nearest", "nearest", (), ((1, 32, 4, 128),), near=0, shapes=FEW)
planes("bilinear", "bilinear", (), ((2, 64, 4, 128), (4, 320, 1, 80), (1, 150, 2, 300)), shapes=FEW)
planes("bicubic", "bicubic", (), ((1, 64, 2, 256),), near=60, shapes=FEW)
planes("antialias", "bilinear", (), ((4, 256, 2, 128),), antialias=True, shapes=FEW)

for d, h, w, od, oh, ow in ((2, 3, 8, 4, 6, 16), (3, 2, 5, 4, 5, 7)):
    @kernel("resize/trilinear", f"trilinear<{{T}}, {d}, {h}, {w}, {od}, {oh}, {ow}>", "resize/trilinear_upsample",
            dtypes=DTYPES, near=40)
    def trilinear(T, d=d, h=h, w=w, od=od, oh=oh, ow=ow):
        for blocks, n in ((1, 0), (8, 1), (2, 17), (3, 40)):
            x = normal(1, n, d, h, w, T=T)
            want = (F.interpolate(x.double()[:, None], size=(od, oh, ow), mode="trilinear", align_corners=False)
                    if n else x.double().new_zeros(0, od * oh * ow))
            yield blocks, [In(x.reshape(n, -1) if n else x.reshape(0, d * h * w)),
                           Out(want.reshape(n, od * oh * ow), T)]


def scattered(n, oh, ow, scale=1.3):
    """A grid that reaches beyond all edges, with some positions far away."""
    grid = uniform(5, -scale, scale, n, oh, ow, 2)
    grid.view(-1)[:: 97] *= 40.0
    return grid


def sampled(x, grid):
    return F.grid_sample(x.double(), grid.double(), mode="bilinear", align_corners=False)


# A position is a number up to the number of columns, or so, computed in a few roundings; what
# it is off by moves the result by as much of the difference between neighbours, below 8 here.
# Where roundings take a position over an element, interpolation goes on from there.
def moved(h, w, roundings):
    return 40 + 8 * roundings * 2 * max(h, w)


for h, w, c, parts in ((5, 7, 3, ""), (16, 16, 1, ""), (40, 24, 2, ", 512, 256"), (256, 256, 1, "")):
    @kernel("resize/grid_sample", f"grid_sample<{{T}}, {w}, {c}{parts}>", "resize/grid_sample_random_warp",
            dtypes=DTYPES, near=moved(h, w, 3))
    def grid_sample(T, h=h, w=w, c=c):
        for blocks, n, oh, ow in ((1, 0, 3, 3), (8, 1, 1, 1), (2, 3, 9, 11), (3, 2, 30, 40)):
            x, grid = normal(1, n, c, h, w, T=T), scattered(n, oh, ow)
            want = sampled(x, grid) if n else x.new_zeros(0, c, oh, ow).double()
            y = normal(7, n * c, oh * ow, T=T)
            yield blocks, [In(x.reshape(n * c, h * w)), In(grid.reshape(n, 2 * oh * ow)),
                           InOut(y, want.reshape(n * c, oh * ow)), i64(h)]


def matrices_of(n):
    """As it is, turned by 30 degrees, larger and moved, mirrored."""
    kinds = torch.tensor([[1, 0, 0, 0, 1, 0], [0.866, -0.5, 0, 0.5, 0.866, 0], [0.3, 0.1, 0.25, -0.2, 0.4, -0.5],
                          [-1, 0, 0.1, 0, 1.2, 0]])
    return kinds[torch.arange(n) % 4].float()


def turned(x, theta, oh, ow):
    size = (x.shape[0], x.shape[1], oh, ow)
    return sampled(x, F.affine_grid(theta.double().reshape(-1, 2, 3), size, align_corners=False))


for h, w, oh, ow, c in ((5, 7, 9, 11, 2), (16, 16, 16, 16, 1), (30, 20, 25, 50, 3), (128, 128, 4, 128, 1)):
    @kernel("resize/grid_sample_affine", f"grid_sample_affine<{{T}}, {w}, {ow}, {c}>", "resize/grid_sample_affine",
            dtypes=DTYPES, near=moved(h, w, 12))
    def affine(T, h=h, w=w, oh=oh, ow=ow, c=c):
        for blocks, n in ((1, 0), (8, 1), (3, 5)):
            x, theta = normal(1, n, c, h, w, T=T), matrices_of(n)
            want = turned(x, theta, oh, ow) if n else x.new_zeros(0, c, oh, ow).double()
            yield blocks, [In(x.reshape(n * c, h * w)), In(theta), Out(want.reshape(n * c, oh * ow), T), i64(h), i64(oh)]


for h, w, c in ((5, 7, 2), (16, 16, 1), (20, 30, 3), (64, 64, 1)):
    @kernel("resize/upsample_grid_sample", f"upsample_grid_sample<{{T}}, {w}, {c}>", "resize/upsample_grid_sample",
            dtypes=DTYPES, near=moved(2 * h, 2 * w, 12))
    def upsampled(T, h=h, w=w, c=c):
        for blocks, n in ((1, 0), (8, 1), (3, 5)):
            x, theta = normal(1, n, c, h, w, T=T), matrices_of(n)
            if n:
                larger = F.interpolate(x.double(), scale_factor=2.0, mode="bilinear", align_corners=False)
                want = turned(larger, theta, 2 * h, 2 * w)
            else:
                want = x.new_zeros(0, c, 2 * h, 2 * w).double()
            yield blocks, [In(x.reshape(n * c, h * w)), In(theta), Out(want.reshape(n * c, 4 * h * w), T), i64(h)]
