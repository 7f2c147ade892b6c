"""Reductions, broadcasts, pads, transposes, selections and sequences against NumPy."""
import numpy as np
from harness import Batch, In, InOut, Out, Scalar, covers, expect_failure, main, run

TYPES = {"half": np.float16, "float": np.float32, "int8_t": np.int8,
         "uint8_t": np.uint8, "int16_t": np.int16, "int32_t": np.int32,
         "int64_t": np.int64, "uint32_t": np.uint32}
TAGS = {"half": "f16", "float": "f32", "int8_t": "i8", "uint8_t": "u8",
        "int16_t": "i16", "int32_t": "i32", "int64_t": "i64", "uint32_t": "u32"}


def u32(*values):
    return [("u32", v) for v in values]


class Checks:
    """Launches with what they should give, compared after all have run."""

    def __init__(self):
        self.batch, self.cases = Batch(), []

    def add(self, want, *args, rtol=0.0, what="", **kwargs):
        want = want if isinstance(want, (list, tuple)) else [want]
        self.cases.append((self.batch.add(*args, **kwargs), want, rtol, what))

    def run(self):
        self.batch.run()
        for launch, want, rtol, what in self.cases:
            for got, expected in zip(launch.results(), want, strict=True):
                np.testing.assert_allclose(
                    got.astype(np.float64), np.asarray(expected, np.float64),
                    rtol=rtol, atol=rtol, err_msg=str(what))


FOLDS = {0: np.sum, 2: np.mean, 4: np.sum, 6: np.mean, 8: np.max, 10: np.min,
         12: np.prod, 14: np.any, 16: np.all}


def fold_cases():
    for op in (0, 2):
        for kind in ("half", "float"):
            yield op, kind, (2201, 2002, 3510)[op % 3]
    for op in (4, 6, 8, 10, 12, 14, 16):
        yield op, "float", 2201
    for op in (8, 10):
        yield op, "half", 2201
        yield op, "int8_t", 3510
        yield op, "int64_t", 3510
    yield 4, "int32_t", 3510
    for op in (14, 16):
        yield op, "uint8_t", 2201


@covers("Sum", "Mean", "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin",
        "ReduceProd", "ReduceAny", "ReduceAll", forms=("AR", "RA", "tmp", "no tmp"),
        dtypes=("half", "float", "int8_t", "uint8_t", "int32_t", "int64_t"),
        archs=(2201, 2002, 3510), tail=True)
def test_fold():
    rng = np.random.default_rng(1)
    checks = Checks()
    for op, kind, soc in fold_cases():
        dtype = TYPES[kind]
        block = 32 // np.dtype(dtype).itemsize
        outer, n = 5, block + 3
        inner = 2 * block
        if op in (14, 16):
            x = (rng.random((outer, inner)) < (0.1 if op == 14 else 0.8))
        elif op == 12:
            x = rng.uniform(0.8, 1.2, (outer, inner))
        else:
            x = rng.integers(-9, 9, (outer, inner))
        x = x.astype(dtype)
        for axis in (1,) if op < 4 else (1, 0):
            want = FOLDS[op](x[:, :n].astype(np.float64), axis=axis)
            for tmp in (0, 1):
                checks.add(want, "shape.cpp", kernel=f"fold<{kind}>", ins=[x],
                           outs=[(TAGS[kind], want.size)], soc=soc,
                           scalars=u32(outer, inner, n, op + 1 - axis, tmp),
                           rtol=1e-3 if kind == "half" else 3e-6, what=(op, kind))
    checks.run()


@covers("ReduceXorSum", forms=("tmp", "no tmp"), dtypes=("int16_t",), tail=True)
def test_xor_sum():
    rng = np.random.default_rng(2)
    checks = Checks()
    for bound in (64, 32768):  # the second one saturates
        x, y = rng.integers(0, bound, (2, 205)).astype(np.int16)
        want = np.clip((x ^ y).astype(np.int64).sum(), -32768, 32767)
        for tmp in (0, 1):
            checks.add([want.reshape(1)], "shape.cpp", kernel="xor_sum", ins=[x, y],
                       outs=[("i16", 1)], scalars=u32(205, tmp))
    checks.run()


@covers("Broadcast", "BroadCast", forms=("1d", "rows", "columns", "tmp", "nine dimensions"),
        dtypes=("half", "float", "int8_t", "int32_t"), archs=(2201, 3510), tail=True)
