"""What engines for inference need around their products: positions, sampling, routing, gates."""
import math

import torch
from library import F, In, InOut, Out, f32, i64, integers, kernel, normal, unary, uniform, vary, vectors

ROWS = ((1, 0), (8, 1), (2, 9), (3, 33))


def angles(n, D):
    angle = uniform(7, -3, 3, n, D).double()
    return angle.cos().float(), angle.sin().float()


for D in (8, 64):
    @kernel("inference/rope_interleaved", f"rope_interleaved<{{T}}, {D}>", near=24)
    def rope_interleaved(T, D=D):
        for blocks, n, heads in ((1, 0, 1), (8, 1, 1), (2, 9, 3), (3, 5, 4)):
            x, (c, s) = normal(1, n * heads, 2 * D, T=T), angles(n, D)
            a, b = x.double()[:, ::2], x.double()[:, 1::2]
            cc, ss = (v.double().repeat_interleave(heads, 0) for v in (c, s))
            want = torch.stack([a * cc - b * ss, a * ss + b * cc], 2).reshape(n * heads, 2 * D)
            yield blocks, [In(x), In(c), In(s), Out(want, T), i64(heads)]

    @kernel("inference/rope_partial", f"rope_partial<{{T}}, {D}, {3 * D}>", near=24)
    def rope_partial(T, D=D):
        for blocks, n in vary(ROWS):
            x, (c, s) = normal(1, n, 3 * D, T=T), angles(n, D)
            a, b, rest = x.double().split(D, 1)
            want = torch.cat([a * c.double() - b * s.double(), b * c.double() + a * s.double(), rest], 1)
            yield blocks, [In(x), In(c), In(s), Out(want, T)]

    @kernel("inference/sinusoid_embedding", f"sinusoid_embedding<{D}>", near=60)
    def sinusoid_embedding(D=D):
        for blocks, n in vary(ROWS):
            t, f = integers(1, 0, 20, n).float(), uniform(2, 0.01, 1, D)
            angle = t.double()[:, None] * f.double()
            yield blocks, [In(t), In(f), Out(torch.cat([angle.sin(), angle.cos()], 1), torch.float32)]

    @kernel("inference/decode_attention", f"decode_attention<{{T}}, {D}>", rel=20, near=200)
    def decode_attention(T, D=D):
        for blocks, heads, t in ((1, 0, 3), (8, 1, 1), (2, 3, 33), (3, 5, 130)):
            q, k, v = normal(1, heads, D, T=T), normal(2, heads, t, D, T=T), normal(3, heads, t, D, T=T)
            scores = (k.double() @ q.double()[:, :, None])[:, :, 0] * 0.125
            want = (torch.softmax(scores, 1)[:, None] @ v.double())[:, 0]
            yield blocks, [In(q), In(k), In(v), Out(want, T), f32(0.125)]


unary("inference/softcap", lambda x: 30 * torch.tanh(x / 30), f32(30.0), rel=6)


@kernel("inference/repetition_penalty", "repetition_penalty<{T}>", rel=1)
def repetition_penalty(T):
    for blocks, x in vectors(T, edges=False):
        seen, wide = integers(2, 0, 2, *x.shape, T="i8"), x.double()
        want = torch.where(seen != 0, torch.where(wide > 0, wide / 1.5, wide * 1.5), wide)
        yield blocks, [In(x), In(seen), Out(want, T), f32(1.5)]


@kernel("inference/frequency_penalty", "frequency_penalty<{T}>", near=20)
def frequency_penalty(T):
    for blocks, x in vectors(T, edges=False):
        counts = integers(2, 0, 5, *x.shape)
        want = x.double() - 0.75 * (counts > 0).double() - 0.25 * counts.double()
        yield blocks, [In(x), In(counts), Out(want, T), f32(0.75), f32(0.25)]


@kernel("inference/softmax_temperature", "softmax_temperature<{T}>", rel=80)
def softmax_temperature(T):
    for blocks, r, c in vary(((1, 0, 5), (8, 1, 1), (2, 3, 37), (3, 5, 2049), (3, 2, 40001))):
        x = normal(1, r, c, T=T, scale=2)
        if r == 3:
            x[1, :3] = -math.inf
        yield blocks, [In(x), Out(torch.softmax(x.double() / 0.75, 1), T), f32(0.75)]


