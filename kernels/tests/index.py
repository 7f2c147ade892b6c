"""Indices of and by."""
import math

import torch
from library import ALL, DTYPES, SEPARATE, In, InOut, Out, f32, i64, integers, kernel, normal, vary, vectors
from reduce import SHAPES


def arg(name, reference):
    for index, archs in (("i32", (2201, 3510, 2002)), ("i64", (2201, 3510))):
        @kernel(f"index/{name}_middle", f"{name}_middle<{{T}}, {index}>", f"index/{name}_over_a_dimension",
                dtypes=("float", "half"), archs=archs)
        def cases(T, index=index):
            for blocks, b, m, n in vary(SHAPES):
                x = normal(1, b, m, n, T=T)
                if m == 33:
                    x[0, :, 2], x[1, 3:6, 4], x[2, :, 5] = math.inf, -math.inf, 1.0
                yield blocks, [In(x), Out(reference(x.double()), index)]


arg("argmax", lambda x: x.argmax(1))
arg("argmin", lambda x: x.argmin(1))


INDEX = (("i32", ALL), ("i64", ALL))
ROWS = ((1, 1, 0), (8, 1, 1), (3, 100, 33), (2, 50, 17))  # blocks, rows of the table, indices

for index, archs in INDEX:
    @kernel("index/embedding", f"embedding<{{T}}, {index}, 72>", "index/embedding", archs=archs, rel=0)
    def embedding(T, index=index):
        for blocks, v, n in vary(ROWS):
            table, ids = normal(1, v, 72, T=T), integers(2, 0, v, n, T=index)
            yield blocks, [In(table), In(ids), Out(table[ids.long()].double(), T)]

    @kernel("index/embedding", f"embedding<float, {index}, 768, 8>", archs=archs, rel=0)
    def embedding_wide(index=index):
        table, ids = normal(1, 60, 768), integers(2, 0, 60, 100, T=index)
        yield 5, [In(table), In(ids), Out(table[ids.long()].double(), "float")]

    @kernel("index/embedding", f"embedding<float, {index}, 72>", archs=archs, fails="guard-failed")
    def embedding_beyond(index=index):
        for bad in (-1, 10, 2**31 - 1):
            ids = torch.tensor([0, 9, bad, 1]).to(DTYPES[index])
            yield 1, [In(normal(1, 10, 72)), In(ids), Out(torch.zeros(4, 72), "float")]

    # Atomic: the order of additions to one row is nobody's, and each rounds to T.
    @kernel("index/index_add", f"index_add<{{T}}, {index}, 72>", "index/index_add", archs=archs,
            dtypes=("float", "half"), unordered=True)
    def index_add(T, index=index):
        for blocks, v, n in (*ROWS, (4, 3, 70)):
            table, x, ids = normal(1, v, 72, T=T), normal(2, n, 72, T=T), integers(3, 0, v, n, T=index)
            want = table.double().index_add(0, ids.long(), x.double())
            size = table.double().abs().index_add(0, ids.long(), x.double().abs())
            count = torch.bincount(ids.long(), minlength=v)[:, None]
            near = size * count * (torch.finfo(table.dtype).eps / 2**-23)
            yield blocks, [In(x), In(ids), InOut(table, want, near)]

    @kernel("index/index_copy", f"index_copy<{{T}}, {index}>", ("index/index_copy", "index/inplace_update"),
            archs=archs if index == "i32" else SEPARATE, rel=0)  # the 310P does not convert i64
    def index_copy(T, index=index):
        for blocks, v, n, c in ((1, 1, 0, 3), (8, 1, 1, 1), (3, 40, 30, 4099), (2, 50, 17, 37), (2, 9, 5000, 8)):
            table, x, ids = normal(1, v, c, T=T), normal(2, n, c, T=T), integers(3, 0, v, n, T=index)
            if n == 17:
                ids[3], ids[5] = -1, v  # ignored
            want = table.double()
            for i, r in enumerate(ids.tolist()):
                if 0 <= r < v:
                    want[r] = x[i].double()
            yield blocks, [In(table), In(ids), In(x), Out(want, T)]


