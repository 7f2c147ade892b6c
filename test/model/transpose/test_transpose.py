"""Transposes, padding and interpolation against NumPy."""
import numpy as np
from harness import BF16, Batch, covers, expect_failure, main, run, to_bf16

CTYPE = {"float16": "half", "float32": "float"}
ARCHS = (2002, 2201, 3510)
TENSORS, ADDRESSES, LISTED, REGISTERS, SQUARE, LAYOUT, PAD, RAW_SQUARE = range(8)
NONE, NZ, B16, TO_NHWC, TO_NCHW = 0, 1, 10, 11, 12


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


def call(op, x, results, repeat=1, dst_stride=0, src_stride=0, dst_high=False, src_high=False,
         same=False, shape=(0, 0, 0, 0), kind=B16, tmp=32, mode=0, right=False, form=0,
         mask=0, bits=0, to=(0,) * 16, frm=(0,) * 16, arch=2201):
    """The arguments of one launch of transpose.cpp."""
    words = [bits >> s & 0xFFFFFFFF for s in (0, 32, 64, 96)]
    p = [len(x), results, op, repeat, dst_stride, src_stride, dst_high, src_high, same, *shape,
         kind, tmp, mode, right, form, mask, *words, *to, *frm]
    params = np.array(p).astype(np.uint32).view(np.int32)
    y = np.full(results, 77, x.dtype).view(type(x))
    return dict(source="transpose.cpp", kernel=f"transpose<{ctype(x)}>", ins=[x, params],
                inouts=[y], soc=arch)


def run_all(cases):
    batch = Batch()
    added = [(batch.add(**launch), want) for launch, want in cases]
    batch.run()
    for launch, want in added:
        (y,) = launch.results()
        np.testing.assert_array_equal(np.asarray(y), np.asarray(want))


# --- sixteen blocks ----------------------------------------------------------


def five_hd(x, results, to, frm, repeat, dst_stride, src_stride, dst_high=False,
            src_high=False):
    """What the documentation's pictures say, one element at a time."""
    x = np.asarray(x)
    per_block = 32 // x.itemsize
    y = np.full(results, 77, x.dtype)
    for r in range(repeat):
        shift = 1 if repeat == 1 else r
        rows = np.stack([x[f + shift * src_stride * per_block :][:per_block] for f in frm])
        if x.itemsize == 1:
            rows = rows[:, 16:] if src_high else rows[:, :16]
        columns = rows.T.reshape(16, -1)  # of bytes 16 halves, of words 16 pairs of halves
        for t, column in zip(to, columns):
            place = t + shift * dst_stride * per_block + (16 if dst_high else 0)
            y[place : place + len(column)] = column
    return y


@covers("TransDataTo5HD", forms=("tensors", "addresses", "listed"), archs=ARCHS,
        dtypes=("int8_t", "uint8_t", "int16_t", "uint16_t", "half", "bfloat16_t", "int32_t",
                "uint32_t", "float"))
def test_transpose_blocks():
    cases = []
    every = [np.int8, np.uint8, np.int16, np.uint16, np.float16, np.int32, np.uint32,
             np.float32]
    few = [np.int8, np.float16, np.float32]  # one per size
    for arch, types in ((2002, few), (2201, every), (3510, few + ["bf16"])):
        for dtype in types:
            x = random(dtype, 16 * 32 * 4)
            per_block = 32 // x.itemsize
            even = np.arange(16) * per_block
            for op in (TENSORS, ADDRESSES, LISTED):
                cases.append((call(op, x, len(x), to=even, frm=even, arch=arch),
                              five_hd(x, len(x), even, even, 1, 0, 0)))
    run_all(cases)


@covers("TransDataTo5HD", "set_va_reg_sb", "scatter_vnchwconv_b16", "scatter_vnchwconv_b32",
        "scatter_vnchwconv_b8", forms=("repeat",), dtypes=("int8_t", "half", "float"))
