"""Fixpipe and its variants against the documented arithmetic, in NumPy.

The values in L0C are exact here: integer products, or products with the unit
matrix, so every result is compared bit for bit."""
import numpy as np

from harness import Batch, In, InOut, Out, Scalar, covers, expect_failure, main, to_bf16

rng = np.random.default_rng(5)
(NO, F16, BF16, DEQ, VDEQ, QB8, VQB8, REQ, VREQ) = range(9)
NZ, ND = 0, 1
KIND = {"half": "f16", "bfloat16_t": "bf16", "float": "f32", "int32_t": "i32"}
KIND.update({"int8_t": "i8", "uint8_t": "u8"})
NUMPY = {"half": np.float16, "float": np.float32, "int32_t": np.int32}
NUMPY.update({"int8_t": np.int8, "uint8_t": np.uint8, "bfloat16_t": np.uint16})


def words(scale, offset=0, signed=True, shift=None):
    """The 64-bit words that describe a quantisation."""
    raw = np.asarray(scale, np.float32).view(np.uint32).astype(np.uint64)
    raw = raw | (np.uint64(offset & 0x1FF) << np.uint64(37))
    raw = raw | (np.uint64(signed) << np.uint64(46))
    if shift is not None:
        raw = raw | (np.uint64(shift - 1) << np.uint64(32)) | np.uint64(1 << 36)
    return raw


def short(scale):
    """The ten bits of mantissa that the fixpipe multiplies by."""
    raw = np.asarray(scale, np.float32).view(np.uint32) & np.uint32(0xFFFFE000)
    return raw.view(np.float32)


def to_bytes(values, offset, signed):
    near = np.rint(np.clip(values, -256, 255)) + offset
    low, high = (-128, 127) if signed else (0, 255)
    return np.clip(near, low, high).astype(np.int8 if signed else np.uint8)