# Blocks, rows, columns, indices of a row: none, one, tails, more than one tile of indices.
PICKS = ((1, 0, 5, 3), (8, 1, 1, 1), (3, 9, 100, 37), (2, 5, 8192, 2049), (2, 3, 17, 0), (2, 2, 7, 4100))
for index in ("i32", "i64"):
    picking = {"archs": ALL if index == "i32" else SEPARATE, "rel": 0}  # the 310P does not convert i64

    @kernel("index/gather", f"gather_columns<{{T}}, {index}>", ("index/gather", "index/take_along_dim"), **picking)
    def gather(T, index=index):
        for blocks, r, c, k in vary(PICKS):
            x, ids = normal(1, r, c, T=T), integers(2, 0, c, r, k, T=index)
            yield blocks, [In(x), In(ids), Out(torch.gather(x.double(), 1, ids.long()), T)]

    @kernel("index/gather", f"gather_columns<float, {index}>", fails="guard-failed", **picking)
    def gather_beyond(index=index):
        for bad in (-1, 10, 2**31 - 1, -2**31) + ((2**32, 2**32 + 3, -2**40) if index == "i64" else ()):
            ids = integers(2, 0, 10, 3, 5, T=index)
            ids[2, 4] = bad
            yield 2, [In(normal(1, 3, 10)), In(ids), Out(torch.zeros(3, 5), "float")]


kernel("index/index_add", "index_add<float, i32, 4096>", "index/index_add", unordered=True)(lambda: iter([
    (3, [In(x := normal(2, 20, 4096)), In(ids := integers(3, 0, 7, 20)),
         InOut(t := normal(1, 7, 4096), t.double().index_add(0, ids.long(), x.double()), 400.0)])]))


@kernel("index/embedding_bag", "embedding_bag<{T}, 72>", rel=2)
def embedding_bag(T):
    for blocks, v, bags, n in ((1, 5, 0, 0), (8, 1, 1, 1), (3, 100, 9, 60), (2, 50, 3, 100)):
        table, ids = normal(1, v, 72, T=T), integers(2, 0, v, n)
        cuts = integers(3, 0, n + 1, bags + 1).sort().values
        wide = table.double()[ids.long()]
        bag = [wide[a:b].sum(0) for a, b in zip(cuts[:-1], cuts[1:])]
        near = 16 * wide.abs().sum() / 72
        want = torch.stack(bag) if bag else torch.zeros(0, 72).double()
        yield blocks, [In(table), In(ids), In(cuts), Out(want, T, near)]


@kernel("index/masked_fill", "masked_fill<{T}>", "index/masked_fill", rel=0)
def masked_fill(T):
    for blocks, x in vectors(T):
        mask = integers(5, 0, 2, *x.shape, T="i8")
        want = x.double().masked_fill(mask != 0, -1.5)
        yield blocks, [In(x), In(mask), Out(want, T), f32(-1.5)]


@kernel("index/one_hot", "one_hot<{T}>", rel=0)
def one_hot(T):
    for blocks, n, c in ((1, 0, 3), (8, 1, 1), (2, 9, 513), (3, 33, 64)):
        ids = integers(1, -1, c + 1, n)
        yield blocks, [In(ids), Out((torch.arange(c) == ids[:, None]).double(), T)]


@kernel("index/triangle", "triangle<{T}>", rel=0)
def triangle(T):
    for blocks, r, c, d in ((1, 0, 3, 0), (8, 1, 1, 0), (2, 9, 2050, 5), (3, 33, 64, -2)):
        x = normal(1, r, c, T=T)
        yield blocks, [In(x), Out(torch.tril(x.double(), d), T), i64(d)]