def test_broadcast():
    rng = np.random.default_rng(3)
    checks = Checks()
    rows, columns = 6, 32
    for kind in ("half", "float", "int8_t", "int32_t"):
        full = rng.integers(-99, 99, (rows, columns)).astype(TYPES[kind])
        forms = {0: (full[:1], (rows, columns)), 1: (full[:, :1], (rows, columns - 3)),
                 2: (full[:1, :1], (rows, columns)), 3: (full[:, None], None)}
        for form, (x, shape) in forms.items():
            if kind == "int32_t" and form != 3:  # 3510 alone has it
                continue
            width = columns if form != 1 else columns - 3
            want = np.broadcast_to(x, shape or (rows, 2, columns))
            checks.add(want, "shape.cpp", kernel=f"broadcast<{kind}>", ins=[x],
                       outs=[(TAGS[kind], want.shape)],
                       soc=3510 if form == 3 else 2201,
                       scalars=u32(rows, width, form), what=(kind, form))
    checks.run()


@covers("Pad", "UnPad", forms=("tmp", "no tmp", "left", "aligned"),
        dtypes=("half", "float", "int16_t"), tail=True)
def test_pad():
    rng = np.random.default_rng(4)
    checks = Checks()
    height = 7
    for kind in ("half", "float", "int16_t"):
        block = 32 // np.dtype(TYPES[kind]).itemsize
        for form in (0, 1):
            width = 2 * block - 3
            x = rng.integers(0, 99, (height, width)).astype(TYPES[kind])
            want = np.pad(x, ((0, 0), (1, 2)), constant_values=321)
            checks.add(want, "shape.cpp", kernel=f"pad<{kind}>", ins=[x],
                       outs=[(TAGS[kind], want.shape)],
                       scalars=u32(height, width, 1, 2, form))
            # Redundant columns of an aligned width are overwritten.
            x = rng.integers(0, 99, (height, block)).astype(TYPES[kind])
            want = x.copy()
            want[:, -2:] = 321
            checks.add(want, "shape.cpp", kernel=f"pad<{kind}>", ins=[x],
                       outs=[(TAGS[kind], want.shape)],
                       scalars=u32(height, block, 0, 2, form))
            want = x[:, :-3]
            checks.add(want, "shape.cpp", kernel=f"pad<{kind}>", ins=[x],
                       outs=[(TAGS[kind], want.shape)],
                       scalars=u32(height, block, 0, 3, form + 2))
    checks.run()