def test_repeats_and_scattered_lists():
    cases = []
    for dtype in (np.int8, np.float16, np.float32):
        x = random(dtype, 16 * 64 * 8)
        per_block = 32 // x.itemsize
        # Planes of four blocks, the way NCHW becomes NC1HWC0.
        planes = np.arange(16) * 4 * per_block
        even = np.arange(16) * per_block
        shuffled = np.random.default_rng(1).permutation(16) * 4 * per_block
        for op in (ADDRESSES, REGISTERS):
            for to, frm, repeat, d, s in ((even, planes, 4, 16, 1), (shuffled, planes, 3, 1, 1),
                                          (even, shuffled, 2, 20, 2), (even, even, 1, 16, 2)):
                cases.append((call(op, x, len(x), repeat, d, s, to=to, frm=frm),
                              five_hd(x, len(x), to, frm, repeat, d, s)))
    run_all(cases)


@covers("TransDataTo5HD", forms=("halves",), dtypes=("int8_t", "uint8_t"))
def test_halves_of_bytes():
    cases = []
    for dtype in (np.int8, np.uint8):
        x = random(dtype, 512 * 2)
        even = np.arange(16) * 32
        for dst_high in (False, True):
            for src_high in (False, True):
                for op in (ADDRESSES, REGISTERS):
                    cases.append((call(op, x, len(x), 2, 16, 16, dst_high, src_high, to=even,
                                       frm=even),
                                  five_hd(x, len(x), even, even, 2, 16, 16, dst_high,
                                          src_high)))
    run_all(cases)


def test_nothing_for_no_repeats():
    x = random(np.float16, 512)
    even = np.arange(16) * 16
    run_all([(call(ADDRESSES, x, 512, 0, to=even, frm=even), np.full(512, 77, np.float16))])


# --- layouts -----------------------------------------------------------------


@covers("Transpose", "vtranspose", forms=("square",), dtypes=("int16_t", "uint16_t", "half"),
        archs=ARCHS)
def test_square():
    cases = []
    for arch in ARCHS:
        for dtype in (np.int16, np.uint16, np.float16):
            x = random(dtype, 256)
            want = x.reshape(16, 16).T.ravel()
            for same in (False, True):
                cases.append((call(SQUARE, x, 256, same=same, arch=arch), want))
                cases.append((call(RAW_SQUARE, x, 256, same=same, arch=arch), want))
                if dtype == np.uint16 or arch == 3510:
                    cases.append((call(LAYOUT, x, 256, same=same, shape=(0, 0, 16, 16),
                                       arch=arch), want))
    run_all(cases)


@covers("Transpose", forms=("NCHW", "NHWC"), archs=ARCHS,
        dtypes=("int8_t", "uint8_t", "int16_t", "uint16_t", "half", "bfloat16_t", "int32_t",
                "uint32_t", "float"))
def test_layouts():
    cases = []
    every = [np.int8, np.uint8, np.int16, np.uint16, np.float16, np.int32, np.uint32,
             np.float32]
    few = [np.int8, np.float16, np.float32]  # one per size
    for arch, types in ((2002, few), (2201, every), (3510, few + ["bf16"])):
        for dtype in types:
            for n, c, h, w in ((1, 3, 4, 8), (2, 5, 8, 12)):
                x = random(dtype, n * c * h * w)
                plain = np.asarray(x)
                height = 32 if x.itemsize == 1 else 16
                for kind, axes, frm, squares in (
                    (TO_NHWC, (0, 2, 3, 1), (n, c, h, w), c + 2),
                    (TO_NCHW, (0, 3, 1, 2), (n, h, w, c), 2 * c + 1),
                ):
                    want = plain.reshape(frm).transpose(axes).ravel()
                    tmp = 32 if arch == 2002 else squares * height * 32
                    cases.append((call(LAYOUT, x, len(x), shape=(n, c, h, w), kind=kind,
                                       tmp=tmp, arch=arch), want))
    run_all(cases)


