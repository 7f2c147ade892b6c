"""Softmax and its relatives against NumPy in double precision."""
import numpy as np
from harness import Batch, In, InOut, Out, Scalar, covers, expect_failure, main, run

ROWS, COLUMNS, VALID = 5, 48, 37
TYPES = {"half": np.float16, "float": np.float32}
TAGS = {"half": "f16", "float": "f32"}
TOLERANCE = {"half": 2e-3, "float": 3e-6}
KEPT = 77.0  # what a tensor of statistics holds before the call


def blocks(values, dtype):
    """One 32-byte block of equal elements per row."""
    width = 32 // np.dtype(dtype).itemsize
    return np.repeat(values.reshape(-1, 1), width, axis=1).astype(dtype)


def fractal(matrix):
    """ND to NZ: groups of 16 columns, rows inside a group."""
    rows, columns = matrix.shape
    return matrix.reshape(rows, columns // 16, 16).transpose(1, 0, 2).copy()


def unfractal(cube, rows):
    return cube.reshape(-1, rows, 16).transpose(1, 0, 2).reshape(rows, -1)


def softmax(x):
    maximum = x.max(axis=1, keepdims=True)
    e = np.exp(x - maximum)
    total = e.sum(axis=1, keepdims=True)
    return e / total, total, maximum


def flash(x, old_sum, old_max, divide):
    maximum = np.maximum(x.max(axis=1, keepdims=True), old_max)
    e = np.exp(x - maximum)
    factor = np.exp(old_max - maximum)
    total = e.sum(axis=1, keepdims=True) + factor * old_sum
    if divide:
        return e / total, total, maximum, factor * old_sum / total
    return e, total, maximum, factor


class Case:
    def __init__(self, batch, kind, stat, op, rows=ROWS, valid=VALID, soc=2201):
        rng = np.random.default_rng(op + 10)
        self.kind, self.stat, self.op, self.rows = kind, stat, op, rows
        dtype, stat_type = TYPES[kind], TYPES[stat]
        self.valid = valid
        x = rng.normal(0, 2, (rows, COLUMNS)).astype(dtype)
        self.x = x[:, :valid].astype(np.float64)
        self.in_sum = rng.uniform(1, 3, (rows, 1)).astype(stat_type)
        self.in_max = rng.uniform(0, 4, (rows, 1)).astype(stat_type)
        packed = op == 14

        def pack(values):
            full = blocks(values, stat_type)
            if packed:
                full = np.zeros_like(full)
                full.reshape(-1)[:rows] = values[:, 0]
            return full

        stats = np.full((rows, 32 // np.dtype(stat_type).itemsize), KEPT, stat_type)
        exps = np.full((rows, 32 // np.dtype(dtype).itemsize), KEPT, dtype)
        self.launch = batch.add(
            "softmax.cpp", kernel=f"softmax<{kind}, {stat}>", soc=soc,
            args=[In(fractal(x) if op == 2 else x), In(pack(self.in_sum)),
                  In(pack(self.in_max)), Out(TAGS[kind], (rows, COLUMNS)),
                  InOut(stats), InOut(stats), InOut(exps), Scalar("u32", rows),
                  Scalar("u32", COLUMNS), Scalar("u32", valid),
                  Scalar("u32", op)])

    def expected(self):
        """y, sum, max, factor; None for what the call leaves alone."""
        old_sum, old_max = (v.astype(np.float64) for v in (self.in_sum, self.in_max))
        if self.op in (3, 4):
            return np.exp(self.x - old_max) / old_sum, None, None, None
        if self.op in (6, 8, 9, 14, 15):
            return flash(self.x, old_sum, old_max, divide=self.op == 6)
        y, total, maximum = softmax(self.x)
        if self.op == 7:
            y = y * total
        if self.op == 12:
            y = np.log10(y)
        if self.op in (10, 11):
            return y, None, None, None
        return y, total, maximum, None

    def check(self):
        y, total, maximum, factor = self.launch.results()
        if self.op == 2:
            y = unfractal(y, self.rows)
        want = self.expected()
        what = f"op {self.op}, {self.kind}, {self.stat}"
        self.compare(y[:, :self.valid], want[0], self.kind, what)
        for got, value, kind in ((total, want[1], self.stat),
                                 (maximum, want[2], self.stat),
                                 (factor, want[3], self.kind)):
            if self.op == 14:
                got = got.reshape(-1)[:self.rows].reshape(-1, 1)
            if value is None:
                assert np.all(got == KEPT), what
            else:
                self.compare(got, np.broadcast_to(value, got.shape), kind, what)

    @staticmethod
    def compare(got, want, kind, what):
        np.testing.assert_allclose(got.astype(np.float64), want, err_msg=what,
                                   rtol=TOLERANCE[kind], atol=TOLERANCE[kind] / 4)


@covers("SoftMax", "SimpleSoftMax", "SoftmaxFlash", "SoftmaxFlashV2", "LogSoftMax",
        "SoftMaxFlashV2TilingFunc",
        forms=("tmp", "no tmp", "NZ", "no statistics", "shape of the tensor",
               "update", "in place", "packed"),
        dtypes=("half", "float", "half+float"), archs=(2201, 2002, 3510), tail=True)
def test_softmax():
    batch = Batch()
    cases = []
    for op in range(16):
        for kind, stat in (("half", "half"), ("float", "float"), ("half", "float")):
            if kind != stat and op >= 10:
                continue
            soc = (2201, 2002, 3510)[op % 3] if op != 14 else 3510
            # NZ has whole fractals; a tiling knows of no padding.
            shape = {"valid": COLUMNS} if op in (2, 15) else {}
            if op == 2:
                shape["rows"] = 16
            cases.append(Case(batch, kind, stat, op, soc=soc, **shape))
    batch.run()
    for case in cases:
        case.check()


@covers("SoftmaxGrad", "SoftmaxGradFront", forms=("tmp", "no tmp", "front"),
        dtypes=("half", "float"), tail=True)
def test_gradient():
    rng = np.random.default_rng(2)
    for kind, dtype in TYPES.items():
        g = rng.normal(0, 1, (ROWS, COLUMNS)).astype(dtype)
        y = rng.uniform(0, 0.1, (ROWS, COLUMNS)).astype(dtype)
        g[:, VALID:] = y[:, VALID:] = 9
        wide_g, wide_y = (v[:, :VALID].astype(np.float64) for v in (g, y))
        front = (wide_g * wide_y).sum(axis=1, keepdims=True)
        for op in range(4):
            shape = (ROWS, COLUMNS if op == 0 else 32 // g.itemsize)
            got, = run("softmax.cpp", kernel=f"grad<{kind}>", ins=[g, y],
                       outs=[(TAGS[kind], shape)],
                       scalars=[("u32", v) for v in (ROWS, COLUMNS, VALID, op)])
            if op == 0:
                Case.compare(got[:, :VALID], (wide_g - front) * wide_y, kind, op)
            else:
                Case.compare(got, np.broadcast_to(front, shape), kind, op)


@covers("AdjustSoftMaxRes", forms=("block",), dtypes=("half", "float"))
def test_adjust():
    special = np.uint32(0xFF7FFFFF).view(np.float32)
    for kind, dtype in TYPES.items():
        res = np.arange(4 * 16).reshape(4, 16).astype(dtype)
        for rows in ([], [1, 3]):
            maximum = np.ones(4, np.float32)
            maximum[rows] = special
            got, found = run(
                "softmax.cpp", kernel=f"adjust<{kind}>",
                args=[InOut(res), In(blocks(maximum, np.float32)), Out("u32", 1),
                      Scalar("u32", 4), Scalar("u32", 16),
                      Scalar("u32", 0xFF7FFFFF), Scalar("f32", 0.5)])
            want = res.copy()
            want[rows] = 0.5
            np.testing.assert_array_equal(got, want)
            assert found[0] == bool(rows)


@covers("SoftmaxFlashV3", forms=("tmp", "no tmp", "update"), dtypes=("half+float",))
def test_shifted():
    rng = np.random.default_rng(6)
    for columns in (512, 1024, 1088):
        check_shifted(rng, columns)


def check_shifted(rng, columns):
    rows, loop, scale = 8, 3, 0.9375 / (1 - 0.9375)
    x = rng.normal(0, 0.25, (rows, columns)).astype(np.float16)
    old = [rng.uniform(lo, hi, (rows, 1)).astype(np.float32)
           for lo, hi in ((-0.01, 0.01), (100, 200), (0.5, 1.5))]
    wide = x.astype(np.float64)
    mean = wide.mean(axis=1, keepdims=True)
    # Eight neighbours of the first 512 columns, and every 64th of those after them.
    sums = wide[:, :512].reshape(rows, 64, 8).sum(axis=2)
    sums += wide[:, 512:].reshape(rows, -1, 64).sum(axis=1)
    means = sums.reshape(rows, 8, 8).sum(axis=2) / (columns // 8)
    shifted = wide - np.repeat((mean - means) * scale, columns // 8, axis=1)
    for update in (0, 1):
        old_mean, old_sum, old_max = (v.astype(np.float64) for v in old)
        new_mean = (mean + old_mean * (loop - 1)) / loop if update else mean
        now, before = (mean - new_mean) * scale, (old_mean - new_mean) * scale
        maximum = shifted.max(axis=1, keepdims=True) + now
        if update:
            maximum = np.maximum(maximum, old_max + before)
        y = np.exp(shifted - (maximum - now))
        total, factor = y.sum(axis=1, keepdims=True), np.full((rows, 1), 7.0)
        if update:
            factor = np.exp(old_max - maximum + before)
            total = total + factor * old_sum
        got = run("softmax.cpp", kernel="pasa",
                  ins=[x] + [blocks(v, np.float32) for v in old],
                  outs=[("f16", x.shape)] + [("f32", (rows, 8))] * 3
                  + [("f16", (rows, 16))],
                  scalars=[("u32", v) for v in (rows, columns, loop, update)])
        for value, want in zip(got, (y, new_mean, total, maximum, factor)):
            kind = "half" if value.dtype == np.float16 else "float"
            np.testing.assert_allclose(
                value.astype(np.float64), np.broadcast_to(want, value.shape),
                rtol=2e-3 if kind == "half" else 2e-5, atol=2e-6)


@covers("SoftMax", forms=("refused shape",))
def test_refused():
    x = np.zeros((2, 40), np.float16)
    stats = np.zeros((2, 16), np.float16)
    expect_failure(
        "bad-repeat", "softmax.cpp", kernel="softmax<half, half>",
        contains="multiple of 16",
        args=[In(x), In(stats), In(stats), Out("f16", (2, 40)), InOut(stats),
              InOut(stats), InOut(stats)]
        + [Scalar("u32", v) for v in (2, 40, 33, 0)])


@covers("SoftmaxFlashV3", forms=("refused shape",))
def test_refused_shifted():
    rows, columns = 8, 256  # less than the 512 that eight parts are made from
    stats = [np.zeros((rows, 8), np.float32)] * 3
    expect_failure(
        "bad-repeat", "softmax.cpp", kernel="pasa", contains="256 columns",
        args=[In(np.zeros((rows, columns), np.float16))] + [In(v) for v in stats]
        + [Out("f16", (rows, columns))] + [Out("f32", (rows, 8))] * 3
        + [Out("f16", (rows, 16))]
        + [Scalar("u32", v) for v in (rows, columns, 3, 0)])


if __name__ == "__main__":
    main()
