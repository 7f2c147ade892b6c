"""Frames, windows and levels of signals."""
import math

import torch
from library import In, Out, f32, i64, kernel, normal, special, uniform, vary, vectors

ROWS = ((1, 0), (8, 1), (2, 9), (3, 33))


def window(name, make):
    for N in (16, 400):
        @kernel(f"signal/{name}", f"{name}<{{T}}, {N}>", rel=2, near=8)
        def cases(T, N=N):
            for blocks, n in vary(ROWS):
                x = normal(1, n, N, T=T)
                yield blocks, [In(x), Out(x.double() * make(N, periodic=True, dtype=torch.float64), T)]


window("hann_window", torch.hann_window)
window("hamming_window", torch.hamming_window)
window("blackman_window", torch.blackman_window)
window("bartlett_window", torch.bartlett_window)


@kernel("signal/pre_emphasis", "pre_emphasis<{T}>", near=8)
def pre_emphasis(T):
    for blocks, r, c in vary(((1, 0, 3), (8, 1, 1), (2, 9, 513), (3, 5, 4097))):
        x = normal(1, r, c, T=T)
        before = torch.cat([torch.zeros(r, 1).double(), x.double()[:, :-1]], 1)
        yield blocks, [In(x), Out(x.double() - 0.96875 * before, T), f32(0.96875)]


for N in (16, 400):
    @kernel("signal/frames", f"frames<{{T}}, {N}>", rel=0)
    def frames(T, N=N):
        for blocks, n, hop in ((1, 1, 1), (8, 3, 7), (2, 20, 160), (3, 9, 500)):
            x = normal(1, (n - 1) * hop + N, T=T)
            yield blocks, [In(x), Out(x.double().unfold(0, N, hop), T), i64(hop)]


def law(name, low, reference, scalars, rel=20, near=4):
    @kernel(f"signal/{name}", f"{name}<{{T}}>", rel=rel, near=near)
    def cases(T):
        for seed, (blocks, n) in enumerate(((1, 0), (8, 1), (2, 63), (3, 8193))):
            x = uniform(seed, low, 1, n, T=T)
            yield blocks, [In(x), Out(reference(x.double()), T), *map(f32, scalars)]


law("mu_law_encode", -1, lambda x: x.sign() * torch.log1p(255 * x.abs()) / math.log(256), (255.0,))
law("mu_law_decode", -1, lambda x: x.sign() * torch.expm1(x.abs() * math.log(256)) / 255, (255.0,))
law("power_to_decibel", 0, lambda x: 10 * torch.log10(x.clamp(min=2.0**-20) / 0.5), (0.5, 2.0**-20), near=80)


@kernel("signal/magnitude", "magnitude<{T}>", rel=6)
def magnitude(T):
    for blocks, x in vectors(T, edges=False):
        y = normal(9, *x.shape, T=T)
        yield blocks, [In(x), In(y), Out(torch.hypot(x.double(), y.double()), T)]
    x = special(T)[:3]  # NaN and infinities
    yield 1, [In(x), In(torch.ones_like(x)), Out(torch.sqrt(x.double() ** 2 + 1), T)]


@kernel("signal/complex_multiply", "complex_multiply<{T}>", near=200)
def complex_multiply(T):
    for blocks, a in vectors(T, edges=False):
        b, c, d = (normal(seed, *a.shape, T=T) for seed in (7, 8, 9))
        want = torch.complex(a.double(), b.double()) * torch.complex(c.double(), d.double())
        yield blocks, [In(a), In(b), In(c), In(d), Out(want.real, T), Out(want.imag, T)]