def test_nothing_for_no_elements():
    x = random(np.float16, 64)
    left = np.full(64, 77, np.float16)
    run_all([(call(LAYOUT, x, 64, shape=(0, 3, 4, 8), kind=TO_NHWC), left),
             (call(LAYOUT, x, 64, kind=NONE), left)])


# --- padding -----------------------------------------------------------------


def padded(block, mode, right):
    if mode == 0:
        return np.repeat(block[-1:] if right else block[:1], len(block))
    if mode == 1:
        return block[::-1]
    zero = np.zeros(1, block.dtype)
    mirror = block[::-1]
    return np.concatenate([mirror[1:], zero] if right else [zero, mirror[:-1]])


@covers("VectorPadding", forms=("count", "mask", "bits"), dtypes=("half", "float", "int16_t"),
        archs=(2002,), tail=True)
def test_padding():
    cases = []
    for dtype in (np.float16, np.float32, np.int16):
        x = random(dtype, 1024)
        per_block, lanes = 32 // x.itemsize, 256 // x.itemsize
        blocks = x.reshape(-1, per_block)
        for mode in (0, 1, 2):
            for right in (False, True):
                full = np.concatenate([padded(b, mode, right) for b in blocks])
                want = np.full(1024, 77, dtype)
                want[:301] = full[:301]
                cases.append((call(PAD, x, 1024, mode=mode, right=right, mask=301, arch=2002),
                              want))
                # Source blocks two apart, repeats 16 apart; the destination dense.
                active = np.random.default_rng(2).random(lanes) < 0.5
                for form, on in ((1, np.arange(lanes) < 37), (2, active)):
                    want = np.full(1024, 77, dtype)
                    for r in range(2):
                        out = np.concatenate([padded(b, mode, right)
                                              for b in blocks[r * 16 : r * 16 + 16 : 2]])
                        want[r * lanes :][:lanes][on] = out[on]
                    bits = sum(1 << int(i) for i in np.flatnonzero(on))
                    cases.append((call(PAD, x, 1024, 2, 8, 16, mode=mode, right=right,
                                       form=form, mask=37, bits=bits, arch=2002), want))
    run_all(cases)


# --- interpolation -----------------------------------------------------------


def interpolation(src, weights, offsets, results=512, mask=128, bits=0, h=2, v=2, per_block=0,
                  block_stride=1, step=128, tmp=None, arch=2201):
    need = {2002: offsets.size * 4, 2201: (src.size + weights.size) * 32, 3510: 32}[arch]
    scalars = [src.size, weights.size, offsets.size, results, mask, bits, h, v, per_block,
               block_stride, step, need if tmp is None else tmp]
    return dict(source="transpose.cpp", kernel="interpolate", ins=[src, weights, offsets],
                inouts=[np.full(results, 77, np.float16)], soc=arch,
                scalars=[("i32", s) for s in scalars])


@covers("BilinearInterpolation", forms=("mask", "bits"), dtypes=("half",), archs=ARCHS)
def test_interpolation():
    rng = np.random.default_rng(3)
    src = rng.uniform(-2, 2, 512).astype(np.float16)
    weights = rng.uniform(-2, 2, 96).astype(np.float16)
    blocks = src.reshape(-1, 16)
    batch, cases = Batch(), []
    for arch in ARCHS:
        for h, v in ((2, 2), (3, 1), (1, 4)):
            picks = rng.integers(0, 32, h * v * 8).astype(np.uint32)
            for per_block in (0, 1):
                for bits, block_stride, step in ((0, 1, 128), (0b1011, 2, 256)):
                    rounds = blocks[picks].reshape(v, h, 8, 16)
                    w = (weights[: h * v * 8].reshape(v, h, 8, 1) if per_block else
                         weights[: h * v].reshape(v, h, 1, 1))
                    products = rounds * w
                    total = products[:, 0]
                    for i in range(1, h):
                        total = total + products[:, i]
                    lane = np.arange(128)
                    on = (lane < 128) if not bits else (bits >> (lane % 64) & 1).astype(bool)
                    want = np.full(1024, 77, np.float16)
                    for i in range(v):
                        place = i * step + lane // 16 * 16 * block_stride + lane % 16
                        want[place[on]] = total[i].ravel()[on]
                    cases.append((batch.add(**interpolation(
                        src, weights, picks * 32, 1024, bits=bits, h=h, v=v,
                        per_block=per_block, block_stride=block_stride, step=step, arch=arch)),
                        want))
    batch.run()
    for launch, want in cases:
        np.testing.assert_array_equal(launch.results()[0], want)


