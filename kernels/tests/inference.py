"""What inference engines need beside products."""
import math

import torch
from library import F, In, InOut, Out, f32, i64, integers, kernel, matrices, normal, vary, vectors

ROWS = ((1, 0), (8, 1), (2, 9), (3, 33))
EPS = 1e-5


def gates(name, reference, rel=6, near=0):
    @kernel(f"inference/{name}", f"{name}<{{T}}>", rel=rel, near=near)
    def cases(T):
        for blocks, r, c in ((1, 0, 5), (8, 1, 1), (2, 9, 37), (3, 5, 2049), (2, 3, 4096)):
            x = normal(1, r, 2 * c, T=T, scale=2)
            yield blocks, [In(x), Out(reference(x.double()[:, :c], x.double()[:, c:]), T)]


gates("swiglu", lambda a, b: F.silu(a) * b)
gates("geglu", lambda a, b: F.gelu(a) * b, near=40)
gates("reglu", lambda a, b: torch.relu(a) * b)
gates("glu", lambda a, b: a * torch.sigmoid(b))


for D in (1, 32, 64):
    @kernel("inference/rope", f"rope<{{T}}, {D}>", rel=1, near=12)
    def rope(T, D=D):
        for blocks, t, h in ((1, 0, 2), (8, 1, 1), (2, 5, 9), (3, 17, 3)):
            x, angle = normal(1, t, h, 2 * D, T=T), normal(2, t, D, scale=3)
            c, s = torch.cos(angle), torch.sin(angle)
            a, b = x.double()[..., :D], x.double()[..., D:]
            cc, ss = c.double()[:, None], s.double()[:, None]
            yield blocks, [In(x), In(c), In(s), Out(torch.cat([a * cc - b * ss, b * cc + a * ss], -1), T)]


for C in (96, 1024):
    @kernel("inference/add_rms_norm", f"add_rms_norm<{{T}}, {C}>", rel=20)
    def add_rms_norm(T, C=C):
        for blocks, n in vary(ROWS):
            x, r, g = normal(1, n, C, T=T), normal(2, n, C, T=T), normal(3, C)
            t = x.double() + r.double()
            want = t / torch.sqrt((t * t).mean(1, keepdim=True) + EPS) * g.double()
            yield blocks, [In(x), InOut(r, t), In(g), Out(want, T), f32(EPS)]

    @kernel("inference/add_layer_norm", f"add_layer_norm<{{T}}, {C}>", rel=8, near=60)
    def add_layer_norm(T, C=C):
        for blocks, n in vary(ROWS):
            x, r, g, b = normal(1, n, C, T=T), normal(2, n, C, T=T), normal(3, C), normal(4, C)
            t = x.double() + r.double()
            want = F.layer_norm(t, (C,), g.double(), b.double(), EPS)
            yield blocks, [In(x), InOut(r, t), In(g), In(b), Out(want, T), f32(EPS)]

    @kernel("inference/softmax_causal", f"softmax_causal<{{T}}, {C}>", rel=40)
    def softmax_causal(T, C=C):
        for blocks, n in vary(ROWS):
            x = normal(1, n, C, T=T, scale=4)
            unseen = torch.arange(C) > torch.arange(n)[:, None] + 3
            want = torch.softmax((x.double() * 0.125).masked_fill(unseen, -math.inf), 1)
            yield blocks, [In(x), Out(want, T), f32(0.125), i64(3)]

    @kernel("inference/softmax_masked", f"softmax_masked<{{T}}, {C}>", rel=60)
    def softmax_masked(T, C=C):
        for blocks, n in vary(ROWS):
            x, mask = normal(1, n, C, T=T, scale=4), torch.zeros(n, C).masked_fill(integers(2, 0, 3, n, C) == 0, -math.inf)
            mask = mask.to(x.dtype)
            want = torch.softmax(x.double() * 0.125 + mask.double(), 1)
            yield blocks, [In(x), In(mask), Out(want, T), f32(0.125)]

    @kernel("quantize/quantize_rows", f"quantize_rows<{{T}}, {C}>", rel=2)
    def quantize_rows(T, C=C):
        for blocks, n in vary(ROWS):
            x = normal(1, n, C, T=T)
            if n > 1:
                x[1] = 0
            # In float, as the kernel: a quotient near a half may round either way in another type.
            scale = (x.float().abs().amax(1) * (torch.tensor(1.0) / 127)).clamp(min=1e-30)
            want = torch.round(x.float() / scale[:, None])
            yield blocks, [In(x), Out(want.to(torch.int8)), Out(scale.double(), torch.float32)]

    @kernel("quantize/dequantize_rows", f"dequantize_rows<{{T}}, {C}>", rel=1)
    def dequantize_rows(T, C=C):
        for blocks, n in vary(ROWS):
            q, s = integers(1, -128, 128, n, C, T="i8"), normal(2, n)
            yield blocks, [In(q), In(s), Out(q.double() * s.double()[:, None], T)]


