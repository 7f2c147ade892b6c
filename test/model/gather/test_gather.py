"""Gather, Gatherb, Scatter and GatherMask against NumPy's indexing."""
import numpy as np
from harness import BF16, Batch, covers, expect_failure, main, run, to_bf16

CTYPE = {"float16": "half", "float32": "float"}
ARCHS = (2002, 2201, 3510)
GATHER, SCATTER, GATHERB, BUILT_IN, TENSOR, WRONG_PATTERN = range(6)


def ctype(x):
    if isinstance(x, BF16):
        return "bfloat16_t"
    return CTYPE.get(x.dtype.name, f"{x.dtype.name}_t")


def random(dtype, n, seed=0):
    rng = np.random.default_rng(seed)
    if dtype == "bf16":
        return to_bf16(rng.uniform(-4, 4, n))
    if np.issubdtype(dtype, np.floating):
        return rng.uniform(-4, 4, n).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)


def like(x, n, value=77):
    return np.full(n, value, x.dtype).view(type(x))


def blocks(n, size):
    per_block = 32 // size
    return -(-n // per_block) * per_block


def call(op, x, offsets=(0,), results=64, form=0, mask=0, bits=0, repeat=1, dst_stride=8,
         blk=1, src_stride=8, pattern_stride=0, base=0, pattern=0, counter=False,
         same=False, x_at=0, arch=2201):
    """The arguments of one launch of gather.cpp."""
    padded = like(x, blocks(len(x), x.itemsize), 0)
    padded[: len(x)] = x
    table = np.zeros(blocks(len(offsets), 4), np.uint32)
    table[: len(offsets)] = offsets
    y = like(x, blocks(results, x.itemsize))
    words = [bits >> s & 0xFFFFFFFF for s in (0, 32, 64, 96)]
    p = [len(padded), len(y), len(table), op, form, mask, *words, repeat, dst_stride, blk,
         src_stride, pattern_stride, base, pattern, counter, same, x_at]
    params = np.array(p).astype(np.uint32).view(np.int32)
    return dict(source="gather.cpp", kernel=f"gather<{ctype(x)}>", ins=[padded, table, params],
                inouts=[y], outs=[("u64", 1)], soc=arch)


def run_all(cases):
    batch = Batch()
    added = [(batch.add(**launch), check) for launch, check in cases]
    batch.run()
    for launch, check in added:
        check(*launch.results())


def only(places, want):
    """want at places, everything else as it was."""

    def check(y, n):
        expected = np.full(len(y), 77, y.dtype)
        expected[places] = want
        np.testing.assert_array_equal(np.asarray(y), expected)

    return check


def mask_bits(active):
    return sum(1 << int(i) for i in np.flatnonzero(active))


def types_of(arch, extra=()):
    types = [np.int16, np.uint16, np.float16, np.int32, np.uint32, np.float32]
    if arch != 2002:
        types.append("bf16")
    return types + (list(extra) if arch == 3510 else [])


# --- Gather ------------------------------------------------------------------


@covers("Gather", forms=("count",), archs=ARCHS, tail=True,
        dtypes=("int8_t", "uint8_t", "int16_t", "uint16_t", "half", "bfloat16_t", "int32_t",
                "uint32_t", "float", "int64_t", "uint64_t"))
def test_gather_count():
    cases = []
    wide = (np.int8, np.uint8, np.int64, np.uint64)
    for arch in ARCHS:
        for dtype in types_of(arch, wide):
            x = random(dtype, 500)
            for n in (1, 33, 1000):
                places = np.random.default_rng(n).integers(0, 490, n)
                # The last ten are out of the offsets' reach, not of the base's.
                want = np.asarray(x)[places + 10]
                cases.append((call(GATHER, x, places * x.itemsize, n, mask=n,
                                   base=10 * x.itemsize, arch=arch), only(np.arange(n), want)))
    run_all(cases)


@covers("Gather", forms=("mask", "bits"), dtypes=("half", "float"), archs=ARCHS)
def test_gather_repeats():
    cases = []
    for arch in ARCHS:
        for dtype in (np.float16, np.float32):
            x = random(dtype, 700)
            lanes = 256 // x.itemsize
            places = np.random.default_rng(1).integers(0, 700, (3, lanes))
            starts = np.arange(3)[:, None] * 9 * (32 // x.itemsize)
            active = np.random.default_rng(2).random(lanes) < 0.4
            for form, mask, on in ((1, 45, np.arange(lanes) < 45), (2, 0, active)):
                to = (starts + np.arange(lanes))[:, on].ravel()
                cases.append((call(GATHER, x, (places * x.itemsize).ravel(), results=4 * lanes,
                                   form=form, mask=mask, bits=mask_bits(on), repeat=3,
                                   dst_stride=9, arch=arch), only(to, x[places[:, on].ravel()])))
    run_all(cases)


@covers("Gatherb", dtypes=("uint16_t", "uint32_t", "half", "float", "int8_t", "int64_t"),
        archs=(2201, 3510))
def test_gather_blocks():
    cases = []
    for arch in (2201, 3510):
        more = [np.float16, np.float32, np.int8, np.int64] if arch == 3510 else []
        for dtype in [np.uint16, np.uint32] + more:
            x = random(dtype, 1024)
            per_block = 32 // x.itemsize
            source = np.asarray(x).reshape(-1, per_block)
            picks = np.random.default_rng(3).integers(0, len(source), 24)
            for blk, rep in ((1, 8), (2, 17), (0, 8)):  # a block stride of 0 means 1
                to = np.arange(3)[:, None] * rep + np.arange(8) * max(blk, 1)
                to = (to.ravel()[:, None] * per_block + np.arange(per_block)).ravel()
                cases.append((call(GATHERB, x, picks * 32, results=50 * per_block, repeat=3,
                                   blk=blk, dst_stride=rep, arch=arch),
                              only(to, source[picks].ravel())))
    run_all(cases)


# --- Scatter -----------------------------------------------------------------


@covers("Scatter", forms=("count",), archs=(2002, 3510), tail=True,
        dtypes=("uint16_t", "half", "uint32_t", "float", "int8_t", "bfloat16_t", "int64_t"))
def test_scatter_count():
    cases = []
    for arch in (2002, 3510):
        types = [np.uint16, np.float16, np.uint32, np.float32]
        for dtype in types + ([np.int8, "bf16", np.int64, np.int32] if arch == 3510 else []):
            for n in (1, 77, 300):
                x = random(dtype, n)
                places = np.random.default_rng(n).permutation(400)[:n]
                cases.append((call(SCATTER, x, places * x.itemsize, results=420, mask=n,
                                   base=8 * x.itemsize, arch=arch),
                              only(places + 8, np.asarray(x))))
    run_all(cases)


@covers("Scatter", forms=("mask", "bits"), dtypes=("half", "float"), archs=(2002, 3510))
def test_scatter_repeats():
    cases = []
    for arch in (2002, 3510):
        for dtype in (np.float16, np.float32):
            lanes = 256 // np.dtype(dtype).itemsize
            x = random(dtype, lanes * 3)
            per_block = 32 // x.itemsize
            places = np.random.default_rng(4).permutation(lanes * 2).reshape(2, lanes)
            sources = np.arange(2)[:, None] * 11 * per_block + np.arange(lanes)
            active = np.random.default_rng(5).random(lanes) < 0.6
            for form, mask, on in ((1, 21, np.arange(lanes) < 21), (2, 0, active)):
                cases.append((call(SCATTER, x, (places * x.itemsize).ravel(),
                                   results=lanes * 2, form=form, mask=mask,
                                   bits=mask_bits(on), repeat=2, src_stride=11, arch=arch),
                              only(places[:, on].ravel(), x[sources[:, on].ravel()])))
    run_all(cases)


# --- GatherMask --------------------------------------------------------------

BUILT_IN_KEEPS = {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3), 7: (1, 0)}


def packed(want):
    def check(y, n):
        assert n[0] == len(want), f"{n[0]} elements kept instead of {len(want)}"
        only(np.arange(len(want)), want)(y, n)

    return check


@covers("GatherMask", forms=("pattern",), archs=ARCHS,
        dtypes=("int8_t", "uint8_t", "int16_t", "uint16_t", "half", "bfloat16_t", "int32_t",
                "uint32_t", "float"))
def test_built_in_patterns():
    cases = []
    for arch in ARCHS:
        for dtype in types_of(arch, (np.int8, np.uint8)):
            x = random(dtype, 4 * 256 // (1 if dtype == np.int8 else 2))
            lanes = 256 // x.itemsize
            for pattern, (step, first) in BUILT_IN_KEEPS.items():
                if pattern == 7 and arch == 2002:
                    continue
                want = np.asarray(x)[: 2 * lanes][first::step]
                cases.append((call(BUILT_IN, x, results=2 * lanes, pattern=pattern, repeat=2,
                                   arch=arch), packed(want)))
    run_all(cases)


@covers("GatherMask", forms=("pattern",), dtypes=("half", "float"))
def test_strides_of_the_source():
    cases = []
    for dtype in (np.float16, np.float32):
        x = random(dtype, 2048)
        source = x.reshape(-1, 32 // x.itemsize)
        rows = np.concatenate([source[r * 20 : r * 20 + 16 : 2].ravel() for r in range(3)])
        cases.append((call(BUILT_IN, x, results=600, pattern=4, repeat=3, blk=2,
                           src_stride=20), packed(rows[1::4])))
    run_all(cases)


@covers("GatherMask", forms=("tensor",), dtypes=("half", "float", "int32_t"), archs=ARCHS)
def test_pattern_in_a_tensor():
    cases = []
    for arch in ARCHS:
        for dtype in (np.float16, np.float32, np.int32):
            x = random(dtype, 640)
            lanes = 256 // x.itemsize
            keep = np.random.default_rng(6).random(3 * 256) < 0.3
            words = np.packbits(keep, bitorder="little").view(np.uint32)
            # Each repeat takes its bits one block of 256 bits further.
            used = np.stack([keep[r * 256 : r * 256 + lanes] for r in range(3)])
            want = x[: 3 * lanes][used.ravel()]
            cases.append((call(TENSOR, x, words, results=400, repeat=3, pattern_stride=1,
                               arch=arch), packed(want)))
            # Or the same bits again.
            want = x[: 3 * lanes][np.tile(keep[:lanes], 3)]
            cases.append((call(TENSOR, x, words, results=400, repeat=3, pattern_stride=0,
                               arch=arch), packed(want)))
    run_all(cases)


@covers("GatherMask", forms=("counter",), dtypes=("half", "float"), archs=ARCHS, tail=True)
def test_counter_mode():
    cases = []
    for dtype in (np.float16, np.float32):
        x = random(dtype, 1000)
        keep = np.random.default_rng(7).random(1024) < 0.5
        words = np.packbits(keep, bitorder="little").view(np.uint32)
        for arch in (2201, 3510):  # 70 elements of each repeat
            per_block = 32 // x.itemsize
            rows = np.stack([x[r * 8 * per_block :][:70] for r in range(2)])
            cases.append((call(TENSOR, x, words, results=200, counter=True, mask=70, repeat=2,
                               arch=arch), packed(rows[:, keep[:70]].ravel())))
            cases.append((call(BUILT_IN, x, results=200, counter=True, mask=70, repeat=2,
                               pattern=2, arch=arch), packed(rows[:, 1::2].ravel())))
            # One repeat of any length, as most kernels call it.
            cases.append((call(TENSOR, x, words, results=999, counter=True, mask=999,
                               repeat=1, src_stride=0, arch=arch),
                          packed(x[:999][keep[:999]])))
        # On 2002 the mask counts all elements, and repeats follow from it.
        cases.append((call(BUILT_IN, x, results=999, counter=True, mask=301, repeat=7,
                           pattern=3, arch=2002), packed(x[:301][0::4])))
    run_all(cases)


@covers("GatherMask", dtypes=("float",))
def test_in_place():
    x = random(np.float32, 256)
    launch = call(BUILT_IN, x, results=256, pattern=2, repeat=4, same=True)

    def check(y, n):
        np.testing.assert_array_equal(y[:128], x[1::2])
        np.testing.assert_array_equal(y[128:], x[128:])

    run_all([(launch, check)])


def test_normal_mode_afterwards():
    x = random(np.float32, 128)
    (y,) = run("gather.cpp", kernel="mode_after", ins=[x], inouts=[np.full(128, 7, np.float32)])
    want = np.full(128, 7, np.float32)
    on = [i for i in range(64) if 100 >> i & 1]
    want[on] = x[on] + np.float32(1)
    np.testing.assert_array_equal(y, want)


# --- errors ------------------------------------------------------------------


def fails(ident, op, x, contains=(), line=None, **kwargs):
    launch = call(op, x, **kwargs)
    expect_failure(ident, launch.pop("source"), contains=contains, line=line, **launch)


def test_bad_offsets_are_refused():
    x = random(np.float16, 160)
    offsets = np.arange(160) * 2
    offsets[131] = 320
    fails("local-out-of-bounds", GATHER, x, ("offset 320", "lane 3 of repeat 1", "320 bytes"),
          line="// count form", offsets=offsets, mask=160, results=160)
    offsets[131] = 7
    fails("misaligned-address", GATHER, x, ("offset 7", "lane 3"), offsets=offsets, mask=160,
          results=160)
    fails("local-out-of-bounds", GATHERB, random(np.uint16, 160), "offset 320",
          offsets=[0, 32, 64, 96, 128, 160, 192, 320], results=256)
    fails("misaligned-address", GATHERB, random(np.uint16, 160), "offset 48",
          offsets=[0, 32, 48, 96, 128, 160, 192, 224], results=256)
    fails("scatter-conflict", SCATTER, x, "offset 4", line="// scatter", arch=3510,
          offsets=[0, 2, 4, 6, 4], mask=5)
    fails("local-out-of-bounds", SCATTER, x, "offset 128", arch=3510, offsets=[0, 128], mask=2)
    big = np.zeros(70000, np.float16)
    fails("local-out-of-bounds", GATHER, big, "131071", offsets=[131072], mask=1, arch=3510)


def test_good_offsets_are_not():
    x = random(np.float16, 160)
    offsets = np.arange(160)[::-1] * 2
    u = random(np.uint16, 160)
    picks = np.array([0, 9, 2, 3, 4, 5, 6, 7])
    big = random(np.float16, 70000)
    run_all([
        (call(GATHER, x, offsets, 160, mask=160), only(np.arange(160), x[::-1])),
        (call(GATHERB, u, picks * 32, results=128),
         only(np.arange(128), u.reshape(-1, 16)[picks].ravel())),
        (call(SCATTER, x, [0, 2, 4, 6, 126], mask=5, arch=3510),
         only([0, 1, 2, 3, 63], x[:5])),
        (call(GATHER, big, [131070], mask=1, arch=3510), only([0], big[65535])),
    ])


def test_in_place():
    """Spreads the first element of each block over it: any order gives the same."""
    for x in (random(np.float32, 200), random(np.float16, 208)):
        per_block = 32 // x.itemsize
        firsts = np.arange(len(x)) // per_block * per_block
        spread = call(GATHER, x, firsts * x.itemsize, len(x), mask=len(x), same=True)
        run_all([(spread, only(np.arange(len(x)), x[firsts]))])
        expect_failure("operand-overlap", sanitize=True, **spread)
        firsts[-1] -= 1  # which the lane before it changes
        shifted = call(GATHER, x, firsts * x.itemsize, len(x), mask=len(x), same=True)
        expect_failure("operand-overlap", **shifted)


def test_bad_calls_are_refused():
    x = random(np.float32, 128)
    fails("operand-overlap", GATHER, x, offsets=np.arange(64)[::-1] * 4, mask=64, same=True)
    fails("misaligned-address", GATHER, x, "source", offsets=[0] * 8, mask=8, x_at=2)
    fails("unsupported-api", SCATTER, x, "2201", offsets=[0], mask=1)
    fails("unsupported-api", GATHERB, random(np.uint32, 64), offsets=[0] * 8, arch=2002)
    fails("unsupported-dtype", GATHERB, x, offsets=[0] * 8)
    fails("unsupported-dtype", GATHER, random(np.int8, 64), offsets=[0], mask=1)
    fails("unsupported-dtype", GATHER, random("bf16", 64), offsets=[0], mask=1, arch=2002)
    fails("unsupported-api", BUILT_IN, x, "pattern 8", pattern=8, results=128)
    fails("unsupported-api", BUILT_IN, x, "pattern 7", pattern=7, results=128, arch=2002)
    fails("bad-mask", BUILT_IN, x, pattern=1, counter=True, mask=0)
    fails("unsupported-dtype", WRONG_PATTERN, x, "int64_t")
    fails("local-out-of-bounds", BUILT_IN, x, pattern=1, counter=True, mask=2**30)


if __name__ == "__main__":
    main()