@covers("BilinearInterpolation", dtypes=("half",))
def test_interpolation_of_the_documentation():
    src = np.arange(1, 513).astype(np.float16)
    weights = np.arange(2, 18).astype(np.float16)
    offsets = np.arange(0, 1024, 32, dtype=np.uint32)
    (y,) = run(**interpolation(src, weights, offsets, 256))
    assert list(y[:4]) == [389, 394, 399, 404]


# --- errors ------------------------------------------------------------------


def fails(ident, op, x, contains=(), line=None, **kwargs):
    launch = call(op, x, len(x), **kwargs)
    expect_failure(ident, launch.pop("source"), contains=contains, line=line, **launch)


def test_bad_calls_are_refused():
    x = random(np.float16, 1024)
    even = np.arange(16) * 16
    odd = even + 8
    lists = dict(to=even, frm=even)
    fails("misaligned-address", TENSORS, x, "sources", line="// tensors", to=even, frm=odd)
    fails("misaligned-address", ADDRESSES, x, "destinations", to=odd, frm=even)
    fails("local-out-of-bounds", ADDRESSES, x, repeat=200, dst_stride=64, src_stride=0, **lists)
    fails("unsupported-dtype", ADDRESSES, random(np.int64, 512), **lists)
    fails("unsupported-dtype", ADDRESSES, random("bf16", 512), **lists)
    fails("unsupported-dtype", SQUARE, random(np.float32, 512))
    fails("unsupported-dtype", LAYOUT, x, kind=B16)
    fails("unsupported-api", LAYOUT, x, kind=NZ)
    shape = (1, 4, 4, 8)
    fails("local-out-of-bounds", LAYOUT, x, "3072 bytes", shape=shape, kind=TO_NHWC, tmp=3040)
    fails("operand-overlap", LAYOUT, x, shape=shape, kind=TO_NHWC, tmp=3072, same=True)
    fails("misaligned-address", LAYOUT, x, shape=(1, 4, 3, 3), kind=TO_NHWC, tmp=3072)
    fails("bad-repeat", LAYOUT, x, shape=(1, 1, 64, 65), kind=TO_NHWC, tmp=3072)
    fails("unsupported-api", PAD, x, mask=16)
    fails("bad-repeat", PAD, x, "padMode 3", mode=3, mask=16, arch=2002)


def test_good_calls_are_not():
    x = random(np.float16, 1024)
    want = np.full(1024, 77, np.float16)
    want[:128] = x[:128].reshape(4, 32).T.ravel()
    run_all([(call(LAYOUT, x, 1024, shape=(1, 4, 4, 8), kind=TO_NHWC, tmp=3072), want)])


def test_bad_interpolations_are_refused():
    src, weights = np.ones(512, np.float16), np.ones(96, np.float16)
    offsets = np.zeros(32, np.uint32)
    bad = offsets.copy()
    bad[9] = 1024
    odd = offsets.copy()
    odd[3] = 16

    def refuse(ident, contains, table=offsets, **kwargs):
        launch = interpolation(src, weights, table, **kwargs)
        expect_failure(ident, launch.pop("source"), contains=contains, **launch)

    refuse("local-out-of-bounds", ("offset 1024", "number 9"), bad)
    refuse("misaligned-address", "offset 16", odd)
    refuse("bad-repeat", "vROffset 100", step=100)
    refuse("bad-repeat", "hRepeat 0", h=0)
    refuse("local-out-of-bounds", "sharedTmpBuffer", tmp=1024)


if __name__ == "__main__":
    main()