@kernel("index/concat_columns", "concat_columns<{T}>", rel=0)
def concat_columns(T):
    for blocks, r, a, b in ((1, 0, 3, 2), (8, 1, 1, 1), (2, 9, 1030, 5), (3, 33, 0, 64), (2, 5, 7, 0)):
        x, z = normal(1, r, a, T=T), normal(2, r, b, T=T)
        yield blocks, [In(x), In(z), Out(torch.cat([x, z], 1).double(), T)]


@kernel("index/swap_middle", "swap_middle<{T}>", rel=0)
def swap_middle(T):
    for blocks, a, b, c, d in ((1, 0, 3, 2, 5), (8, 1, 1, 1, 1), (2, 3, 5, 37, 300), (3, 2, 40, 9, 1), (2, 1, 7, 33, 0)):
        x = normal(1, a, b, c, d, T=T)
        yield blocks, [In(x), Out(x.double().transpose(1, 2).contiguous(), T)]


@kernel("index/roll_columns", "roll_columns<{T}>", rel=0)
def roll_columns(T):
    for blocks, r, c, k in ((1, 0, 3, 1), (8, 1, 1, 0), (2, 9, 5000, 4999), (3, 33, 64, 7), (1, 2, 9000, 4100)):
        x = normal(1, r, c, T=T)
        yield blocks, [In(x), Out(torch.roll(x.float(), k, 1).double(), T), i64(k)]


@kernel("index/kv_cache_update", "kv_cache_update<{T}>", rel=0)
def kv_cache_update(T):
    for blocks, b, length, n, c in ((1, 0, 3, 1, 4), (8, 1, 1, 1, 1), (2, 3, 10, 4, 2050), (3, 9, 20, 1, 64)):
        cache, tokens = normal(1, b, length, c, T=T), normal(2, b, n, c, T=T)
        first = integers(3, -1, length + 1, b)
        want = cache.double()
        for i, f in enumerate(first.tolist()):
            for t in range(n):
                if 0 <= f + t < length:
                    want[i, f + t] = tokens[i, t].double()
        yield blocks, [InOut(cache, want), In(tokens), In(first)]


for index, archs in (("i32", ALL), ("i64", SEPARATE)):
    @kernel("index/index_select", f"index_select<{{T}}, {index}>", "index/index_select", archs=archs, rel=0)
    def index_select(T, index=index):
        for blocks, r, w, n in ((1, 0, 5, 3), (8, 1, 1, 1), (2, 130, 37, 20), (3, 7, 300, 33), (2, 5, 7, 40)):
            x, ids = normal(1, r, w, T=T), integers(2, 0, w, n, T=index)
            want = x.double()[:, ids.long()]
            if n == 33:
                x[3, 5], ids[2], ids[7] = math.inf, -1, w
                want = x.double()[:, ids.long().clamp(0, w - 1)]
                want[:, 2], want[:, 7] = 0, 0
            yield blocks, [In(x), In(ids), Out(want, T)]


# --- more ways to move -------------------------------------------------------------
PLANES = ((1, 0, 3, 5), (8, 1, 1, 1), (2, 3, 9, 1030), (3, 2, 20, 64))


@kernel("index/upper_triangle", "upper_triangle<{T}>", rel=0)
def upper_triangle(T):
    for diagonal in (0, -2, 3):
        for blocks, r, c in ((1, 0, 3), (8, 1, 1), (2, 9, 13), (3, 5, 2050)):
            x = normal(1, r, c, T=T)
            yield blocks, [In(x), Out(torch.triu(x.double(), diagonal), T), i64(diagonal)]


@kernel("index/set_diagonal", "set_diagonal<{T}>", rel=0)
def set_diagonal(T):
    for blocks, r, c in ((1, 0, 3), (8, 1, 1), (2, 9, 13), (3, 5, 2050)):
        x = normal(1, r, c, T=T)
        want = x.double().clone()
        want.fill_diagonal_(0.5)
        yield blocks, [In(x), Out(want, T), f32(0.5)]