@kernel("inference/argmax_rows", "argmax_rows<{T}>")
def argmax_rows(T):
    for blocks, x in matrices(T):
        if x.numel() > 100:
            x[1, 5:9] = x[1].max() + 1  # the first of equals
        yield blocks, [In(x), Out(x.double().argmax(1).to(torch.int32))]


@kernel("quantize/quantize", "quantize<{T}>")
def quantize(T):
    for blocks, x in vectors(T, edges=False):
        want = torch.clamp(torch.round(x.float() / 0.0625) + 3, -128, 127)
        yield blocks, [In(x), Out(want.to(torch.int8)), f32(0.0625), f32(3.0)]


@kernel("quantize/dequantize", "dequantize<{T}>", rel=1)
def dequantize(T):
    for blocks, n in ((1, 0), (8, 1), (2, 63), (3, 8193)):
        x = integers(1, -128, 128, n, T="i8")
        yield blocks, [In(x), Out((x.double() - 3) * 0.0625, T), f32(0.0625), f32(3.0)]


@kernel("quantize/fake_quantize", "fake_quantize<{T}>", rel=1)
def fake_quantize(T):
    for blocks, x in vectors(T, edges=False):
        want = (torch.clamp(torch.round(x.double() / 0.0625) + 3, -128, 127) - 3) * 0.0625
        yield blocks, [In(x), Out(want, T), *(f32(v) for v in (0.0625, 3.0, -128.0, 127.0))]


for C in (96, 1024):
    @kernel("inference/softmax_alibi", f"softmax_alibi<{{T}}, {C}>", rel=400)  # biases are up to 33 here
    def softmax_alibi(T, C=C):
        for blocks, n in vary(ROWS):
            x = normal(1, n, C, T=T, scale=4)
            bias = (torch.arange(C) - torch.arange(n)[:, None]).double() * 0.03125
            yield blocks, [In(x), Out(torch.softmax(x.double() * 0.125 + bias, 1), T), f32(0.125), f32(0.03125)]

    @kernel("inference/embed_tokens", f"embed_tokens<{{T}}, {C}>", rel=1)
    def embed_tokens(T, C=C):
        for blocks, n in vary(ROWS):
            table, positions = normal(1, 20, C, T=T), normal(2, 50, C, T=T)
            tokens, places = integers(3, 0, 20, n), integers(4, 0, 50, n)
            want = table.double()[tokens.long()] + positions.double()[places.long()]
            yield blocks, [In(table), In(positions), In(tokens), In(places), Out(want, T)]

    @kernel("quantize/rms_norm_quantize", f"rms_norm_quantize<{{T}}, {C}>", rel=20)
    def rms_norm_quantize(T, C=C):
        for blocks, n in vary(ROWS):
            # Whole multiples of a scale, far from halves, so that rounding is the same in all types.
            whole = integers(1, -127, 128, n, C)
            whole[:, 0] = 127
            wide = whole.double()
            root = torch.sqrt((wide**2).mean(1, keepdim=True) + EPS)
            scale = (wide / root).abs().amax(1) / 127
            yield blocks, [In(whole.to(normal(0, 1, T=T).dtype)), In(torch.ones(C)), Out(whole.to(torch.int8)),
                           Out(scale, torch.float32), f32(EPS)]


@kernel("inference/paged_cache_update", "paged_cache_update<{T}>", rel=0)
def paged_cache_update(T):
    for blocks, n, slots, c in ((1, 0, 5, 4), (8, 1, 1, 1), (3, 20, 9, 2050), (2, 7, 40, 64)):
        cache, tokens, where = normal(1, slots, c, T=T), normal(2, n, c, T=T), integers(3, -1, slots + 1, n)
        want = cache.double()
        for t, s in enumerate(where.tolist()):
            if 0 <= s < slots:
                want[s] = tokens[t].double()
        yield blocks, [InOut(cache, want), In(tokens), In(where)]


@kernel("inference/gather_blocks", "gather_blocks<{T}>", rel=0)
def gather_blocks(T):
    for blocks, n, b, c in ((1, 0, 5, 4), (8, 1, 1, 1), (3, 20, 9, 4100), (2, 7, 40, 64)):
        cache, table = normal(1, b, c, T=T), integers(2, 0, b, n)
        yield blocks, [In(cache), In(table), Out(cache.double()[table.long()], T)]
