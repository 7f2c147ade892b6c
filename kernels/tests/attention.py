"""Attention, against PyTorch in float64. How far a result may be off is carried along with it."""
import math

import torch
from library import In, InOut, Out, f32, i64, kernel, normal
from products import SEPARATE, product

ONLY = ("float",)


class Value:
    """A tensor in float64, and how far what a kernel has may be off, in eps of float."""

    def __init__(self, value, off=0.0):
        self.value, self.off = value.double(), torch.zeros_like(value.double()) + off

    def __matmul__(self, other):
        want, near = product(self.value, other.value)
        return Value(want, near + self.off @ other.value.abs() + self.value.abs() @ other.off)

    def t(self):
        return Value(self.value.transpose(-1, -2), self.off.transpose(-1, -2))

    def plus(self, bias):
        want = self.value + bias.double()
        return Value(want, self.off + want.abs())

    def heads(self, d):
        """[B, L, H * D] as [B, H, L, D]."""
        b, l, e = self.value.shape
        return Value(*(x.reshape(b, l, e // d, d).transpose(1, 2) for x in (self.value, self.off)))

    def merged(self):
        b, h, l, d = self.value.shape
        return Value(*(x.transpose(1, 2).reshape(b, l, h * d) for x in (self.value, self.off)))


def attended(q, k, v, scale, mask=None):
    """Weights that are off by a factor of 1 + d for each key make sums off by at most 2 d, relative
    to the sum of magnitudes."""
    scores = q @ k.t()
    scores = Value(scores.value * scale, (scores.off + scores.value.abs()) * scale)
    hidden = torch.zeros_like(scores.value) if mask is None else torch.full_like(scores.value, -math.inf) * ~mask
    hidden = hidden.nan_to_num(nan=0.0, neginf=-math.inf)
    weights = torch.softmax(scores.value + hidden, -1)
    if not scores.value.numel():
        result = Value(weights @ v.value)
        result.weights = Value(weights)
        return result
    worst = 2 * (scores.off + 2 * scores.value.abs()).amax(-1, keepdim=True) + 16
    want, near = product(weights, v.value)
    result = Value(want, near + worst * (weights @ v.value.abs()) + weights @ v.off)
    result.weights = Value(weights, worst * weights)
    return result


# Cores, batches, queries, keys: nothing, one, odd, more than one tile of each.
SHAPES = ((1, 0, 3, 5), (2, 2, 0, 3), (1, 1, 1, 1), (3, 2, 17, 33), (2, 1, 70, 150))


@kernel("attention/attention_wide", "attention_wide<{T}, 32, 64, 64>",
        tuple("attention/" + n for n in (
            "scaled_dot_product_attention", "scaled_dot_product_attention_inference",
            "scaled_dot_product_attention_long_context", "kv_cached_attention_inference",
            "kv_cached_chat_batch_attention", "kv_cached_speculative_attention")), dtypes=ONLY, archs=SEPARATE, rel=2)
def attention_wide(T):
    for (blocks, b, l, s), (d, e) in zip((*SHAPES, (2, 3, 1, 90)), ((7, 5), (3, 3), (1, 1), (100, 70), (65, 130),
                                                                    (129, 129))):
        q, k, v = normal(1, b, l, d, T=T), normal(2, b, s, d, T=T), normal(3, b, s, e, T=T)
        scale = 1 / math.sqrt(d)
        want = attended(Value(q), Value(k), Value(v), scale)
        yield blocks, [In(q), In(k), In(v), scratch(want.weights), Out(want.value, T, want.off), f32(scale)]


for G in (1, 2):
    @kernel("attention/attention", f"attention<{{T}}, 48, {G}, 32, 64>", dtypes=ONLY, archs=SEPARATE, rel=2,
            quick=G == 2)
    def attention(T, G=G):
        for blocks, b, l, s in SHAPES:
            q, k, v = normal(1, b * G, l, 48, T=T), normal(2, b, s, 48, T=T), normal(3, b, s, 48, T=T)
            want = attended(Value(q), Value(k.repeat_interleave(G, 0)), Value(v.repeat_interleave(G, 0)), 0.125)
            yield blocks, [In(q), In(k), In(v), Out(want.value, T, want.off), f32(0.125)]


@kernel("attention/linear_attention", "linear_attention<{T}, 32, 48, 64>", "attention/linear_attention", dtypes=ONLY,
        archs=SEPARATE, rel=2)
def linear_attention(T):
    for (blocks, b, l, s), (d, e) in zip(SHAPES, ((7, 5), (3, 3), (1, 1), (100, 70), (65, 130))):
        q, k, v = normal(1, b, l, d, T=T), normal(2, b, s, d, T=T), normal(3, b, s, e, T=T)
        left, right = (Value(torch.relu(x.double()) + 1e-6, (torch.relu(x) + 1e-6).double()) for x in (q, k))
        kv = right.t() @ Value(v)
        want = left @ kv
        yield blocks, [In(q), In(k), In(v), InOut(torch.zeros(b, e, d), kv.t().value, kv.t().off),
                       Out(want.value, T, want.off)]


# --- layers ----------------------------------------------------------------------


def projection(seed, n, k, T):
    return normal(seed, n, k, T=T, scale=1 / math.sqrt(k)), normal(seed + 50, n)


def linear(x, w, b):
    return (x @ Value(w).t()).plus(b)


def attention_of(x, z, wq, wk, wv, wo, d, group=1, mask=None):
    """What the layer is, and what its scratch has at the end: what was attended to, keys, values."""
    q, k, v = linear(x, *wq), linear(z, *wk), linear(z, *wv)
    shared = [Value(*(t.repeat_interleave(group, 1) for t in (h.value, h.off))) for h in (k.heads(d), v.heads(d))]
    mix = attended(q.heads(d), *shared, 1 / math.sqrt(d), mask).merged()
    return linear(mix, *wo), mix, k, v


def scratch(*values):
    """Room that the kernel uses; what is in it at the end is known, too."""
    value = torch.stack([v.value for v in values]) if len(values) > 1 else values[0].value
    off = torch.stack([v.off for v in values]) if len(values) > 1 else values[0].off
    return InOut(torch.zeros(value.shape), value, off)


def band(l, before, after):
    i, j = torch.arange(l)[:, None], torch.arange(l)
    return (j >= i - before) & (j <= i + after)


# Cores, batches, places; heads of 16 columns, three of them.
LAYERS = ((1, 0, 3), (2, 2, 1), (3, 2, 33), (2, 1, 70))
D, E = 16, 48


def self_attention(name, masks, *scalars):
    @kernel(f"attention/{name}", f"{name}<{{T}}, {D}, 32, 48, 32>", f"attention/{name}", dtypes=ONLY, archs=SEPARATE,
            rel=2)
    def cases(T):
        for blocks, b, l in LAYERS:
            x = normal(1, b, l, E, T=T)
            parts = [projection(s, E, E, T) for s in (2, 3, 4, 5)]
            y, *room = attention_of(Value(x), Value(x), *parts, D, mask=masks(l))
            weights, biases = (torch.stack(p) for p in zip(*parts[:3]))
            yield blocks, [In(x), In(weights), In(biases), *map(In, parts[3]), scratch(*room), Out(y.value, T, y.off),
                           f32(1 / math.sqrt(D)), *scalars]


self_attention("multi_head_attention", lambda l: None)
self_attention("causal_attention", lambda l: band(l, l, 0))
self_attention("sparse_attention", lambda l: band(l, 5, 4), i64(5))


def separate(name, covers, instance, group, mask, *scalars):
    @kernel(f"attention/{name}", f"{name}<{{T}}, {instance}, 32, 48, 32>", covers, dtypes=ONLY, archs=SEPARATE, rel=2)
    def cases(T):
        for blocks, b, l in LAYERS:
            x = normal(1, b, l, E, T=T)
            parts = [projection(2, E, E, T), *(projection(s, E // group, E, T) for s in (3, 4)), projection(5, E, E, T)]
            y, *room = attention_of(Value(x), Value(x), *parts, D, group, mask(l))
            yield blocks, [In(x), *(In(p[0]) for p in parts), *(In(p[1]) for p in parts), *map(scratch, room),
                           Out(y.value, T, y.off), f32(1 / math.sqrt(D)), *scalars]


separate("group_query_attention", ("attention/group_query_attention", "attention/multi_query_attention"), f"{D}, 3", 3,
         lambda l: None)
separate("group_query_attention", (), f"{D}, 1", 1, lambda l: None)
separate("windowed_causal_attention", "attention/windowed_causal_attention", D, 1, lambda l: band(l, 6, 0), i64(6))

ACROSS = ((1, 0, 3, 2), (2, 2, 1, 1), (3, 2, 33, 17), (2, 1, 40, 70))


@kernel("attention/cross_attention", f"cross_attention<{{T}}, {D}, 32, 48, 32>", "attention/cross_attention",
        dtypes=ONLY, archs=SEPARATE, rel=2)
def cross_attention(T):
    for blocks, b, l, s in ACROSS:
        x, z = normal(1, b, l, E, T=T), normal(6, b, s, E, T=T)
        parts = [projection(n, E, E, T) for n in (2, 3, 4, 5)]
        y, mix, k, v = attention_of(Value(x), Value(z), *parts, D)
        weights, biases = (torch.stack(p) for p in zip(*parts[:3]))
        yield blocks, [In(x), In(z), In(weights), In(biases), *map(In, parts[3]), scratch(mix), scratch(k, v),
                       Out(y.value, T, y.off), f32(1 / math.sqrt(D))]


@kernel("attention/cross_modal_attention", f"cross_modal_attention<{{T}}, {D}, 32, 48, 32>",
        "attention/cross_modal_attention", dtypes=ONLY, archs=SEPARATE, rel=2)
def cross_modal_attention(T):
    for blocks, b, l, s in ACROSS:
        text, image = normal(1, b, l, 20, T=T), normal(6, b, s, 37, T=T)
        to_words, to_pixels = projection(7, E, 20, T), projection(8, E, 37, T)
        words, pixels = linear(Value(text), *to_words), linear(Value(image), *to_pixels)
        parts = [projection(n, E, E, T) for n in (2, 3, 4, 5)]
        y, mix, k, v = attention_of(words, pixels, *parts, D)
        weights, biases = (torch.stack(p) for p in zip(*parts[:3]))
        yield blocks, [In(text), In(image), *map(In, to_words), *map(In, to_pixels), In(weights), In(biases),
                       *map(In, parts[3]), scratch(words, mix), scratch(pixels, k, v), Out(y.value, T, y.off),
                       f32(1 / math.sqrt(D))]


@kernel("attention/relu_attention", f"relu_attention<{{T}}, {D}, 32, 48>", dtypes=ONLY, archs=SEPARATE, rel=2)
def relu_attention(T):
    """Sums of D and of l products, each rounded: as many roundings of the sums of all sizes."""
    for blocks, b, l in ((1, 0, 3), (2, 2, 1), (3, 2, 33), (2, 1, 70)):
        qkv, scale = normal(1, b, l, 3 * E, T=T), 1 / math.sqrt(D)
        q, k, v = (part.reshape(b, l, E // D, D).transpose(1, 2) for part in qkv.double().split(E, 2))
        seen = torch.ones(l, l, dtype=torch.double).tril()
        sizes = (q.abs() @ k.abs().transpose(-2, -1) * scale * seen) @ v.abs()
        y = torch.relu(q @ k.transpose(-2, -1) * scale) * seen @ v
        flat = [t.transpose(1, 2).reshape(b, l, E) for t in (y, sizes)]
        yield blocks, [In(qkv), Out(flat[0], T, (D + l + 4) * flat[1]), f32(scale)]
