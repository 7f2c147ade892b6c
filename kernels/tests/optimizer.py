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


# --- more steps -----------------------------------------------------------------
B1, B2, C1, C2 = 0.875, 0.9921875, 2.0, 4.0


def step(name, states, reference, *scalars, rel=40, near=8):
    """`reference` makes new parameters and states of the old ones, in float64."""
    @kernel(f"optimizer/{name}", f"{name}<{{T}}>", rel=rel, near=near)
    def cases(T):
        for blocks, n in vary(SIZES):
            p, g = normal(1, n, T=T), normal(2, n, T=T)
            old = [(normal if signed else lambda s, m: uniform(s, 0.1, 2, m))(3 + i, n) for i, signed in enumerate(states)]
            new = reference(p.double(), g.double(), *(s.double() for s in old))
            yield blocks, [InOut(p, new[0]), In(g), *(InOut(s, w) for s, w in zip(old, new[1:])), *map(f32, scalars)]


def moments(g, m, v):
    return B1 * m + (1 - B1) * g, B2 * v + (1 - B2) * g * g


def nesterov(p, g, v):
    d = g + p * 0.03125
    v = 0.5 * v + d
    return p - RATE * (d + 0.5 * v), v


def nadam_step(p, g, m, v):
    m, v = moments(g, m, v)
    return p - RATE * (m * 0.75 + g * 0.25) / ((v * C2).sqrt() + EPS), m, v


def amsgrad_step(p, g, m, v, top):
    m, v = moments(g, m, v)
    top = torch.maximum(top, v)
    return p - RATE * C1 * m / ((top * C2).sqrt() + EPS), m, v, top


def adabelief_step(p, g, m, s):
    m = B1 * m + (1 - B1) * g
    s = B2 * s + (1 - B2) * (g - m) ** 2 + EPS
    return p - RATE * C1 * m / ((s * C2).sqrt() + EPS), m, s


def yogi_step(p, g, m, v):
    m = B1 * m + (1 - B1) * g
    v = v - (1 - B2) * torch.sign(v - g * g) * g * g
    return p - RATE * C1 * m / ((v * C2).sqrt() + EPS), m, v


def centered_step(p, g, v, mean, by):
    v, mean = 0.75 * v + 0.25 * g * g, 0.75 * mean + 0.25 * g
    by = 0.5 * by + g / ((v - mean * mean).clamp(min=0).sqrt() + 0.125)
    return p - RATE * by, v, mean, by


def rprop_step(p, g, before, by):
    same = g * before
    by = torch.where(same > 0, by * 1.25, torch.where(same < 0, by * 0.5, by)).clamp(0.125, 1.5)
    used = torch.where(same < 0, 0.0, g)
    return p - torch.sign(used) * by, used, by


def adagrad_decay_step(p, g, a):
    d = g + p * 0.03125
    return p - RATE * d / ((a + d * d).sqrt() + EPS), a + d * d


def adan_step(p, g, before, m, v, n):
    change, (b1, b2, b3) = g - before, (0.0625, 0.125, 0.03125)
    m, v = (1 - b1) * m + b1 * g, (1 - b2) * v + b2 * change
    n = (1 - b3) * n + b3 * (g + (1 - b2) * change) ** 2
    return (p - RATE * (m + (1 - b2) * v) / (n.sqrt() + EPS)) / (1 + RATE * 0.03125), g, m, v, n


step("sgd_nesterov", (True,), nesterov, RATE, 0.5, 0.03125)
step("sign_sgd", (), lambda p, g: (p - RATE * torch.sign(g),), RATE)
step("nadam", (True, False), nadam_step, RATE, B1, B2, EPS, 0.75, 0.25, C2)
step("amsgrad", (True, False, False), amsgrad_step, RATE, B1, B2, EPS, C1, C2)
step("adabelief", (True, False), adabelief_step, RATE, B1, B2, EPS, C1, C2)
step("yogi", (True, False), yogi_step, RATE, B1, B2, EPS, C1, C2)
# The variance is a difference of numbers up to 20, and a root of what is left.
step("rmsprop_centered", (False, True, True), centered_step, RATE, 0.75, 0.5, 0.125, near=4000)
step("rprop", (True, False), rprop_step, 1.25, 0.5, 0.125, 1.5)
step("adagrad_decay", (False,), adagrad_decay_step, RATE, 0.03125, EPS)
step("adan", (True, True, True, False), adan_step, RATE, 0.0625, 0.125, 0.03125, EPS, 0.03125, near=40)


@kernel("optimizer/lars", "lars<{T}>", rel=60, near=8)
def lars(T):
    for blocks, n in vary(SIZES):
        p, g, v = normal(1, n, T=T), normal(2, n, T=T), normal(3, n)
        length, slope = p.double().norm(), g.double().norm()
        local = 0.0625 * length / (slope + 0.03125 * length).clamp(min=1e-12)
        by = 0.5 * v.double() + (g.double() + 0.03125 * p.double()) * local
        yield blocks, [In(p), In(g), InOut(v, by), Out(p.double() - RATE * by, T), f32(RATE), f32(0.5), f32(0.03125),
                       f32(0.0625)]


@kernel("optimizer/lookahead", "lookahead<{T}>", near=8)
def lookahead(T):
    for blocks, n in vary(SIZES):
        fast, slow = normal(1, n, T=T), normal(2, n)
        want = slow.double() + 0.25 * (fast.double() - slow.double())
        yield blocks, [InOut(fast, want), InOut(slow, want), f32(0.25)]


@kernel("optimizer/unscale", "unscale<{T}>", rel=1, unordered=True)
def unscale(T):
    for bad in (None, float("inf"), float("nan")):
        for blocks, n in vary(((1, 0), (8, 1), (2, 63), (3, 2049))):
            g, found = normal(1, n, T=T), torch.zeros(1)
            if bad is not None and n:
                g[n // 2] = bad
            yield blocks, [InOut(g, g.double() * 0.125),
                           InOut(found, found.double() + float(bad is not None and n > 0)), f32(0.125)]


@kernel("optimizer/sam_perturb", "sam_perturb<{T}>", rel=60, near=4)
def sam_perturb(T):
    for blocks, n in vary(SIZES):
        p, g = normal(1, n, T=T), normal(2, n, T=T)
        want = p.double() + 0.5 * g.double() / (g.double().norm() + 1e-12)
        yield blocks, [In(p), In(g), Out(want, T), f32(0.5)]
