"""Reductions against NumPy: values, the order of sums, indices, masks, strides."""
import numpy as np
from harness import Batch, covers, expect_failure, main

CTYPE = {
    "float16": "half",
    "float32": "float",
    "int16": "int16_t",
    "uint16": "uint16_t",
    "int32": "int32_t",
    "uint32": "uint32_t",
    "int64": "int64_t",
    "uint64": "uint64_t",
}
ARCHS = (2002, 2201, 3510)
OPS = dict(Sum=0, Max=1, Min=2, SumRegister=3, WholeSum=10, WholeMax=11, WholeMin=12)
OPS.update(BlockSum=13, BlockMax=14, BlockMin=15, PairSum=16, RepeatSum=17)
OPS.update(RepeatSumNew=20, RepeatMaxNew=21, RepeatMinNew=22)
OPS.update(DataBlockSum=23, DataBlockMax=24, DataBlockMin=25, PairNew=26)
VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX = range(4)


def random(dtype, n, seed=0):
    rng = np.random.default_rng(seed)
    if np.issubdtype(dtype, np.floating):
        return rng.uniform(-4, 4, n).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min // 4, info.max // 4, n, dtype=dtype)


def pad(x, value=0):
    """To whole blocks of 32 bytes, which DataCopy moves."""
    per_block = 32 // x.itemsize
    n = -(-len(x) // per_block) * per_block
    return np.concatenate([x, np.full(n - len(x), value, x.dtype)])


def call(op, x, results=64, form=0, mask=0, bits=0, repeat=1, dst_stride=1, blk=1,
         src_stride=8, order=0, index=False, tmp=None, at=0, alias=0, arch=2201):
    """The arguments of one launch of reduce.cpp."""
    x = pad(x)
    words = [bits >> s & 0xFFFFFFFF for s in (0, 32, 64, 96)]
    y = np.full(pad(np.zeros(results, x.dtype)).size, 77, x.dtype)
    tmp = len(x) if tmp is None else tmp
    p = [len(x), len(y), OPS[op], form, mask, *words, repeat, dst_stride, blk,
         src_stride, order, index, max(tmp, 32 // x.itemsize), at, alias]
    params = np.array(p).astype(np.uint32).view(np.int32)
    kernel = f"reduce<{CTYPE[x.dtype.name]}>"
    return dict(source="reduce.cpp", kernel=kernel, ins=[x, params], inouts=[y], soc=arch)


def run_all(cases):
    """cases: pairs of a launch and a function that checks its result."""
    batch = Batch()
    added = [(batch.add(**launch), check) for launch, check in cases]
    batch.run()
    for launch, check in added:
        (y,) = launch.results()
        check(y)


# --- references --------------------------------------------------------------


def tree(row):
    """Neighbours, then sums of neighbours: one rounding per addition."""
    while len(row) > 1:
        row = (row[0::2] + row[1::2]).astype(row.dtype)
    return row[0]


def rows_of(x, active=None):
    """Repeats of 256 bytes; lanes that take no part are zero."""
    lanes = 256 // x.itemsize
    full = np.zeros(-(-len(x) // lanes) * lanes, x.dtype)
    full[: len(x)] = x
    full = full.reshape(-1, lanes)
    return full if active is None else np.where(active, full, x.dtype.type(0))


def in_turn(values):
    total = values[0]
    for v in values[1:]:
        total = values.dtype.type(total + v)
    return total


def by_tree(values):
    lanes = 256 // values.itemsize
    while len(values) > 1:
        values = np.array([tree(r) for r in rows_of(values)], values.dtype)
    return values[0]


def sum_of(x, arch, form):
    rows = rows_of(x)
    sums = np.array([tree(r) for r in rows], x.dtype)
    if arch == 2201 and form == 0:
        return in_turn(sums)
    if arch == 3510 and form == 0 and 256 <= x.nbytes <= 1024:
        return tree(np.array([in_turn(c) for c in rows.T], x.dtype))
    return by_tree(sums)


def same(want):
    want = np.asarray(want)
    return lambda y: np.testing.assert_array_equal(y[: want.size], want.ravel())


def only(places, want, untouched=77):
    """want at places, everything else as it was."""

    def check(y):
        expected = np.full(len(y), untouched, y.dtype)
        expected[places] = want
        np.testing.assert_array_equal(y, expected)

    return check


def with_index(value, index):
    bits = np.array([index], {2: np.uint16, 4: np.uint32, 8: np.uint64}[value.itemsize])
    return np.array([value, bits.view(value.dtype)[0]])


def mask_bits(active):
    return sum(1 << int(i) for i in np.flatnonzero(active))


# --- everything --------------------------------------------------------------


@covers("ReduceSum", forms=("count",), dtypes=("half", "float"), archs=ARCHS, tail=True)
def test_sum_of_count():
    cases = []
    for arch in ARCHS:
        for dtype in (np.float16, np.float32):
            for n in (1, 7, 64, 128, 130, 288, 1000, 8320):
                x = random(dtype, n, seed=n)
                y = sum_of(x, arch, 0)
                # The order is the API's; the sum is near the exact one.
                exact = np.sum(x.astype(np.float64))
                roundings = 7 + len(rows_of(x))  # on the way of one term, at most
                bound = np.finfo(dtype).eps * np.sum(np.abs(x.astype(np.float64)))
                assert abs(float(y) - exact) <= roundings * bound
                cases.append((call("Sum", x, mask=n, arch=arch), only([0], [y])))
    run_all(cases)


@covers("ReduceSum", forms=("mask", "bits"), dtypes=("half", "float"), archs=ARCHS)
def test_sum_of_repeats():
    cases = []
    for arch in ARCHS:
        for dtype in (np.float16, np.float32):
            lanes = 256 // np.dtype(dtype).itemsize
            x = random(dtype, lanes * 65)
            cases.append((call("Sum", x, form=1, mask=lanes, repeat=65, arch=arch),
                          only([0], [sum_of(x, arch, 1)])))
            # A part of each repeat, repeats 4 blocks apart.
            active = np.arange(lanes) < 37
            starts = np.arange(9) * 4 * (lanes // 8)
            rows = np.stack([np.where(active, x[s : s + lanes], dtype(0)) for s in starts])
            want = by_tree(np.array([tree(r) for r in rows], dtype))
            cases.append((call("Sum", x, form=1, mask=37, repeat=9, src_stride=4,
                               arch=arch), only([0], [want])))
            # Bits with holes.
            active = np.random.default_rng(5).random(lanes) < 0.4
            rows = rows_of(x, active)[:33]
            want = by_tree(np.array([tree(r) for r in rows], dtype))
            cases.append((call("Sum", x, form=2, bits=mask_bits(active), repeat=33,
                               arch=arch), only([0], [want])))
    run_all(cases)


@covers("ReduceSum", forms=("register",), dtypes=("half", "float"), archs=(2201,))
def test_sum_with_mask_set_outside():
    x = random(np.float16, 300)
    f = random(np.float32, 300)
    run_all([(call("SumRegister", x, mask=300), only([0], [sum_of(x, 2201, 0)])),
             (call("SumRegister", f, mask=211), only([0], [sum_of(f[:211], 2201, 0)]))])


@covers("ReduceSum", dtypes=("half",))
def test_half_sums_round_and_overflow_at_every_step():
    big = np.array([60000, 60000, -30000, 100] + [0] * 12, np.float16)
    ones = np.full(8320, 1, np.float16)
    run_all([(call("Sum", big, mask=16), only([0], [np.float16(np.inf)])),
             (call("Sum", ones, mask=8320), only([0], [np.float16(8320)]))])


@covers("ReduceMax", "ReduceMin", forms=("count",), dtypes=("half", "float"),
        archs=ARCHS, tail=True)
def test_best_of_count():
    cases = []
    for arch in ARCHS:
        for dtype in (np.float16, np.float32):
            for n in (1, 5, 128, 200, 8320):
                x = random(dtype, n, seed=n)
                for op, arg in (("Max", np.argmax), ("Min", np.argmin)):
                    i = arg(x)
                    cases.append((call(op, x, mask=n, arch=arch), only([0], [x[i]])))
                    cases.append((call(op, x, mask=n, index=True, arch=arch),
                                  only([0, 1], with_index(x[i], i))))
    run_all(cases)


@covers("ReduceMax", "ReduceMin", forms=("mask", "bits"), dtypes=("half", "float"),
        archs=ARCHS)
def test_best_of_repeats():
    cases = []
    for arch in ARCHS:
        for dtype in (np.float16, np.float32):
            lanes = 256 // np.dtype(dtype).itemsize
            x = random(dtype, lanes * 20)
            active = np.random.default_rng(7).random(lanes) < 0.3
            stride = 3 * lanes // 8
            starts = np.arange(11) * stride
            for op, arg, worst in (("Max", np.argmax, -np.inf), ("Min", np.argmin, np.inf)):
                rows = np.stack([np.where(active, x[s : s + lanes], worst) for s in starts])
                r, lane = np.unravel_index(arg(rows), rows.shape)
                want = with_index(dtype(rows[r, lane]), r * stride + lane)
                cases.append((call(op, x, form=2, bits=mask_bits(active), repeat=11,
                                   src_stride=3, index=True, arch=arch),
                              only([0, 1], want)))
                i = arg(x)
                cases.append((call(op, x, form=1, mask=lanes, repeat=20, index=True,
                                   arch=arch), only([0, 1], with_index(x[i], i))))
    run_all(cases)


@covers("ReduceMax", "ReduceMin")
def test_first_of_equals_wins_and_masked_lanes_never():
    x = np.zeros(300, np.float32)
    x[[40, 90, 250]] = 3
    low = np.full(128, -np.inf, np.float16)
    run_all([
        (call("Max", x, mask=300, index=True), only([0, 1], with_index(x[40], 40))),
        (call("Min", x, mask=300, index=True), only([0, 1], with_index(x[0], 0))),
        # All lanes are as low as can be: the first that takes part has it.
        (call("Max", low, form=2, bits=0b11 << 5, index=True),
         only([0, 1], with_index(low[5], 5))),
    ])


@covers("ReduceMax", "ReduceMin")
def test_nan_wins():
    x = random(np.float32, 200)
    x[[70, 150]] = np.nan
    run_all([(call(op, x, mask=200, index=True), same(with_index(x[70], 70)))
             for op in ("Max", "Min")])


@covers("ReduceSum", "ReduceMax", "ReduceMin", forms=("count",), archs=(3510,), tail=True,
        dtypes=("int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"))
def test_integers():
    cases = []
    for dtype in (np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
        x = random(dtype, 999)
        for op, arg in (("Max", np.argmax), ("Min", np.argmin)):
            i = arg(x)
            cases.append((call(op, x, mask=999, index=True, arch=3510),
                          only([0, 1], with_index(x[i], i))))
        if x.itemsize > 2:
            total = np.array(x.sum(dtype=dtype))
            cases.append((call("Sum", x, mask=999, arch=3510), only([0], total)))
    run_all(cases)


def test_the_temporary_is_overwritten():
    """Where the temporary is the source, the source is gone, as on the device."""
    x = random(np.float32, 64 * 9)
    rows = x.reshape(9, 64)
    pairs = np.concatenate([with_index(r.max(), r.argmax()) for r in rows])
    sums = [tree(r) for r in rows]
    show = 2  # the temporary is the source, and comes out instead of the result
    run_all([(call("Max", x, mask=len(x), alias=1), only([0], x.max())),
             (call("Max", x, mask=len(x), alias=show), same(pairs)),
             (call("Max", x, mask=len(x), alias=show, arch=3510), same(x[:64])),
             (call("Sum", x, form=1, mask=64, repeat=9, alias=1),
              only([0], sum_of(x, 2201, 1))),
             (call("Sum", x, form=1, mask=64, repeat=9, alias=show), same(sums)),
             (call("Sum", x, mask=len(x), alias=show), same(x[:64]))])


def test_zero_does_nothing():
    x = random(np.float32, 64)
    nothing = only([], [])
    run_all([(call("Sum", x, mask=0), nothing), (call("Max", x, mask=0), nothing),
             (call("Sum", x, form=1, mask=64, repeat=0), nothing),
             (call("WholeSum", x, form=1, mask=64, repeat=0), nothing),
             (call("WholeMax", x, form=1, mask=0, repeat=1), nothing)])


# --- one result per repeat ---------------------------------------------------


def strided(x, repeats, blk, stride):
    """The repeats that a call with these strides reads."""
    per_block = 32 // x.itemsize
    starts = (np.arange(repeats)[:, None] * stride + np.arange(8) * blk) * per_block
    places = starts[:, :, None] + np.arange(per_block)
    return x[places.reshape(repeats, -1)]


@covers("WholeReduceSum", "ReduceRepeat", "RepeatReduceSum", forms=("mask", "bits"),
        dtypes=("half", "float"), archs=ARCHS)
def test_sum_of_each_repeat():
    cases = []
    for arch in ARCHS:
        for dtype in (np.float16, np.float32):
            lanes = 256 // np.dtype(dtype).itemsize
            x = random(dtype, lanes * 24)
            active = np.random.default_rng(3).random(lanes) < 0.5
            for op in ("WholeSum", "RepeatSumNew"):
                want = [tree(r) for r in rows_of(x)[:24]]
                cases.append((call(op, x, form=1, mask=lanes, repeat=24, arch=arch),
                              only(np.arange(24), want)))
                rows = np.where(active, strided(x, 5, 2, 17), dtype(0))
                want = [tree(r) for r in rows]
                cases.append((call(op, x, form=2, bits=mask_bits(active), repeat=5,
                                   dst_stride=3, blk=2, src_stride=17, arch=arch),
                              only(np.arange(5) * 3, want)))
            want = [tree(np.where(np.arange(lanes) < 19, r, dtype(0))) for r in rows_of(x)[:6]]
            cases.append((call("RepeatSum", x, form=1, mask=19, repeat=6, dst_stride=2,
                               arch=arch), only(np.arange(6) * 2, want)))
    run_all(cases)


@covers("WholeReduceMax", "WholeReduceMin", "ReduceRepeat", forms=("mask", "bits"),
        dtypes=("half", "float"), archs=ARCHS)
def test_best_of_each_repeat():
    cases = []
    for arch in ARCHS:
        orders = (VALUE_INDEX, INDEX_VALUE) if arch == 2002 else range(4)
        for dtype in (np.float16, np.float32):
            lanes = 256 // np.dtype(dtype).itemsize
            x = random(dtype, lanes * 20)
            active = np.random.default_rng(4).random(lanes) < 0.5
            rows = strided(x, 4, 2, 18)
            for op, arg, worst in (("Max", np.argmax, -np.inf), ("Min", np.argmin, np.inf)):
                best = [arg(np.where(active, r, worst)) for r in rows]
                pairs = [with_index(r[i], i) for r, i in zip(rows, best)]
                for order in orders:
                    for name in (f"Whole{op}", f"Repeat{op}New"):
                        cases.append((call(name, x, form=2, bits=mask_bits(active),
                                           repeat=4, dst_stride=2, blk=2, src_stride=18,
                                           order=order, arch=arch),
                                      ordered(order, pairs, best, dtype)))
    run_all(cases)


def ordered(order, pairs, best, dtype):
    """Four results two strides apart, as `order` lays them out."""
    n = np.arange(4)
    if order == ONLY_VALUE:
        return only(n * 2, [p[0] for p in pairs])
    if order == ONLY_INDEX:
        unit = 4 // np.dtype(dtype).itemsize  # indices are always 32 bits wide
        words = np.array(best, np.uint32).view(dtype).reshape(4, unit)
        return only((n[:, None] * 2 * unit + np.arange(unit)).ravel(), words.ravel())
    flip = 1 if order == VALUE_INDEX else -1
    places = (n[:, None] * 4 + np.arange(2)).ravel()
    return only(places, np.array([p[::flip] for p in pairs]).ravel())


@covers("WholeReduceSum", "WholeReduceMax", forms=("register",), dtypes=("half", "float"))
def test_each_repeat_with_mask_set_outside():
    cases = []
    for dtype in (np.float16, np.float32):
        lanes = 256 // np.dtype(dtype).itemsize
        x = random(dtype, lanes * 3)
        active = np.arange(lanes) % 3 == 1
        rows = rows_of(x, active)
        bits = mask_bits(active)
        cases.append((call("WholeSum", x, form=3, bits=bits, repeat=3),
                      only(np.arange(3), [tree(r) for r in rows])))
        best = [np.argmax(np.where(active, r, -np.inf)) for r in rows_of(x)]
        want = np.concatenate([with_index(r[i], i) for r, i in zip(rows, best)])
        cases.append((call("WholeMax", x, form=3, bits=bits, repeat=3),
                      only(np.arange(6), want)))
    run_all(cases)


@covers("WholeReduceSum", "ReduceRepeat", dtypes=("int16_t", "uint16_t"), archs=(3510,))
def test_narrow_integers_into_wide_sums():
    batch = Batch()
    cases = []
    for wide, narrow in ((np.int32, np.int16), (np.uint32, np.uint16)):
        x = random(narrow, 128 * 8)
        kernel = f"widen<{CTYPE[np.dtype(narrow).name]}>"
        want = x.reshape(8, 128)[:, :100].sum(axis=1, dtype=wide)
        launch = batch.add("wide.cpp", kernel=kernel, ins=[x], soc=3510,
                           outs=[("i32" if wide is np.int32 else "u32", 8)],
                           scalars=[("i32", 1024), ("i32", 100)])
        cases.append((launch, want))
    batch.run()
    for launch, want in cases:
        np.testing.assert_array_equal(launch.results()[0], want)


# --- one result per block or pair --------------------------------------------


@covers("BlockReduceSum", "BlockReduceMax", "BlockReduceMin", "ReduceDataBlock",
        forms=("mask", "bits"), dtypes=("half", "float"), archs=ARCHS)
def test_blocks():
    reducers = {"Sum": tree, "Max": np.max, "Min": np.min}
    cases = []
    for arch in ARCHS:
        for dtype in (np.float16, np.float32):
            lanes = 256 // np.dtype(dtype).itemsize
            x = random(dtype, lanes * 10)
            rows = strided(x, 3, 3, 25).reshape(24, -1)
            for op, reducer in reducers.items():
                want = [reducer(b) for b in rows]
                places = (np.arange(3)[:, None] * 16 + np.arange(8)).ravel()
                for name in (f"Block{op}", f"DataBlock{op}"):
                    cases.append((call(name, x, form=1, mask=lanes, repeat=3, dst_stride=2,
                                       blk=3, src_stride=25, arch=arch),
                                  only(places, want)))
    run_all(cases)


@covers("BlockReduceSum", "BlockReduceMax", "ReduceDataBlock", forms=("bits",))
def test_blocks_without_lanes():
    """Left alone on 2002 and 2201, a neutral value on 3510."""
    cases = []
    for arch in ARCHS:
        x = random(np.float32, 64)
        active = np.zeros(64, bool)
        active[[3, 5, 9, 40, 41, 47]] = True
        for op, neutral, reducer in (("Sum", 0, tree), ("Max", -np.inf, np.max),
                                     ("Min", np.inf, np.min)):
            rows = np.where(active, x, np.float32(neutral)).reshape(8, 8)
            full = np.array([reducer(r) for r in rows])
            some = active.reshape(8, 8).any(axis=1)
            want = full if arch == 3510 else np.where(some, full, np.float32(77))
            cases.append((call(f"Block{op}", x, form=2, bits=mask_bits(active), arch=arch),
                          only(np.arange(8), want)))
    run_all(cases)


@covers("PairReduceSum", "ReducePairElem", forms=("mask", "bits"), dtypes=("half", "float"),
        archs=ARCHS, tail=True)
def test_pairs():
    cases = []
    for arch in ARCHS:
        for dtype in (np.float16, np.float32):
            lanes = 256 // np.dtype(dtype).itemsize
            x = random(dtype, lanes * 3)
            active = np.arange(lanes) < 23  # the last pair has one lane only
            rows = rows_of(x, active)
            sums = rows[:, 0::2] + rows[:, 1::2]
            some = np.arange(lanes // 2) < 12
            rest = dtype(0 if arch == 3510 else 77)
            want = np.where(some, sums, rest).ravel()
            for op in ("PairSum", "PairNew"):
                cases.append((call(op, x, results=3 * lanes // 2, form=1, mask=23, repeat=3,
                                   arch=arch), only(np.arange(want.size), want)))
                cases.append((call(op, x, results=3 * lanes // 2, form=2,
                                   bits=mask_bits(active), repeat=3, arch=arch),
                              only(np.arange(want.size), want)))
    run_all(cases)


# --- the scalar unit's registers ---------------------------------------------


def scalar_case(batch, kernel, x, op, arch=2201, results=16):
    kind = {2: "f16", 4: "f32"}[x.itemsize]
    return batch.add("registers.cpp", kernel=f"{kernel}<{CTYPE[x.dtype.name]}>", ins=[x],
                     inouts=[np.full(results, 77, x.dtype)] if kernel == "raw" else [],
                     outs=[] if kernel == "raw" else [(kind, results)],
                     scalars=[("i32", len(x)), ("i32", op)], soc=arch)


@covers("GetReduceRepeatSumSpr", "GetAccVal", "GetReduceRepeatMaxMinSpr",
        "GetReduceMaxMinCount", "vcadd", "get_acc_val", dtypes=("half", "float"))
def test_registers():
    batch, cases = Batch(), []
    for dtype in (np.float16, np.float32):
        lanes = 256 // np.dtype(dtype).itemsize
        x = random(dtype, lanes * 5)
        total = in_turn(np.array([tree(r) for r in rows_of(x)], dtype))
        high, low = np.argmax(x), np.argmin(x)
        for op, arch, want in ((0, 2201, [total, total]), (4, 2201, [total, total]),
                               (1, 2201, with_index(x[high], high)),
                               (2, 2201, with_index(x[low], low)),
                               (3, 2002, [x[high], 0])):
            cases.append((scalar_case(batch, "registers", x, op, arch), want))
        short = sum_of(x, 3510, 0)
        cases.append((scalar_case(batch, "registers", x, 0, 3510), [short, short]))
    batch.run()
    for launch, want in cases:
        np.testing.assert_array_equal(launch.results()[0][:2], want)


@covers("vcadd", "vcmax", "vcmin", "vcgadd", "vcgmax", "vcgmin", "vcpadd",
        dtypes=("half", "float"))
def test_names_of_the_compiler():
    batch, cases = Batch(), []
    for dtype in (np.float16, np.float32):
        lanes = 256 // np.dtype(dtype).itemsize
        x = random(dtype, lanes * 4)
        rows, blocks = x.reshape(4, lanes), x.reshape(32, -1)
        wants = [
            [tree(r) for r in rows],
            np.concatenate([with_index(r.max(), r.argmax()) for r in rows]),
            rows.min(axis=1),
            [tree(b) for b in blocks],
            blocks.max(axis=1),
            blocks.min(axis=1),
            x[0::2] + x[1::2],
        ]
        for op, want in enumerate(wants):
            cases.append((scalar_case(batch, "raw", x, op, results=len(x)), want))
    batch.run()
    for launch, want in cases:
        (y,) = launch.results()
        np.testing.assert_array_equal(y[: len(want)], want)
        np.testing.assert_array_equal(y[len(want) :], 77)


# --- errors ------------------------------------------------------------------


def fails(ident, op, x, contains=(), line=None, **kwargs):
    launch = call(op, x, **kwargs)
    expect_failure(ident, launch.pop("source"), contains=contains, line=line, **launch)


def test_bad_calls_are_refused():
    x = random(np.float32, 640)
    h = random(np.float16, 1280)
    fails("misaligned-address", "WholeMax", x, form=1, mask=64, at=1)  # 8 bytes
    fails("misaligned-address", "BlockSum", x, form=1, mask=64, at=4)  # 32 bytes
    fails("bad-repeat", "WholeSum", x, "repeatTime 256", form=1, mask=64, repeat=256)
    fails("bad-repeat", "Sum", x, "srcRepStride", form=1, mask=64, src_stride=65536)
    fails("bad-repeat", "Max", x, "count -1", mask=-1)
    fails("bad-mask", "Sum", x, "65", form=1, mask=65)
    fails("local-out-of-bounds", "Sum", x, form=1, mask=64, repeat=900, src_stride=8)
    fails("unsupported-dtype", "Sum", random(np.int32, 64), mask=64)
    fails("unsupported-dtype", "Max", random(np.int16, 64), mask=64)
    fails("unsupported-dtype", "BlockSum", random(np.int32, 64), form=1, mask=64, arch=3510)
    fails("unsupported-api", "WholeMax", x, form=1, mask=64, order=ONLY_VALUE, arch=2002)
    fails("local-out-of-bounds", "Max", h, ("sharedTmpBuffer", "64 bytes"), mask=1280, tmp=16)
    fails("local-out-of-bounds", "Sum", x, "sharedTmpBuffer", form=1, mask=64, repeat=9,
          tmp=8, line="// mask form")


def test_good_calls_are_not():
    x = random(np.float32, 640)
    h = random(np.float16, 1280)
    rows = rows_of(x)
    run_all([
        (call("WholeMax", x, form=1, mask=64, at=2), only([2, 3], with_index(x[:64].max(), x[:64].argmax()))),
        (call("WholeSum", x, form=1, mask=64, at=1), only([1], [tree(rows[0])])),
        (call("BlockSum", x, form=1, mask=64, at=8), only(np.arange(8) + 8, [tree(b) for b in x[:64].reshape(8, 8)])),
        # 20 pairs and 2 steps more fit; the count form of 2201 needs nothing.
        (call("Max", h, mask=1280, index=True, tmp=48), only([0, 1], with_index(h.max(), h.argmax()))),
        (call("Sum", h, mask=1280, tmp=0), only([0], [sum_of(h, 2201, 0)])),
        (call("Max", h, mask=1280, tmp=0, arch=3510), only([0], [h.max()])),
    ])


def test_indices_of_half_must_fit_16_bits():
    n = 65536 + 128
    x = np.zeros(n, np.float16)
    x[4] = 1
    fails("bad-repeat", "Max", x, "index 65663", mask=n, index=True, alias=1, tmp=16, arch=2002)
    run_all([(call("Max", x, mask=n, alias=1, tmp=16, arch=2002), only([0], [1])),
             (call("Max", x, mask=65536, index=True, alias=1, tmp=16, arch=2002),
              only([0, 1], with_index(x[4], 4)))])


def test_registers_exist_where_the_architecture_has_them():
    x = random(np.float32, 128)
    shared = dict(kernel="registers<float>", ins=[x], outs=[("f32", 16)])
    for op, arch in ((0, 2002), (1, 2002), (1, 3510), (3, 2201)):
        expect_failure("unsupported-api", "registers.cpp", soc=arch,
                       scalars=[("i32", 128), ("i32", op)], **shared)


if __name__ == "__main__":
    main()
