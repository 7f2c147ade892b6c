"""Resizing: PyTorch's interpolate with align_corners = False, in float64."""
from library import F, In, Out, i64, kernel, normal

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