@kernel("index/pad_columns", "pad_columns<{T}>", rel=0)
def pad_columns(T):
    for blocks, r, c, before, after in ((1, 0, 3, 1, 1), (8, 1, 1, 0, 0), (2, 3, 37, 5, 0), (3, 5, 2050, 3, 70), (1, 2, 0, 4, 3)):
        x = normal(1, r, c, T=T)
        want = torch.nn.functional.pad(x.double(), (before, after), value=0.5)
        yield blocks, [In(x), Out(want, T), i64(before), f32(0.5)]


@kernel("index/pad_planes", "pad_planes<{T}>", rel=0)
def pad_planes(T):
    for blocks, n, r, c in vary(PLANES):
        x = normal(1, n, r, c, T=T)
        want = torch.nn.functional.pad(x.double(), (2, 3, 1, 4), value=-1.0)
        yield blocks, [In(x), Out(want, T), i64(1), i64(2), f32(-1.0)]


@kernel("index/crop_planes", "crop_planes<{T}>", rel=0)
def crop_planes(T):
    for blocks, n, r, c in vary(PLANES):
        x = normal(1, n, r + 3, c + 5, T=T)
        yield blocks, [In(x), Out(x.double()[:, 1:1 + r, 2:2 + c], T), i64(1), i64(2)]


@kernel("index/repeat_rows", "repeat_rows<{T}>", rel=0)
def repeat_rows(T):
    for blocks, r, times, c in ((1, 0, 2, 3), (8, 1, 1, 1), (2, 9, 3, 37), (3, 5, 4, 4097), (2, 3, 0, 5)):
        x = normal(1, r, c, T=T)
        yield blocks, [In(x), Out(x.double()[:, None].expand(r, times, c), T)]


@kernel("index/flip_rows", "flip_rows<{T}>", rel=0)
def flip_rows(T):
    for blocks, r, c in ((1, 0, 3), (8, 1, 1), (2, 9, 37), (3, 5, 4097)):
        x = normal(1, r, c, T=T)
        yield blocks, [In(x), Out(x.double().flip(0), T)]


@kernel("index/linspace", "linspace<{T}>", rel=2, near=2)
def linspace(T):
    for blocks, n in ((1, 0), (8, 1), (2, 63), (3, 8193)):
        yield blocks, [Out(0.5 + torch.arange(n).double() * 0.0625, T), f32(0.5), f32(0.0625)]


@kernel("index/split_halves", "split_halves<{T}>", rel=0)
def split_halves(T):
    for blocks, r, c in ((1, 0, 3), (8, 1, 1), (2, 9, 37), (3, 5, 4097)):
        x = normal(1, r, 2 * c, T=T)
        yield blocks, [In(x), Out(x.double()[:, :c], T), Out(x.double()[:, c:], T)]


def scattered(name, reference, instance, ids, archs, near=0):
    for C, K in ((1, 1), (37, 16), (512, 65)):
        @kernel(f"index/{name}", f"{instance}<{{T}}, {ids}, {C}, {K}>", f"index/{name.split(':')[0]}", archs=archs, rel=2)
        def cases(T, C=C, K=K):
            for blocks, n in ((1, 0), (8, 1), (2, 9)):
                x, updates = normal(1, n, C, T=T), normal(2, n, K, T=T)
                where = integers(3, -2, C + 2, n, K, T=ids)  # repeated, and some outside of the row
                want = x.double().clone()
                for r in range(n):
                    for k, c in enumerate(where[r].tolist()):
                        if 0 <= c < C:
                            want[r, c] = reference(want[r, c], updates[r, k].double())
                yield blocks, [In(x), In(where), In(updates), Out(want, T, near)]


for ids, archs in (("i32", ALL), ("i64", SEPARATE)):
    scattered("scatter", lambda old, new: new, "scatter", ids, archs)
    # Up to 65 sums in order.
    scattered("scatter_add:scatter_add_columns", lambda old, new: old + new, "scatter_add_columns", ids, archs, near=800)