for C in (96, 1000):
    @kernel("inference/min_p_filter", f"min_p_filter<{{T}}, {C}>", rel=40)
    def min_p_filter(T, C=C):
        for blocks, n in vary(ROWS):
            # Sixteenths: which are below a share is not in doubt.
            x = (integers(1, 1, 17, n, C).double() / 16).to(normal(0, 1, T=T).dtype)
            wide = x.double()
            kept = torch.where(wide >= wide.amax(1, keepdim=True) * 0.5, wide, 0.0)
            yield blocks, [In(x), Out(kept / kept.sum(1, keepdim=True), T), f32(0.5)]

    @kernel("inference/softmax_sliding", f"softmax_sliding<{{T}}, {C}>", rel=60)
    def softmax_sliding(T, C=C):
        for blocks, n in vary(((1, 0), (8, 1), (2, 9), (3, 65))):
            x = normal(1, n, C, T=T, scale=4)
            q, k = torch.arange(n)[:, None], torch.arange(C)
            score = (x.double() * 0.125).masked_fill((k > q) | (k <= q - 8), -math.inf)
            yield blocks, [In(x), Out(torch.softmax(score, 1), T), f32(0.125), i64(8)]

    @kernel("inference/softmax_sink", f"softmax_sink<{{T}}, {C}>", rel=60)
    def softmax_sink(T, C=C):
        for blocks, n in vary(ROWS):
            x = normal(1, n, C, T=T, scale=4)
            score = torch.cat([x.double() * 0.125, torch.full((n, 1), 1.5).double()], 1)
            yield blocks, [In(x), Out(torch.softmax(score, 1)[:, :-1], T), f32(0.125), f32(1.5)]

    @kernel("inference/token_log_probability", f"token_log_probability<{{T}}, {C}>", rel=8, near=20)
    def token_log_probability(T, C=C):
        for blocks, n in vary(ROWS):
            x, t = normal(1, n, C, T=T, scale=3), integers(2, 0, C, n)
            want = torch.log_softmax(x.double(), 1).gather(1, t.long()[:, None])[:, 0]
            yield blocks, [In(x), In(t), Out(want, torch.float32)]

    @kernel("inference/gumbel_argmax", f"gumbel_argmax<{{T}}, {C}>")
    def gumbel_argmax(T, C=C):
        for blocks, n in vary(ROWS):
            # One token of each row is far ahead, whatever the noise is.
            x, u, best = normal(1, n, C, T=T), uniform(2, 0.01, 0.99, n, C), integers(3, 0, C, n)
            x[torch.arange(n), best.long()] = 40
            yield blocks, [In(x), In(u), Out(best)]

    @kernel("inference/residual_scale", f"residual_scale<{{T}}, {C}>", near=20)
    def residual_scale(T, C=C):
        for blocks, n in vary(ROWS):
            r, x, g = normal(1, n, C, T=T), normal(2, n, C, T=T), normal(3, C)
            yield blocks, [InOut(r, r.double() + x.double() * g.double()), In(x), In(g)]

    @kernel("inference/modulate", f"modulate<{{T}}, {C}>", near=40)
    def modulate(T, C=C):
        for blocks, n in vary(ROWS):
            x, a, b = normal(1, n, C, T=T), normal(2, C), normal(3, C)
            yield blocks, [In(x), In(a), In(b), Out(x.double() * (1 + a.double()) + b.double(), T)]

    @kernel("inference/moe_combine", f"moe_combine<{{T}}, {C}>", near=40)
    def moe_combine(T, C=C):
        for blocks, n in vary(ROWS):
            x, (i, j) = normal(1, 7, C, T=T), (integers(s, 0, 9, n) for s in (2, 3))  # 7 and 8: none
            a, b = uniform(4, 0, 1, n), uniform(5, 0, 1, n)
            rows = torch.cat([x.double(), torch.zeros(2, C).double()])
            want = rows[i.long()] * a.double()[:, None] + rows[j.long()] * b.double()[:, None]
            yield blocks, [In(x), In(i), In(j), In(a), In(b), Out(want, T)]

for E in (8, 64):
    @kernel("inference/moe_top1", f"moe_top1<{{T}}, {E}>", rel=20)
    def moe_top1(T, E=E):
        for blocks, n in vary(ROWS):
            x = normal(1, n, E, T=T, scale=2)
            share = torch.softmax(x.double(), 1).amax(1)
            yield blocks, [In(x), Out(x.double().argmax(1).to(torch.int32)), Out(share, torch.float32)]

    @kernel("inference/moe_top2", f"moe_top2<{{T}}, {E}>", rel=20, near=2)
    def moe_top2(T, E=E):
        for blocks, n in vary(ROWS):
            # All scores of a row differ.
            x = torch.stack([torch.randperm(E, generator=torch.Generator().manual_seed(r)) for r in range(n)]
                            or [torch.zeros(E)])[:n].double() / 4
            value, where = x.topk(2, 1) if n else (x[:, :2], x[:, :2].long())
            share = torch.softmax(value, 1)
            yield blocks, [In(x.to(normal(0, 1, T=T).dtype)), *(Out(where[:, k].to(torch.int32)) for k in (0, 1)),
                           *(Out(share[:, k], torch.float32) for k in (0, 1))]

    @kernel("inference/moe_balance", f"moe_balance<{{T}}, {E}>", rel=60, near=20, unordered=True)
    def moe_balance(T, E=E):
        for blocks, n in vary(ROWS):
            x, start = normal(1, n, E, T=T, scale=2), uniform(2, 0, 1, E)
            yield blocks, [In(x), InOut(start, start.double() + torch.softmax(x.double(), 1).sum(0))]


def gate(name, reference, *scalars, rel=10, near=8):
    @kernel(f"inference/{name}", f"{name}<{{T}}>", rel=rel, near=near)
    def cases(T):
        for blocks, rows, cols in vary(((1, 0, 3), (8, 1, 1), (2, 9, 513), (3, 5, 2049))):
            x = normal(1, rows, 2 * cols, T=T, scale=3)
            yield blocks, [In(x), Out(reference(*x.double().chunk(2, 1)), T), *scalars]


gate("bilinear_gate", lambda a, b: a * b, rel=1, near=0)
gate("swiglu_clamped", lambda a, b: a.clamp(max=4) * torch.sigmoid(1.702 * a.clamp(max=4)) * (b.clamp(-4, 4) + 1),
     f32(4.0), rel=40, near=20)


def pair(name, reference, *scalars, rel=10, near=40):
    @kernel(f"inference/{name}", f"{name}<{{T}}>", rel=rel, near=near)
    def cases(T):
        for blocks, x in vectors(T, edges=False):
            y = normal(9, *x.shape, T=T)
            yield blocks, [In(x), In(y), Out(reference(x.double(), y.double()), T), *scalars]


pair("mlp_gate_up", lambda g, u: F.silu(g) * u)
pair("guidance", lambda a, b: b + (a - b) * 7.5, f32(7.5), near=200)
pair("ddim_step", lambda x, e: (x - 0.5 * e) / 0.75 * 0.875 + 0.25 * e, f32(0.75), f32(0.5), f32(0.875), f32(0.25))
