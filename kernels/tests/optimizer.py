"""Steps of optimizers: parameters and states."""
import torch
from library import In, InOut, Out, f32, kernel, normal, uniform, vary

SIZES = ((1, 0), (8, 1), (2, 63), (3, 4096), (2, 4097), (1, 10001))
# Numbers as float has them, so that the reference computes with the same.
RATE, MOMENTUM, DECAY, EPS = 0.0078125, 0.875, 0.9375, 2.0**-20


@kernel("optimizer/sgd", "sgd<{T}>", "optimizer/sgd", near=4)
def sgd(T):
    for blocks, n in vary(SIZES):
        p, g, v = normal(1, n, T=T), normal(2, n, T=T), normal(3, n)
        step = v.double() * MOMENTUM + g.double()
        yield blocks, [InOut(p, p.double() - step * RATE), In(g), InOut(v, step), f32(RATE), f32(MOMENTUM)]


@kernel("optimizer/adagrad", "adagrad<{T}>", "optimizer/adagrad", near=4)
def adagrad(T):
    for blocks, n in vary(SIZES):
        p, g, a = normal(1, n, T=T), normal(2, n, T=T), uniform(3, 0, 2, n)
        sums = a.double() + g.double() ** 2
        want = p.double() - RATE * g.double() / (sums.sqrt() + EPS)
        yield blocks, [InOut(p, want), In(g), InOut(a, sums), f32(RATE), f32(EPS)]


@kernel("optimizer/rmsprop", "rmsprop<{T}>", "optimizer/rmsprop", near=4)
def rmsprop(T):
    for blocks, n in vary(SIZES):
        p, g, v = normal(1, n, T=T), normal(2, n, T=T), uniform(3, 0, 2, n)
        square = v.double() * DECAY + g.double() ** 2 * (1 - DECAY)
        want = p.double() - RATE * g.double() / (square.sqrt() + EPS)
        yield blocks, [InOut(p, want), In(g), InOut(v, square), f32(RATE), f32(DECAY), f32(EPS)]


def adam_step(T, S, decay):
    b1, b2, c1, c2 = 0.875, 0.9921875, 2.0, 4.0
    for blocks, n in vary(SIZES):
        p, g, m, v = normal(1, n, T=T), normal(2, n, T=T), normal(3, n, T=S), uniform(4, 0, 2, n, T=S)
        m1 = m.double() * b1 + g.double() * (1 - b1)
        v1 = v.double() * b2 + g.double() ** 2 * (1 - b2)
        want = p.double() * (1 - RATE * (decay or 0)) - RATE * c1 * m1 / ((v1 * c2).sqrt() + EPS)
        scalars = [f32(x) for x in (RATE, b1, b2, EPS, c1, c2, *([decay] if decay is not None else []))]
        yield blocks, [InOut(p, want), In(g), InOut(m, m1), InOut(v, v1), *scalars]


for name, decay in (("adam", None), ("adamw", 0.03125)):
    for S, archs in (("float", (2201, 3510, 2002)), ("bfloat16", (2201, 3510))):
        kernel(f"optimizer/{name}", f"{name}<{{T}}, {S}>", "optimizer/adam" if name == "adam" else (), rel=6,
               near=4, archs=archs)(lambda T, S=S, decay=decay: adam_step(T, S, decay))


@kernel("optimizer/lamb", "lamb<{T}>", "optimizer/lamb", rel=60, near=4)
def lamb(T):
    for blocks, n in vary(SIZES):
        p, m, v = normal(1, n, T=T), normal(2, n), uniform(3, 0.1, 2, n)
        step = m.double() / (v.double().sqrt() + EPS)
        trust = p.double().norm() / (step.norm() + EPS)
        yield blocks, [In(p), In(m), In(v), Out(p.double() - RATE * trust * step, T), f32(RATE), f32(EPS)]


@kernel("optimizer/lion", "lion<{T}>", near=4)
def lion(T):
    b1, b2, decay = 0.875, 0.9921875, 0.03125
    for blocks, n in vary(SIZES):
        p, g, m = normal(1, n, T=T), normal(2, n, T=T), normal(3, n)
        sign = torch.sign(m.double() * b1 + g.double() * (1 - b1))
        want = p.double() - RATE * (sign + decay * p.double())
        yield blocks, [InOut(p, want), In(g), InOut(m, m.double() * b2 + g.double() * (1 - b2)),
                       f32(RATE), f32(b1), f32(b2), f32(decay)]


@kernel("optimizer/clip_by_norm", "clip_by_norm<{T}>", rel=60)
def clip_by_norm(T):
    for blocks, n in vary(SIZES):
        g = normal(1, n, T=T)
        norm = g.double().norm()
        yield blocks, [In(g), Out(g.double() * (8.0 / max(float(norm), 8.0)), T), f32(8.0)]


@kernel("optimizer/ema", "ema<{T}>", near=4)
def ema(T):
    for blocks, n in vary(SIZES):
        a, x = normal(1, n), normal(2, n, T=T)
        yield blocks, [InOut(a, a.double() * DECAY + x.double() * (1 - DECAY)), In(x), f32(DECAY)]


@kernel("optimizer/adamax", "adamax<{T}>", near=4, rel=6)
def adamax(T):
    b1, b2 = 0.875, 0.9921875
    for blocks, n in vary(SIZES):
        p, g, m, u = normal(1, n, T=T), normal(2, n, T=T), normal(3, n), uniform(4, 0.5, 2, n)
        m1 = m.double() * b1 + g.double() * (1 - b1)
        u1 = torch.maximum(u.double() * b2, g.double().abs() + EPS)
        yield blocks, [InOut(p, p.double() - RATE * m1 / u1), In(g), InOut(m, m1), InOut(u, u1),
                       f32(RATE), f32(b1), f32(b2), f32(EPS)]


@kernel("optimizer/adadelta", "adadelta<{T}>", near=4, rel=10)
def adadelta(T):
    for blocks, n in vary(SIZES):
        p, g, s, d = normal(1, n, T=T), normal(2, n, T=T), uniform(3, 0.1, 2, n), uniform(4, 0.1, 2, n)
        s1 = s.double() * DECAY + g.double() ** 2 * (1 - DECAY)
        step = (d.double() + EPS).sqrt() / (s1 + EPS).sqrt() * g.double()
        d1 = d.double() * DECAY + step**2 * (1 - DECAY)
        yield blocks, [InOut(p, p.double() - RATE * step), In(g), InOut(s, s1), InOut(d, d1),
                       f32(RATE), f32(DECAY), f32(EPS)]