def to_nz(matrix):
    """[..., rows, columns] to [..., columns / 16, rows, 16]."""
    *outer, rows, columns = matrix.shape
    return np.moveaxis(matrix.reshape(*outer, rows, columns // 16, 16), -2, -3)


@covers("ConfusionTranspose", "Transpose",
        forms=("NZ2ND_0213", "NZ2NZ_0213", "NZ2NZ_012_WITH_N", "NZ2ND_012_WITH_N",
               "NZ2ND_012_WITHOUT_N", "NZ2NZ_012_WITHOUT_N", "ND2ND_ONLY",
               "ND2ND_021", "ND2ND_102", "ND2ND_210", "tmp"),
        dtypes=("half", "float"), archs=(2201, 3510))
def test_transpose():
    rng = np.random.default_rng(5)
    checks = Checks()
    b, n, s, d = 2, 16, 32, 32
    for kind in ("half", "float"):
        heads = rng.integers(0, 999, (b, n, s, d)).astype(TYPES[kind])
        if kind == "float":  # UB holds no more
            b, heads = 1, heads[:1, :, :16]
            s = 16
        joined = heads.transpose(0, 2, 1, 3).reshape(b, s, n * d)
        small = heads.reshape(-1)[:3 * 5 * 16].reshape(3, 5, 16)
        kinds = {1: (to_nz(heads), heads.transpose(0, 2, 1, 3)),
                 2: (to_nz(heads), to_nz(heads.transpose(0, 2, 1, 3))),
                 3: (to_nz(joined), to_nz(heads)),
                 4: (to_nz(joined), heads),
                 5: (to_nz(heads), joined),
                 6: (to_nz(heads), to_nz(joined)),
                 7: (heads[0, 0], heads[0, 0].T),
                 13: (small, small.transpose(0, 2, 1)),
                 14: (small, small.transpose(1, 0, 2)),
                 15: (small, small.transpose(2, 1, 0))}
        for number, (x, want) in kinds.items():
            shape = (b, n, s, d)
            if number == 7:
                shape = (1, *x.shape, 1)
            elif number > 7:
                shape = (*x.shape, 1)
            checks.add(want, "shape.cpp", kernel=f"transpose<{kind}>",
                       ins=[np.ascontiguousarray(x)],
                       outs=[(TAGS[kind], want.shape)],
                       soc=3510 if number > 7 else 2201,
                       scalars=u32(*shape, x.size, number), what=(kind, number))
    checks.run()


@covers("TransData", forms=("NDC1HWC0", "FRACTAL_Z_3D", "back", "tmp"),
        dtypes=("half", "int16_t"), archs=(2201, 3510), tail=True)
def test_transdata():
    rng = np.random.default_rng(9)
    checks = Checks()
    n, c, d, h, w = 3, 20, 2, 3, 7
    for kind in ("half", "int16_t"):
        dense = rng.integers(1, 999, (n, c, d, h, w)).astype(TYPES[kind])
        # Planes are padded to 32 bytes; channels and images to 16 with zeros.
        flat = np.zeros((n, c, d, 32), TYPES[kind])
        flat[..., :h * w] = dense.reshape(n, c, d, h * w)
        full = np.zeros((16, 32, d, h, w), TYPES[kind])
        full[:n, :c] = dense
        split = full.reshape(16, 2, 16, d, h, w)
        five = split[:n].transpose(0, 3, 1, 4, 5, 2)
        fractal = split.transpose(3, 1, 4, 5, 0, 2)
        for form, (x, want) in enumerate(((flat, five), (five, flat), (flat, fractal),
                                          (fractal, flat))):
            checks.add(want, "shape.cpp", kernel=f"transdata<{kind}>",
                       ins=[np.ascontiguousarray(x)], outs=[(TAGS[kind], want.shape)],
                       soc=(2201, 3510)[form % 2], what=(kind, form),
                       scalars=u32(x.size, want.size)
                       + [("i32", v) for v in (n, c, d, h, w)] + u32(form))
    checks.run()


@covers("DropOut", forms=("bytes", "bits", "padded mask", "tmp"),
        dtypes=("half", "float"), tail=True)
def test_dropout():
    rng = np.random.default_rng(6)
    checks = Checks()
    rows, columns = 4, 64
    for kind in ("half", "float"):
        x = rng.integers(1, 99, (rows, columns)).astype(TYPES[kind])
        keep = rng.random((rows, columns)) < 0.5
        want = np.where(keep, x / TYPES[kind](0.5), 0)
        wide = np.full((rows, 96), 255, np.uint8)
        wide[:, :columns] = keep
        bits = np.packbits(keep, axis=1, bitorder="little")
        padded = np.full((rows, 32), 255, np.uint8)
        padded[:, :columns // 8] = bits
        for form, mask in ((0, keep.astype(np.uint8)), (0, bits), (1, wide),
                           (2, padded)):
            checks.add(want, "shape.cpp", kernel=f"dropout<{kind}>", ins=[x, mask],
                       outs=[(TAGS[kind], x.shape)], what=(kind, form),
                       scalars=u32(rows, columns, mask.shape[1], form))
    checks.run()


@covers("Select", "SelectWithBytesMask", forms=("tensor, scalar", "scalar, tensor"),
        dtypes=("half", "float"))
def test_select():
    rng = np.random.default_rng(7)
    checks = Checks()
    rows, columns, mask_columns = 4, 16, 32
    for kind, mask_kind in (("half", "uint8_t"), ("float", "int32_t")):
        x = rng.integers(1, 99, (rows, columns)).astype(TYPES[kind])
        mask = rng.integers(0, 2, (rows, mask_columns)).astype(TYPES[mask_kind])
        other = mask[:, :columns] != 0
        for form, want in ((0, np.where(other, -5, x)), (1, np.where(other, x, -5))):
            checks.add(want, "shape.cpp", kernel=f"select<{kind}, {mask_kind}>",
                       ins=[x, mask], outs=[(TAGS[kind], x.shape)],
                       scalars=u32(rows, columns, mask_columns, form))
    checks.run()


def ranked(row, k, largest):
    """Positions of the k best: NaN first, then by value, then by position."""
    key = -row.astype(np.float64) if largest else row.astype(np.float64)
    order = np.argsort(np.where(np.isnan(key), -np.inf, key), kind="stable")
    return order[:k]


@covers("TopK", forms=("normal", "small", "indices", "finish", "smallest", "tmp"),
        dtypes=("half", "float"), archs=(2201, 2002, 3510), tail=True)
def test_topk():
    rng = np.random.default_rng(8)
    checks = Checks()
    for kind in ("half", "float"):
        for form, (inner, n, k) in enumerate(((64, 50, 11), (64, 50, 11), (32, 32, 5))):
            outer, largest = 6, form != 1
            x = rng.integers(-20, 20, (outer, inner)).astype(TYPES[kind])
            x[:, n:] = -999 if largest else 999
            x[2, 7] = np.nan
            indices = rng.integers(0, 9999, (outer, inner)).astype(np.int32)
            finish = np.array([0, 1, 0, 0, 1, 0], np.uint8).astype(bool)
            stride = k if form == 2 else 16  # k rounded up to 32 bytes, of both types
            best = np.array([ranked(row, k, largest) for row in x])
            value = np.full((outer, stride), 55, TYPES[kind])
            out = np.full((outer, stride), 55, np.int32)
            want_value, want_out = value.copy(), out.copy()
            want_value[:, :k] = np.take_along_axis(x, best, 1)
            if form == 0:
                want_out[:, :k] = best
            elif form == 1:
                want_out[:, :k] = indices[0][best]
                want_out[finish, :k] = n
            else:
                want_out[:, :k] = np.take_along_axis(indices, best, 1)
            checks.add([want_value, want_out], "shape.cpp", kernel=f"topk<{kind}>",
                       args=[In(x), In(indices), In(finish), InOut(value), InOut(out)]
                       + [Scalar("u32", v)
                          for v in (outer, inner, n, k, stride, form)],
                       soc=(2201, 2002, 3510)[form], what=(kind, form))
    checks.run()


@covers("ArithProgression", "Arange", forms=("count",),
        dtypes=("half", "float", "int16_t", "int32_t", "int64_t"),
        archs=(2201, 3510), tail=True)
def test_arange():
    checks = Checks()
    for kind in ("half", "float", "int16_t", "int32_t", "int64_t"):
        want = 3 + 2 * np.arange(77)
        for form in (0, 1):
            checks.add(want, "shape.cpp", kernel=f"arange<{kind}>",
                       outs=[(TAGS[kind], 77)],
                       scalars=u32(77) + [("f32", 3), ("f32", 2)] + u32(form),
                       soc=3510 if kind == "int64_t" else 2201)
    checks.run()


@covers("Fill", "InitGlobalMemory", "InitOutput", forms=("global",),
        dtypes=("half", "int32_t"), tail=True)
def test_fill():
    checks = Checks()
    for kind in ("half", "int32_t"):
        y = np.full(100, 9, TYPES[kind])
        for form in range(3):
            want = y.copy()
            want[:97] = 0 if form == 2 else 7
            checks.add(want, "shape.cpp", kernel=f"fill<{kind}>", inouts=[y],
                       scalars=u32(100, form))
    checks.run()


def philox(counter, key, rounds):
    """Philox4x32 of Random123."""
    c, k = list(counter), list(key)
    for _ in range(rounds):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & 0xFFFFFFFF,
             (p0 >> 32) ^ c[3] ^ k[1], p0 & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


@covers("PhiloxRandom", forms=("count", "stride"), dtypes=("uint32_t", "float"),
        archs=(3510,))
def test_philox():
    # The published known answer of the ten-round form.
    assert philox([0] * 4, [0] * 2, 10) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C,
                                            0x9B00DBD8]
    checks = Checks()
    key, start = (0x12345678, 0x9ABCDEF0), (5, 0, 0, 7)

    def stream(count, rounds):
        return np.array([w for i in range(count // 4)
                         for w in philox((start[0] + i, *start[1:]), key, rounds)])

    checks.add(stream(40, 7), "shape.cpp", kernel="philox<uint32_t>", soc=3510,
               outs=[("u32", 40)], scalars=u32(2, 20, 0, 7))
    wide = stream(48, 10).reshape(4, 12)[:, :8]
    checks.add(wide.reshape(-1), "shape.cpp", kernel="philox<uint32_t>", soc=3510,
               outs=[("u32", 32)], scalars=u32(4, 8, 12, 10))
    got, = run("shape.cpp", kernel="philox<float>", soc=3510, outs=[("f32", 400)],
               scalars=u32(1, 400, 0, 7))
    assert got.min() >= 0 and got.max() < 1 and abs(got.mean() - 0.5) < 0.06
    checks.run()


@covers("TopK", "Broadcast", forms=("refused shape",))
def test_refused():
    expect_failure("bad-repeat", "shape.cpp", kernel="topk<half>",
                   contains="rows of 40",
                   args=[In(np.zeros((1, 40), np.float16)),
                         In(np.zeros((1, 40), np.int32)), In(np.zeros(1, bool)),
                         InOut(np.zeros(16, np.float16)), InOut(np.zeros(16, np.int32))]
                   + [Scalar("u32", v) for v in (1, 40, 40, 3, 16, 0)])
    expect_failure("unsupported-dtype", "shape.cpp", kernel="broadcast<int32_t>",
                   contains="int32_t on arch 2201",
                   ins=[np.zeros((1, 32), np.int32)], outs=[("i32", (6, 32))],
                   scalars=u32(6, 32, 0))
    expect_failure("unsupported-api", "shape.cpp", kernel="philox<float>",
                   contains="arch 2201", outs=[("f32", 40)], scalars=u32(1, 40, 0, 7))


if __name__ == "__main__":
    main()
