"""Copies against NumPy: gaps, rounding, padding, slices, fractals, atomics."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import Batch, covers, expect_failure, main, run  # noqa: E402

ARCHS = (2002, 2201, 3510)
CTYPE = {
    "float16": "half",
    "float32": "float",
    "int8": "int8_t",
    "uint8": "uint8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
}
COUNT, BLOCKS, PAD, PAD_OLD, COMPACT, LOOPS = range(6)
rng = np.random.default_rng(13)


def numbers(dtype, n):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return rng.uniform(-4, 4, n).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)


class Copy:
    """The numbers of one copy; pad is 0 for none, 1 isPad, 2 SetPadValue."""

    def __init__(self, op, count=1, length=0, src_gap=0, dst_gap=0, pad=0, left=0,
                 right=0, src=0, dst=0):  # fmt: skip
        self.op, self.count, self.length = op, count, length
        self.src_gap, self.dst_gap = src_gap, dst_gap
        self.pad, self.left, self.right = pad, left, right
        self.src, self.dst = src, dst

    def words(self):
        return np.array(
            [self.op, self.count, self.length, self.src_gap, self.dst_gap, self.pad,
             self.left, self.right, self.src, self.dst], np.int32)  # fmt: skip


def copy_in(batch, copy, x, z, arch, value=0):
    v = np.array([value], x.dtype)
    return batch.add(
        "copy.cpp", kernel=f"in<{CTYPE[x.dtype.name]}>", ins=[x, v, copy.words()],
        inouts=[z], scalars=[("i32", len(z))], soc=arch,
    )  # fmt: skip


def copy_out(batch, copy, x, z, arch):
    return batch.add(
        "copy.cpp", kernel=f"out<{CTYPE[x.dtype.name]}>", ins=[x, copy.words()],
        inouts=[z], scalars=[("i32", len(x))], soc=arch,
    )  # fmt: skip


def finish(batch, checks):
    batch.run()
    for one, want in checks:
        np.testing.assert_array_equal(one.results()[0], want)


def moved(copy, x, z, src_step, dst_step, length):
    """z after bursts of `length` elements, their starts src_step and dst_step
    apart."""
    z = z.copy()
    for b in range(copy.count):
        s, d = copy.src + b * src_step, copy.dst + b * dst_step
        z[d : d + length] = x[s : s + length]
    return z


@covers("DataCopy", forms=("count", "DataCopyParams"), archs=ARCHS, tail=True,
        dtypes=("half", "float", "int8_t", "int16_t", "int32_t", "int64_t"))  # fmt: skip
def test_blocks():
    batch, checks = Batch(), []
    for dtype in CTYPE:
        per_block = 32 // np.dtype(dtype).itemsize
        x, z = numbers(dtype, 64 * per_block), numbers(dtype, 64 * per_block)
        for arch in ARCHS if dtype == "float16" else (2201,):
            # A count that fills no whole block is cut down to one.
            whole, n = 5 * per_block, 5 * per_block + per_block // 2
            c = Copy(COUNT, n, src=0, dst=2 * per_block)
            want = moved(Copy(COUNT, 1, dst=c.dst), x, z, 0, 0, whole)
            checks.append((copy_in(batch, c, x, z, arch), want))
            c = Copy(COUNT, n, src=2 * per_block, dst=3)
            want = moved(Copy(COUNT, 1, src=c.src, dst=3), x, z, 0, 0, whole)
            checks.append((copy_out(batch, c, x, z, arch), want))
            # Gaps are in blocks on both sides; global memory starts anywhere.
            c = Copy(BLOCKS, 4, 3, 2, 5, src=1, dst=per_block)
            want = moved(c, x, z, 5 * per_block, 8 * per_block, 3 * per_block)
            checks.append((copy_in(batch, c, x, z, arch), want))
            c = Copy(BLOCKS, 4, 3, 5, 2, src=per_block, dst=1)
            want = moved(c, x, z, 8 * per_block, 5 * per_block, 3 * per_block)
            checks.append((copy_out(batch, c, x, z, arch), want))
    finish(batch, checks)


def padded(copy, x, z, value, arch, poison):
    """DataCopyPad into local memory, byte by byte as the reference describes."""
    z = z.copy()
    size, per_block = z.itemsize, 32 // z.itemsize
    n = copy.length // size
    used = copy.left + n + copy.right
    slot = -(-used // per_block) * per_block
    fill = value if copy.pad else poison
    for b in range(copy.count):
        s = copy.src + b * (copy.length + copy.src_gap) // size
        d = copy.dst + b * (slot + copy.dst_gap * per_block)
        z[d : d + copy.left] = fill
        z[d + copy.left : d + copy.left + n] = x[s : s + n]
        z[d + copy.left + n : d + used] = fill
        dummy = fill
        if not copy.left and not copy.right and not (arch == 3510 and copy.pad == 1):
            dummy = x[s]
        z[d + used : d + slot] = dummy
    return z


@covers("DataCopyPad", "SetPadValue", forms=("ext in", "old in"), archs=(2201, 3510),
        dtypes=("half", "float", "int8_t", "int32_t", "int64_t"), tail=True)  # fmt: skip
def test_pad_in():
    batch, checks = Batch(), []
    for dtype in ("float16", "float32", "int8", "int32", "int64"):
        size = np.dtype(dtype).itemsize
        value = 0 if size == 8 else 5
        poison = np.frombuffer(b"\xff" * size, dtype)[0]
        x, z = numbers(dtype, 400), numbers(dtype, 1024)
        for arch in (2201, 3510):
            for op in (PAD, PAD_OLD):
                for pad_by, left, right in ((0, 0, 0), (1, 0, 0), (1, 2, 1), (2, 0, 3),
                                            (0, 1, 2), (1, 0, 32 // size)):  # fmt: skip
                    c = Copy(op, 3, 13 * size, 4 * size, 2, pad_by, left, right, 5, 32 // size)
                    want = padded(c, x, z, value, arch, poison)
                    checks.append((copy_in(batch, c, x, z, arch, value), want))
    finish(batch, checks)


@covers("DataCopyPad", forms=("ext out", "old out"), archs=(2201, 3510), tail=True,
        dtypes=("half", "float", "int8_t", "int64_t"))  # fmt: skip
def test_pad_out():
    batch, checks = Batch(), []
    for dtype in ("float16", "float32", "int8", "int64"):
        size, per_block = np.dtype(dtype).itemsize, 32 // np.dtype(dtype).itemsize
        x, z = numbers(dtype, 512), numbers(dtype, 300)
        for arch in (2201, 3510):
            for op in (PAD, PAD_OLD):
                c = Copy(op, 4, 13 * size, 1, 6 * size, src=per_block, dst=7)
                slot = (-(-13 // per_block) + 1) * per_block
                checks.append((copy_out(batch, c, x, z, arch), moved(c, x, z, slot, 19, 13)))
    finish(batch, checks)


@covers("DataCopyPad", forms=("compact", "loop mode", "repeated source"), archs=(3510,),
        dtypes=("half", "int8_t"))  # fmt: skip
@covers("SetLoopModePara", "ResetLoopModePara", forms=("in",), archs=(3510,))
def test_pad_on_950():
    batch, checks = Batch(), []
    x, z = numbers("int8", 2000), numbers("int8", 2048)
    # Bursts without gaps, filled up once at the end: with the value, or with the
    # first element.
    for by in (0, 1):
        c = Copy(COMPACT, 3, 24, 8, 0, by)
        want = z.copy()
        want[:72] = np.concatenate([x[i * 32 : i * 32 + 24] for i in range(3)])
        want[72:96] = 9 if by else x[0]
        checks.append((copy_in(batch, c, x, z, 3510, 9), want))
    c = Copy(COMPACT, 3, 24, 0, 8)
    want = z.copy()
    for i in range(3):
        want[i * 32 : i * 32 + 24] = x[i * 24 : i * 24 + 24]
    checks.append((copy_out(batch, c, x, z, 3510), want))
    # A source stride of minus the length copies the same burst again.
    c = Copy(PAD, 4, 40, -40, 0, 1)
    want = z.copy()
    for i in range(4):
        want[i * 64 : i * 64 + 40] = x[:40]
        want[i * 64 + 40 : i * 64 + 64] = 9
    checks.append((copy_in(batch, c, x, z, 3510, 9), want))
    # Two inner and three outer loops around two bursts.
    c = Copy(LOOPS, 2, 48, 0, 0, 1)
    want = z.copy()
    for outer in range(3):
        for inner in range(2):
            s, d = inner * 96 + outer * 240, inner * 128 + outer * 416
            for b in range(2):
                want[d + 64 * b : d + 64 * b + 48] = x[s + 48 * b : s + 48 * b + 48]
                want[d + 64 * b + 48 : d + 64 * b + 64] = 9
    checks.append((copy_in(batch, c, x, z, 3510, 9), want))
    finish(batch, checks)


@covers("DataCopy", forms=("SliceInfo",), dtypes=("float",), archs=ARCHS)
def test_slices():
    x = numbers("float32", 3 * 87)
    p = [16, 70, 7, 3, 87, 0, 2, 1, 1, 3, 0, 47, 0, 3, 48, 0, 1, 0, 1, 2]
    rows = x.reshape(3, 87)[::2]
    want = np.concatenate([rows[:, 16:40], rows[:, 47:71]], 1).reshape(-1)
    for arch in ARCHS:
        (got,) = run("copy.cpp", kernel="slices<float>", ins=[x, np.array(p, np.uint32)],
                     outs=[("f32", 96)], scalars=[("i32", 96)], soc=arch)  # fmt: skip
        np.testing.assert_array_equal(got, want)
    p[1] = 69
    expect_failure("bad-repeat", "copy.cpp", kernel="slices<float>", outs=[("f32", 96)],
                   ins=[x, np.array(p, np.uint32)], scalars=[("i32", 96)],
                   contains="do not fill")  # fmt: skip


@covers("DataCopy", forms=("Nz2NdParamsFull",), dtypes=("half", "float"), archs=ARCHS)
def test_nz_to_nd():
    for dtype in ("float16", "float32"):
        x = numbers(dtype, 1024)
        z = numbers(dtype, 1200)
        # Two matrices of 5 x 32; columns of fractals 6 rows apart.
        p = [2, 5, 32, 2, 6, 40, 210]
        want = z.copy()
        for m in range(2):
            for r in range(5):
                for f in range(2):
                    s = m * 512 + f * 96 + r * 16
                    d = m * 210 + r * 40 + f * 16
                    want[d : d + 16] = x[s : s + 16]
        for arch in ARCHS:
            (got,) = run("copy.cpp", kernel=f"nz2nd<{CTYPE[dtype]}>", inouts=[z], soc=arch,
                         ins=[x, np.array(p, np.int32)], scalars=[("i32", 1024)])  # fmt: skip
            np.testing.assert_array_equal(got, want)


@covers("DataCopy", "NdDmaDci", forms=("NdDmaParams",), dtypes=("half", "int32_t"), archs=(3510,))
def test_many_dimensions():
    for dtype in ("float16", "int32"):
        x, z = numbers(dtype, 32), numbers(dtype, 128)
        rows = x.reshape(4, 8)
        edges = ((1, 2), (3, 2))
        constant = np.pad(rows, edges, constant_values=7)
        nearest = np.pad(rows, edges, mode="edge")
        for op, block, width in ((0, constant, 16), (1, nearest, 16), (2, rows.T, 4),
                                 (3, np.tile(x[:8], (4, 1)), 8)):  # fmt: skip
            want = z.copy()
            for r, row in enumerate(block):
                want[r * width : r * width + len(row)] = row
            (got,) = run("copy.cpp", kernel=f"multi<{CTYPE[dtype]}>", ins=[x], inouts=[z],
                         scalars=[("i32", op), ("i32", 128)], soc=3510)  # fmt: skip
            np.testing.assert_array_equal(got, want)


@covers("SetAtomicAdd", "SetAtomicMax", "SetAtomicMin", "SetAtomicNone", "SetAtomicType",
        forms=("DataCopy",), dtypes=("half", "float", "int16_t", "int32_t", "int8_t"),
        archs=ARCHS)  # fmt: skip
def test_atomics():
    functions = {0: np.add, 1: np.maximum, 2: np.minimum, 3: np.add}
    for arch in ARCHS:
        for dtype in ("float16", "float32", "int16", "int32", "int8"):
            if arch == 2002 and dtype in ("int32", "int8"):
                continue
            for op in (0,) if arch == 2002 else (0, 1, 2, 3):
                # Small integers: sums are exact in any order.
                rows = rng.integers(-8, 8, (4, 64)).astype(dtype)
                z = rng.integers(-8, 8, 128).astype(dtype)
                (got,) = run("copy.cpp", kernel=f"atomic<{CTYPE[dtype]}>", ins=[rows],
                             inouts=[z], blocks=4, scalars=[("i32", op), ("i32", 64)],
                             soc=arch)  # fmt: skip
                want = functions[op].reduce(np.concatenate([rows, z[None, :64]]))
                np.testing.assert_array_equal(got[:64], want.astype(dtype))
                np.testing.assert_array_equal(got[64:], rows[0])


def fails(ident, contains, copy, x, z, arch=2201, value=0, kernel="in"):
    v = np.array([value], x.dtype)
    ins = [x, v, copy.words()] if kernel == "in" else [x, copy.words()]
    expect_failure(
        ident, "copy.cpp", kernel=f"{kernel}<{CTYPE[x.dtype.name]}>", ins=ins, inouts=[z],
        scalars=[("i32", len(z))], soc=arch, contains=contains,
    )  # fmt: skip


def works(copy, x, z, arch=2201, value=0):
    batch = Batch()
    one = copy_in(batch, copy, x, z, arch, value)
    batch.run()
    one.results()


def test_limits():
    x, z = numbers("float32", 64), numbers("float32", 64)
    works(Copy(PAD, 2, 8, 0, 0), x, z)
    fails("unsupported-api", "DataCopyPad", Copy(PAD, 2, 8), x, z, arch=2002)
    fails("unsupported-api", "Compact", Copy(COMPACT, 2, 8), x, z)
    fails("bad-repeat", "4096 blocks", Copy(PAD, 4096, 4, -4, 0), x, z, arch=3510)
    fails("bad-repeat", "no whole number", Copy(PAD, 1, 6), x, z)
    works(Copy(PAD, 1, 4, pad=1, left=8, right=8), x, z)
    fails("bad-repeat", "at most 32 bytes", Copy(PAD, 1, 4, pad=1, left=9), x, z)
    fails("bad-repeat", "srcStride of -12", Copy(PAD, 2, 8, -12, 0), x, z, arch=3510)
    wide = numbers("int64", 64)
    fails("bad-repeat", "other than 0", Copy(PAD, 1, 8, pad=1, left=1), wide, wide, value=3)
    works(Copy(PAD, 1, 8, pad=1, left=1), wide, wide)
    works(Copy(BLOCKS, 0, 1), x, z)
    works(Copy(BLOCKS, 1, 0), x, z)


def test_bounds():
    x, z = numbers("float32", 64), numbers("float32", 64)
    works(Copy(BLOCKS, 1, 8), x, z)
    # The last blocks are half inside; what the device's allocator adds is allowed.
    fails("gm-out-of-bounds", "DataCopy reads", Copy(BLOCKS, 1, 8, src=9), x, z)
    fails("gm-out-of-bounds", "DataCopyPad reads", Copy(PAD, 1, 40, src=63), x, z)
    works(Copy(PAD, 1, 4, src=63), x, z)
    fails("gm-out-of-bounds", "DataCopyPad writes", Copy(PAD, 1, 40, dst=63), x, z, kernel="out")
    for at, good in ((8, True), (4, False)):
        case = dict(kernel="misaligned", ins=[x], scalars=[("i32", at)])
        if good:
            run("copy.cpp", **case)
        else:
            expect_failure("misaligned-address", "copy.cpp", line="global memory needs no", **case)


def test_atomic_types():
    rows, z = np.zeros((1, 64), np.int32), np.zeros(128, np.int32)
    case = dict(kernel="atomic<int32_t>", ins=[rows], inouts=[z])
    scalars = [("i32", 0), ("i32", 64)]
    expect_failure("unsupported-dtype", "copy.cpp", contains="SetAtomicAdd has no form",
                   scalars=scalars, soc=2002, **case)  # fmt: skip
    run("copy.cpp", scalars=scalars, soc=2201, **case)
    expect_failure("unsupported-api", "copy.cpp", contains="SetAtomicMax", soc=2002,
                   scalars=[("i32", 1), ("i32", 64)], **case)  # fmt: skip


if __name__ == "__main__":
    main()
