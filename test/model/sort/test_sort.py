"""Sorting and merging against NumPy's stable argsort."""
import numpy as np
from harness import BF16, Batch, covers, expect_failure, from_bf16, main, to_bf16

CTYPE = {"float16": "half", "float32": "float"}
SORT32, PARTS, FULL, MERGE, MERGE_LIST, MERGE4, CONCAT, EXTRACT, RP_SORT, SIZES = range(10)


def call(op, x, index=(), y=64, repeat=1, queues=(0, 0, 0, 0), lengths=(0, 0, 0, 0),
         suspend=False, valid=15, mode=4, y_in_x=-1, arch=2201):
    """The arguments of one launch of sort.cpp."""
    per_block = 32 // x.itemsize
    padded = np.zeros(max(-(-len(x) // per_block) * per_block, per_block), x.dtype)
    padded[: len(x)] = x
    n = max(len(index), 8)
    table = np.zeros(-(-n // 8) * 8, np.uint32)
    table[: len(index)] = index
    out = np.full(-(-y // per_block) * per_block, 77, x.dtype)
    p = [len(padded), len(out), len(table), op, repeat, *queues, *lengths, suspend, valid,
         mode, y_in_x, len(x) // 16]
    return dict(source="sort.cpp", kernel=f"sort<{CTYPE[x.dtype.name]}>",
                ins=[padded, table, np.array(p, np.int32)],
                inouts=[out, np.full(len(table), 88, np.uint32)], soc=arch)


def run_all(cases):
    batch = Batch()
    added = [(batch.add(**launch), check) for launch, check in cases]
    batch.run()
    for launch, check in added:
        check(*launch.results())


def scores(dtype, n, seed=0):
    """With many equal ones."""
    return (np.random.default_rng(seed).integers(-40, 40, n) / 4).astype(dtype)


def falling(x):
    """Places by falling score; equals in order, NaN first."""
    return np.lexsort((np.arange(len(x)), -x.astype(np.float64), ~np.isnan(x)))


def pairs(x, index):
    """Records of 8 bytes: the score low, the index high, zeros between."""
    words = np.zeros((len(x), 2), np.uint32)
    bits = x.view({2: np.uint16, 4: np.uint32}[x.itemsize])
    words[:, 0] = bits
    words[:, 1] = index
    return words.view(x.dtype).reshape(len(x), 8 // x.itemsize)


def proposals(x, label=None, seed=1):
    """Records of eight elements with the score in the fifth."""
    records = np.random.default_rng(seed).uniform(-9, 9, (len(x), 8)).astype(x.dtype)
    records[:, 4] = x
    return records


def bits(a):
    return np.ascontiguousarray(a).ravel().view({2: np.uint16, 4: np.uint32}[a.itemsize])


def starts_with(want, rest=77):
    def check(y, n):
        flat = np.asarray(want, y.dtype).ravel()
        np.testing.assert_array_equal(bits(y[: flat.size]), bits(flat))
        np.testing.assert_array_equal(y[flat.size :], rest)

    return check


# --- sorting -----------------------------------------------------------------


@covers("Sort32", dtypes=("half", "float"), archs=(2201, 3510))
def test_sort32():
    cases = []
    for arch in (2201, 3510):
        for dtype in (np.float16, np.float32):
            for repeat in (1, 5):
                n = 32 * repeat
                x = scores(dtype, n)
                index = np.random.default_rng(2).integers(0, 2**32, n, dtype=np.uint32)
                order = np.concatenate([falling(x[r : r + 32]) + r for r in range(0, n, 32)])
                want = pairs(x[order], index[order])
                cases.append((call(SORT32, x, index, want.size, repeat, arch=arch),
                              starts_with(want)))
    run_all(cases)


@covers("Sort32", dtypes=("float",))
def test_nan_and_infinity():
    x = scores(np.float32, 32)
    x[[3, 20]] = np.nan
    x[7], x[9], x[11], x[12] = np.inf, -np.inf, 0.0, -0.0
    index = np.arange(32, dtype=np.uint32)
    order = falling(x)
    assert list(order[:3]) == [3, 20, 7] and order[-1] == 9
    run_all([(call(SORT32, x, index, 64), starts_with(pairs(x[order], index[order])))])


@covers("Sort", "Concat", "Extract", dtypes=("half", "float"), archs=(2002, 2201, 3510))
def test_sort_and_extract():
    cases = []
    for arch in (2002, 2201, 3510):
        each = 16 if arch == 2002 else 32
        for dtype in (np.float16, np.float32):
            n = each * 8
            x = scores(dtype, n)
            index = np.random.default_rng(3).integers(0, 2**32, n, dtype=np.uint32)
            parts = np.concatenate([falling(x[r : r + each]) + r for r in range(0, n, each)])
            for op, order in ((PARTS, parts), (FULL, falling(x))):
                cases.append((call(op, x, index, n, 8, arch=arch),
                              values_and_indices(x[order], index[order])))
    run_all(cases)


def values_and_indices(values, indices):
    def check(y, n):
        np.testing.assert_array_equal(y[: len(values)], values)
        np.testing.assert_array_equal(n[: len(indices)], indices)

    return check


@covers("GetSortLen", "GetSortOffset", dtypes=("half", "float"), archs=(2002, 2201))
def test_sizes_are_elements():
    def check(each):
        return lambda y, n: np.testing.assert_array_equal(n[:2], [100 * each, 32 * each])

    run_all([(call(SIZES, np.zeros(16, np.float16)), check(4)),
             (call(SIZES, np.zeros(16, np.float32)), check(2)),
             (call(SIZES, np.zeros(16, np.float16), arch=2002), check(8)),
             (call(SIZES, np.zeros(16, np.float32), arch=2002), check(8))])


# --- merging -----------------------------------------------------------------


def sorted_queues(dtype, lengths, shape=pairs, seed=4):
    """Queues one after the other; per record its score, queue and bytes."""
    queues = []
    for q, length in enumerate(lengths):
        x = scores(dtype, length, seed + q)
        x = x[falling(x)]
        queues.append(shape(x, np.arange(length) + 1000 * q))
    return queues


def merged(queues, lane, suspend=False):
    """Records in order, and how many came from each queue."""
    taken = [0] * 4
    out = []
    while True:
        heads = [(q, queues[q][taken[q], lane]) for q in range(len(queues))
                 if taken[q] < len(queues[q])]
        if not heads:
            break
        q = max(heads, key=lambda h: (float(h[1]), -h[0]))[0]
        out.append(queues[q][taken[q]])
        taken[q] += 1
        if suspend and taken[q] == len(queues[q]):
            break
    return np.array(out), taken


def merge_case(op, dtype, lengths, valid, suspend=False, arch=2201, shape=pairs):
    queues = sorted_queues(dtype, lengths, shape)
    flat = [q.ravel() for q in queues]
    gap = 8 if op != MERGE4 else 16  # queues need not lie side by side
    parts, begins, place = [], [], 0
    for q in flat:
        begins.append(place)
        parts += [q, np.zeros(gap, dtype)]
        place += len(q) + gap
    x = np.concatenate(parts)
    used = [queues[i] for i in range(4) if valid >> i & 1]
    lane = 0 if shape is pairs else 4
    want, taken = merged(used, lane, suspend)
    total = sum(q.size for q in queues)
    launch = call(op, x, (), total, 1, begins, lengths, suspend, valid, arch=arch)

    def check(y, n):
        starts_with(want)(y, n)
        if op == MERGE_LIST and not suspend:
            taken_or_left = [99] * 4  # sortedNum is written in suspended merges only
        else:
            taken_or_left = taken
        np.testing.assert_array_equal(n[:4], taken_or_left)

    return launch, check


@covers("MrgSort", "GetMrgSortResult", forms=("info", "list"), dtypes=("half", "float"),
        archs=(2201, 3510), tail=True)
def test_merge_pairs():
    cases = []
    for arch in (2201, 3510):
        for dtype in (np.float16, np.float32):
            for op in (MERGE, MERGE_LIST):
                for suspend in (False, True):
                    for valid, lengths in ((15, (32, 32, 32, 32)), (15, (7, 50, 1, 33)),
                                           (7, (32, 64, 5, 9)), (3, (40, 41, 8, 8)),
                                           (15, (32, 0, 4, 0))):
                        cases.append(merge_case(op, dtype, lengths, valid, suspend, arch))
    run_all(cases)


def as_proposals(x, index):
    return proposals(x, seed=int(index[0]) if len(index) else 0)


@covers("MrgSort4", "MrgSort", "GetMrgSortResult", forms=("info", "list"),
        dtypes=("half", "float"), archs=(2002,))
def test_merge_proposals():
    cases = []
    for dtype in (np.float16, np.float32):
        for op in (MERGE4, MERGE_LIST):
            for suspend in (False, True):
                for valid, lengths in ((15, (16, 16, 16, 16)), (7, (16, 3, 20, 2)),
                                       (3, (8, 9, 4, 4)), (1, (12, 4, 4, 4))):
                    cases.append(merge_case(op, dtype, lengths, valid, suspend, 2002,
                                            as_proposals))
    run_all(cases)


@covers("MrgSort", forms=("repeat",), dtypes=("half", "float"))
def test_merge_repeats():
    cases = []
    for dtype in (np.float16, np.float32):
        groups = [sorted_queues(dtype, (32,) * 4, seed=10 * g) for g in range(3)]
        x = np.concatenate([q.ravel() for g in groups for q in g])
        each = 32 * groups[0][0].shape[1]
        begins = [each * q for q in range(4)]
        want = np.concatenate([merged(g, 0)[0] for g in groups])
        cases.append((call(MERGE, x, (), want.size, 3, begins, (32,) * 4),
                      starts_with(want)))
        # Three queues: the repeats do not count.
        want = merged(groups[0][:3], 0)[0]
        cases.append((call(MERGE, x, (), want.size, 3, begins, (32,) * 4, valid=7),
                      starts_with(want)))
        cases.append((call(MERGE, x, (), 64, 0, begins, (32,) * 4), starts_with([])))
    run_all(cases)


# --- proposals ---------------------------------------------------------------


@covers("ProposalConcat", "ProposalExtract", "RpSort16", dtypes=("half", "float"),
        archs=(2002,))
def test_proposals():
    cases = []
    for dtype in (np.float16, np.float32):
        x = scores(dtype, 48)
        for mode in range(6):
            want = np.full((48, 8), 77, dtype)
            want[:, mode] = x
            cases.append((call(CONCAT, x, (), want.size, 3, mode=mode, arch=2002),
                          starts_with(want)))
            records = proposals(x)
            cases.append((call(EXTRACT, records.ravel(), (), 48, 3, mode=mode, arch=2002),
                          starts_with(records[:, mode])))
        records = proposals(x)
        order = np.concatenate([falling(x[r : r + 16]) + r for r in range(0, 48, 16)])
        cases.append((call(RP_SORT, records.ravel(), (), records.size, 3, arch=2002),
                      starts_with(records[order])))
    run_all(cases)


# --- whole tensors -----------------------------------------------------------

RISING, FALLING, MERGED = range(3)


def value_case(batch, x, way, form, count=None):
    count = len(x) if count is None else count
    name = "bfloat16_t" if isinstance(x, BF16) else CTYPE.get(x.dtype.name, x.dtype.name + "_t")
    index = np.random.default_rng(9).integers(0, 2**32, len(x), dtype=np.uint32)
    launch = batch.add("values.cpp", kernel=f"values<{name}>", ins=[x, index], soc=3510,
                       inouts=[np.full(len(x), 77, x.dtype).view(type(x)),
                               np.full(len(x), 88, np.uint32)],
                       scalars=[("i32", len(x)), ("i32", count), ("i32", form), ("i32", way)])
    return launch, index


@covers("Sort", forms=("config",), archs=(3510,), tail=True,
        dtypes=("int8_t", "uint8_t", "int16_t", "uint16_t", "half", "bfloat16_t", "int32_t",
                "uint32_t", "float", "int64_t", "uint64_t"))
def test_sort_values():
    batch, cases = Batch(), []
    rng = np.random.default_rng(8)
    inputs = [rng.integers(np.iinfo(t).min, np.iinfo(t).max, 320, dtype=t, endpoint=True) // 7
              for t in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64,
                        np.uint64)]
    inputs += [scores(np.float16, 320), scores(np.float32, 320), to_bf16(scores(np.float32, 320))]
    for x in inputs:
        x = x.astype(x.dtype) if not isinstance(x, BF16) else x
        keys = from_bf16(x) if isinstance(x, BF16) else x
        for way in (RISING, FALLING) + ((MERGED,) if keys.dtype.kind == "f" and
                                        not isinstance(x, BF16) else ()):
            count = 320 if way == MERGED else 301
            k = keys[:count]
            # Stable either way: reverse, sort rising and stable, reverse back.
            order = (np.argsort(k, kind="stable") if way == RISING else
                     count - 1 - np.argsort(k[::-1], kind="stable")[::-1])
            for form in (0, 1, 2, 10, 11, 12):
                cases.append((*value_case(batch, x, way, form, count), x, order, form % 10))
    batch.run()
    for launch, index, x, order, form in cases:
        y, n = launch.results()
        plain = np.asarray(x).view(np.ndarray)
        np.testing.assert_array_equal(np.asarray(y)[: len(order)], plain[order])
        np.testing.assert_array_equal(np.asarray(y)[len(order) :], 77)
        want = {0: np.full(len(order), 88), 1: order, 2: index[order]}[form]
        np.testing.assert_array_equal(n[: len(order)], want)
        np.testing.assert_array_equal(n[len(order) :], 88)


# --- errors ------------------------------------------------------------------


def fails(ident, op, x, contains=(), line=None, **kwargs):
    launch = call(op, x, **kwargs)
    expect_failure(ident, launch.pop("source"), contains=contains, line=line, **launch)


def test_bad_calls_are_refused():
    x = scores(np.float32, 512)
    index = np.arange(512, dtype=np.uint32)
    four = dict(queues=(0, 64, 128, 192), lengths=(32,) * 4, y=256)
    fails("bad-repeat", SORT32, x, "repeatTime 256", index=index, repeat=256, line="// pairs")
    fails("operand-overlap", SORT32, x, index=index, y_in_x=24)
    fails("bad-repeat", MERGE, x, "validBit 5", valid=5, line="// merge", **four)
    fails("bad-repeat", MERGE, x, "4096 records in queue 2", queues=(0, 64, 128, 192),
          lengths=(32, 4096, 32, 32))
    fails("local-out-of-bounds", MERGE, x, repeat=255, **four)
    fails("misaligned-address", MERGE, x, queues=(0, 65, 128, 192), lengths=(32,) * 4)
    fails("operand-overlap", MERGE, x, y_in_x=248, **four)
    fails("unsupported-api", MERGE, x, arch=2002, **four)
    fails("unsupported-api", MERGE4, x, **four)
    fails("unsupported-api", SORT32, x, index=index, arch=2002)
    fails("unsupported-api", RP_SORT, x)
    fails("unsupported-api", CONCAT, x, arch=3510)
    fails("bad-repeat", CONCAT, x, "modeNumber 6", mode=6, arch=2002)


def test_good_calls_are_not():
    x = np.zeros(512, np.float32)
    four = dict(queues=(0, 64, 128, 192), lengths=(32,) * 4, y=256)
    # Beside the queues, not over them.
    run_all([(call(MERGE, x, y_in_x=256, **four), lambda y, n: None),
             (call(MERGE, x, queues=(0, 66, 130, 194), lengths=(32,) * 4, y=256),
              starts_with(np.zeros(256, np.float32)))])


def test_bad_value_sorts_are_refused():
    x = scores(np.float32, 320)
    index = np.zeros(320, np.uint32)
    shared = dict(kernel="values<float>", ins=[x, index], inouts=[x.copy(), index.copy()])
    expect_failure("bad-repeat", "values.cpp", soc=3510, line="// merged", contains="301",
                   scalars=[("i32", 320), ("i32", 301), ("i32", 0), ("i32", MERGED)], **shared)
    expect_failure("unsupported-api", "values.cpp", soc=2201,
                   scalars=[("i32", 320), ("i32", 320), ("i32", 0), ("i32", 0)], **shared)
    shared.update(kernel="values<int32_t>", ins=[x.view(np.int32), index],
                  inouts=[x.view(np.int32).copy(), index.copy()])
    expect_failure("unsupported-dtype", "values.cpp", soc=3510,
                   scalars=[("i32", 320), ("i32", 320), ("i32", 0), ("i32", MERGED)], **shared)


if __name__ == "__main__":
    main()