def nz_blocks(matrix, columns, fill):
    """[m][n] as columns of fractals; rows up to a multiple of 16 are not written."""
    m, n = matrix.shape
    out = np.full((-(-n // columns), -(-m // 16) * 16, columns), fill, matrix.dtype)
    for c in range(0, n, columns):
        piece = matrix[:, c : c + columns]
        out.reshape(len(out), -1)[c // columns, : piece.size] = piece.reshape(-1)
    return out


class Case:
    def __init__(self, batch, types, shape, want, layout=ND, mode=NO, quant=None, **opt):
        source, acc, out = types
        m, n, k = shape
        self.layout, self.out, self.want_of, self.opt = layout, out, want, opt
        if source == "int8_t":
            a, b = (rng.integers(-128, 128, (r, k), dtype=np.int8) for r in (m, n))
            self.acc = a.astype(np.int32) @ b.astype(np.int32).T
        else:
            a = (rng.standard_normal((m, k)) * 100).astype(np.float32)
            b = np.eye(n, k, dtype=np.float32)
            self.acc = np.zeros((m, n), np.float32)
            self.acc[:, : min(n, k)] = a[:, : min(n, k)]
        quant = np.zeros(n, np.uint64) if quant is None else quant
        quant = np.broadcast_to(quant, n)
        quant = np.concatenate([quant, np.zeros(-n % 16, np.uint64)])
        columns = 8 if opt.get("split") else 32 if out in ("int8_t", "uint8_t") else 16
        self.columns = columns
        size = (m, n) if layout == ND else (-(-n // columns), -(-m // 16) * 16, columns)
        if opt.get("to_l1"):  # what lies in L1, whole
            size = (-(-m // 16) * 16 * (-(-n // 32) * 32),)
        self.before = None
        if opt.get("atomic"):
            self.before = rng.standard_normal(size).astype(NUMPY[out])
        target = Out(KIND[out], size) if self.before is None else InOut(self.before)
        names = "relu split to_l1 unit_flag registers src_step atomic".split()
        numbers = [m, n, k, layout, mode] + [int(opt.get(x, 0)) for x in names]
        self.launch = batch.add(
            "out.cpp",
            kernel=f"out<{source}, {acc}, {out}>",
            args=[In(a), In(b), In(quant), target]
            + [Scalar("u32", x) for x in numbers],
            soc=opt.get("soc", 2201),
            task="cube",
        )

    def check(self):
        (got,) = self.launch.results()
        got = np.asarray(got)
        want = self.want_of(self.acc)
        want = np.asarray(want).view(np.ndarray)
        if self.before is not None:
            want = self.before + want
        if self.layout == NZ:
            blocks = nz_blocks(want, self.columns, 0)
            if self.opt.get("to_l1"):
                got = got.reshape(-1)[: blocks.size].reshape(blocks.shape)
            # Rows beyond m are nobody's.
            rows = want.shape[0]
            flat = got.reshape(len(got), -1)
            for c in range(len(blocks)):
                width = min(self.columns, want.shape[1] - c * self.columns)
                np.testing.assert_array_equal(
                    flat[c, : rows * width], blocks.reshape(len(blocks), -1)[c, : rows * width]
                )
            return
        np.testing.assert_array_equal(got, want)


def check_all(*cases):
    batch = Batch()
    made = [Case(batch, *positional, **named) for positional, named in cases]
    batch.run()
    for case in made:
        case.check()


FLOAT, INT = ("float", "float"), ("int8_t", "int32_t")
SHAPES = [(32, 48, 48), (17, 32, 40)]


def same(x):
    return x


def relu(x):
    return np.maximum(x, 0)


@covers(
    "Fixpipe",
    forms=("ND", "NZ", "L1"),
    dtypes=("float", "int32_t", "half", "bfloat16_t"),
    tail=True,
)
def test_casts():
    cases = []
    for s in SHAPES:
        for layout in (ND, NZ):
            cases += [
                (((*FLOAT, "float"), s, same, layout), {}),
                (((*FLOAT, "float"), s, relu, layout), {"relu": 1}),
                (((*INT, "int32_t"), s, same, layout), {}),
                (((*INT, "int32_t"), s, relu, layout), {"relu": 1, "unit_flag": 3}),
                (((*FLOAT, "half"), s, np.float16, layout, F16), {}),
                (((*FLOAT, "half"), s, lambda x: np.float16(relu(x)), layout, F16), {"relu": 1}),
                (((*FLOAT, "bfloat16_t"), s, to_bf16, layout, BF16), {}),
            ]
        cases += [
            (((*FLOAT, "half"), s, np.float16, NZ, F16), {"to_l1": 1}),
            (((*FLOAT, "float"), s, same, NZ), {"split": 1}),
        ]
    # columns that fill no fractal: ND only
    cases += [(((*FLOAT, "half"), (33, 21, 24), np.float16, ND, F16), {})]
    # two matrices at once
    for soc in (2201, 3510):
        cases += [(((*FLOAT, "float"), (64, 32, 32), same, ND), {"src_step": 2, "soc": soc})]
    check_all(*cases)


@covers("Fixpipe", forms=("quant",), dtypes=("half", "int8_t", "uint8_t"), tail=True)
def test_quantisation():
    cases = []
    for s in SHAPES:
        n = s[1]
        vector = np.linspace(0.001, 0.9, n).astype(np.float32)
        small = np.linspace(1e-4, 3e-3, n).astype(np.float32)
        for layout in (ND, NZ):

            def dequant(scale):
                return lambda x: np.float16(
                    np.clip(x.astype(np.float32) * short(scale), -65504, 65504)
                )

            def requant(scale, offset=0, signed=True):
                return lambda x: to_bytes(
                    x.astype(np.float32) * short(scale), offset, signed
                )

            cases += [
                (((*INT, "half"), s, dequant(0.37), layout, DEQ, words(0.37)), {}),
                (((*INT, "half"), s, dequant(vector), layout, VDEQ, words(vector)), {}),
                (((*INT, "half"), s, lambda x: dequant(0.37)(relu(x)), layout, DEQ, words(0.37)), {"relu": 1}),
                (((*INT, "int8_t"), s, requant(0.002), layout, REQ, words(0.002)), {}),
                (((*INT, "int8_t"), s, requant(small, -7), layout, VREQ, words(small, -7)), {}),
                (((*INT, "uint8_t"), s, requant(0.002, 9, False), layout, REQ, words(0.002, 9, False)), {}),
                (((*FLOAT, "int8_t"), s, requant(0.5, 3), layout, QB8, words(0.5, 3)), {}),
                (((*FLOAT, "int8_t"), s, requant(vector), layout, VQB8, words(vector)), {"to_l1": layout == NZ}),
            ]
            shifted = lambda x: np.float16(
                np.clip(x >> 4, -32768, 32767).astype(np.float32) * short(0.37)
            )
            cases += [
                (((*INT, "half"), s, shifted, layout, DEQ, words(0.37, shift=4)), {})
            ]
    check_all(*cases)


@covers(
    "DataCopy",
    "SetFixpipeNz2ndFlag",
    "SetFixpipePreQuantFlag",
    "SetFixPipeConfig",
    forms=("L0C to GM",),
    dtypes=("half", "float", "int8_t"),
    tail=True,
)
def test_registers():
    cases = []
    for s in SHAPES:
        vector = np.linspace(0.001, 0.9, s[1]).astype(np.float32)
        for layout in (ND, NZ):
            cases += [
                (((*FLOAT, "float"), s, same, layout), {"registers": 1}),
                (((*FLOAT, "half"), s, np.float16, layout, F16), {"registers": 1}),
                (
                    (
                        (*INT, "half"),
                        s,
                        lambda x, v=vector: np.float16(
                            np.clip(x.astype(np.float32) * short(v), -65504, 65504)
                        ),
                        layout,
                        VDEQ,
                        words(vector),
                    ),
                    {"registers": 1},
                ),
                (
                    (
                        (*INT, "int8_t"),
                        s,
                        lambda x: to_bytes(x.astype(np.float32) * short(0.002), 5, True),
                        layout,
                        REQ,
                        words(0.002, 5),
                    ),
                    {"registers": 1},
                ),
            ]
    check_all(*cases)


@covers("Fixpipe", "SetAtomicAdd", forms=("atomic",), dtypes=("float",))
def test_atomic():
    check_all(
        *(((((*FLOAT, "float"), s, same, ND)), {"atomic": 1}) for s in SHAPES),
    )


@covers(
    "Fixpipe",
    "CrossCoreSetFlag",
    "CrossCoreWaitFlag",
    forms=("UB", "DN"),
    dtypes=("float",),
    archs=(3510,),
)
def test_950():
    m, n, k = 32, 64, 32
    a = rng.standard_normal((m, k)).astype(np.float16)
    b = rng.integers(-2, 3, (n, k)).astype(np.float16)
    batch = Batch()
    runs = [
        batch.add(
            "out.cpp",
            kernel="out_950",
            args=[In(a), In(b), Out("f32", m * n)] + [Scalar("u32", x) for x in (m, n, k, way)],
            soc=3510,
            sanitize=True,  # what the cube core put into a UB has a value there
        )
        for way in range(3)
    ]
    batch.run()
    # Products of small integers and halves sum exactly in this range.
    want = a.astype(np.float64) @ b.T.astype(np.float64)
    columns, rows, nz = (r.results()[0].astype(np.float64) for r in runs)
    bound = k * 2.0**-24 * (np.abs(a.astype(np.float64)) @ np.abs(b.T)).max()
    assert np.abs(columns.reshape(n, m).T - want).max() <= bound
    assert np.abs(rows.reshape(m, n) - want).max() <= bound
    nz = nz.reshape(n // 16, m, 16).transpose(1, 0, 2).reshape(m, n)
    assert np.abs(nz - want).max() <= bound


@covers(
    "DataCopy",
    forms=("L0C to UB",),
    dtypes=("half", "float", "int8_t", "int16_t"),
    archs=(2002,),
)
def test_310p():
    m, n, k = 32, 48, 64
    halves = [rng.integers(-8, 9, (r, k)).astype(np.float16) for r in (m, n)]
    bytes_ = [rng.integers(-128, 128, (r, k), dtype=np.int8) for r in (m, n)]
    floats = halves[0].astype(np.float32) @ halves[1].T.astype(np.float32)
    ints = bytes_[0].astype(np.int32) @ bytes_[1].astype(np.int32).T

    def nz(x):
        return x.reshape(m, n // 16, 16).transpose(1, 0, 2)

    vector = np.linspace(0.001, 0.1, n).astype(np.float32)
    small = np.linspace(1e-4, 3e-3, n).astype(np.float32)
    f16 = lambda x: np.uint64(np.float16(x).view(np.uint16))
    none, deq, vdeq, deq8, vdeq8, deq16, vdeq16 = range(7)
    cases = [
        ("half, float, float", halves, none, 0, 2, 0, nz(floats)),
        ("half, float, half", halves, none, 0, 2, 0, np.float16(nz(floats))),
        ("half, float, half", halves, none, 0, 2, 1, np.float16(nz(relu(floats)))),
        ("int8_t, int32_t, int32_t", bytes_, none, 0, 2, 1, nz(relu(ints))),
        ("int8_t, int32_t, half", bytes_, deq, f16(0.25), 2, 0, np.float16(nz(ints) * np.float32(0.25))),
        ("int8_t, int32_t, half", bytes_, vdeq16, words(vector), 2, 0, np.float16(nz(ints.astype(np.float32) * vector))),
        ("int8_t, int32_t, int8_t", bytes_, deq8, words(0.002, 4), 2, 0, nz(to_bytes(ints.astype(np.float32) * np.float32(0.002), 4, True))),
        ("int8_t, int32_t, int8_t", bytes_, vdeq8, words(small), 2, 0, nz(to_bytes(ints.astype(np.float32) * small, 0, True))),
        ("int8_t, int32_t, int16_t", bytes_, deq16, words(1.0, shift=3), 2, 0, np.clip(nz(ints >> 3), -32768, 32767).astype(np.int16)),
    ]
    batch = Batch()
    runs = []
    for types, (a, b), mode, quant, store, positive, want in cases:
        quant = np.broadcast_to(np.asarray(quant, np.uint64), n).copy()
        kind = {"float32": "f32", "float16": "f16", "int32": "i32", "int8": "i8", "int16": "i16"}
        runs.append(
            batch.add(
                "out.cpp",
                kernel=f"out_310p<{types}>",
                args=[In(a), In(b), In(quant), Out(kind[want.dtype.name], want.shape)]
                + [Scalar("u32", x) for x in (m, n, k, mode, positive, store)],
                soc=2002,
            )
        )
    batch.run()
    for run, case in zip(runs, cases):
        np.testing.assert_array_equal(run.results()[0], case[-1], err_msg=case[0])


def failing(ident, kernel, numbers, out, soc=2201, **more):
    a, b = np.zeros((32, 32), np.float32), np.zeros((32, 32), np.float32)
    return expect_failure(
        ident,
        "out.cpp",
        kernel=kernel,
        args=[In(a), In(b), In(np.zeros(32, np.uint64)), Out(out, 4096)]
        + [Scalar("u32", x) for x in numbers],
        soc=soc,
        **more,
    )


def test_mode_does_not_fit():
    numbers = (32, 32, 32, ND, NO) + (0,) * 7
    failing("unsupported-dtype", "out<float, float, half>", numbers, "f16", task="cube")


def test_nz_wants_whole_fractals():
    numbers = (32, 20, 32, NZ, NO) + (0,) * 7
    failing("bad-repeat", "out<float, float, float>", numbers, "f32", task="cube")


def test_no_fixpipe_on_310p():
    zeros = np.zeros((16, 16), np.float16)
    expect_failure(
        "unsupported-api",
        "out.cpp",
        kernel="fixpipe_310p",
        args=[In(zeros), In(zeros), Out("f32", 256)],
        soc=2002,
        line="no such unit",
    )


if __name__ == "__main__":
    main()
