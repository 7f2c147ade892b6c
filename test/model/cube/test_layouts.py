"""Layouts in L1, LoadData 3D as a convolution, and the cube's special shapes."""
import numpy as np
import torch

from harness import Batch, In, Out, Scalar, covers, main

rng = np.random.default_rng(3)


# dtype, channels in and out, height, width, filter, stride, dilation, padding
CONVOLUTIONS = [
    (np.float16, 16, 16, 8, 8, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)),
    (np.float16, 32, 24, 9, 7, (3, 2), (2, 1), (1, 2), (0, 1, 2, 0)),
    (np.float32, 16, 16, 6, 10, (1, 5), (1, 2), (1, 1), (2, 2, 0, 0)),
    (np.float16, 16, 40, 5, 5, (5, 5), (1, 1), (1, 1), (0, 0, 0, 0)),
]


def u32(*values):
    return [Scalar("u32", v) for v in values]


def nz_in_l1(src, num, rows, columns, src_matrix, src_row, dst_column, dst_row, dst_matrix, count, column_major):
    """What the documentation says of Nd2NzParams, element by element."""
    size = src.itemsize
    c0 = 32 // size
    out = np.frombuffer(b"\x01" * (count * size), src.dtype).copy()
    for i in range(num):
        for r in range(rows):
            for c in range(-(-columns // c0) * c0):
                to = i * dst_matrix + (c // c0 * dst_column + r * dst_row) * c0 + c % c0
                at = i * src_matrix + (c * src_row + r if column_major else r * src_row + c)
                out[to] = src[at] if c < columns else 0
    return out


@covers(
    "DataCopy",
    forms=("Nd2Nz", "Dn2Nz"),
    dtypes=("half", "float", "int8_t"),
    archs=(2201, 3510),
    tail=True,
)
def test_nd2nz():
    types = {"half": np.float16, "float": np.float32, "int8_t": np.int8}
    shapes = [
        (1, 16, 32, 0, 32, 16, 1, 0),
        (1, 40, 56, 0, 60, 48, 1, 0),
        (2, 8, 23, 384, 32, 37, 2, 320),
        (3, 5, 7, 70, 9, 8, 1, 512),
    ]
    batch, made = Batch(), []
    for name, dtype in types.items():
        kind = {"half": "f16", "float": "f32", "int8_t": "i8"}[name]
        src = rng.integers(-100, 100, 6000).astype(dtype)
        count = 8192
        for major, soc in ((0, 2201), (0, 3510), (1, 3510)):
            for shape in shapes:
                run = batch.add(
                    "layouts.cpp",
                    kernel=f"nd2nz<{name}>",
                    args=[In(src), Out(kind, count)] + u32(major, *shape, count),
                    soc=soc,
                    task="cube",
                )
                made.append((run, nz_in_l1(src, *shape, count, major)))
    batch.run()
    for run, want in made:
        np.testing.assert_array_equal(run.results()[0], want)


@covers(
    "Fill",
    "InitConstValue",
    dtypes=("half", "float", "int16_t", "int32_t"),
    archs=(2201, 3510),
)
def test_fill():
    kinds = {"half": ("f16", np.float16), "float": ("f32", np.float32)}
    kinds.update({"int16_t": ("i16", np.int16), "int32_t": ("i32", np.int32)})
    batch, made = Batch(), []
    for name, (kind, dtype) in kinds.items():
        for soc in (2201, 3510):
            for old, (repeat, blocks, gap) in enumerate([(5, 3, 5), (1, 7, 0), (0, 3, 1)]):
                count = 2048
                want = np.ones(count, dtype)
                per = 32 // want.itemsize
                for r in range(repeat):
                    start = r * (blocks + gap) * per
                    want[start : start + blocks * per] = -9
                run = batch.add(
                    "layouts.cpp",
                    kernel=f"fill<{name}>",
                    args=[Out(kind, count)]
                    + u32(repeat, blocks, gap)
                    + [Scalar("i32", -9)]
                    + u32(old % 2, count),
                    soc=soc,
                    task="cube",
                )
                made.append((run, want))
    batch.run()
    for run, want in made:
        np.testing.assert_array_equal(run.results()[0], want)


@covers("LoadData", forms=("GM to L1",), dtypes=("half",))
def test_fractals_apart():
    fractals = rng.standard_normal((9, 256)).astype(np.float16)
    batch, made = Batch(), []
    for soc, start, step in ((2201, 8, -2), (2201, 1, 2), (3510, 1, 2)):
        run = batch.add(
            "layouts.cpp",
            kernel="apart",
            args=[In(fractals), Out("f16", (10, 256))] + u32(start, 4, 2, 1, int(step < 0), 2560),
            soc=soc,
            task="cube",
        )
        want = np.full((10, 256), 7, np.float16)
        want[:8:2] = fractals[start:][:8:2] if step > 0 else fractals[start:0:step]
        made.append((run, want))
    batch.run()
    for run, want in made:
        np.testing.assert_array_equal(run.results()[0], want)


def convolution(dtype, channels, outputs, height, width, filters, stride, dilation, pads):
    """Operands as the cube wants them, the shape, and what PyTorch computes."""
    c0 = 32 // np.dtype(dtype).itemsize
    kh, kw = filters
    image = rng.integers(-4, 5, (1, channels, height, width)).astype(dtype)
    weights = rng.integers(-4, 5, (outputs, channels, kh, kw)).astype(dtype)
    padded = torch.nn.functional.pad(torch.from_numpy(image.astype(np.float64)), pads)
    wide = torch.from_numpy(weights.astype(np.float64))
    want = torch.nn.functional.conv2d(padded, wide, stride=stride, dilation=dilation)
    in_l1 = image.reshape(channels // c0, c0, height, width).transpose(0, 2, 3, 1)
    # columns of the unrolled map: channel block, filter point, channel
    split = weights.reshape(outputs, channels // c0, c0, kh, kw)
    k_by_n = split.transpose(1, 3, 4, 2, 0).reshape(-1, outputs)
    k_by_n = np.pad(k_by_n, ((0, 0), (0, -outputs % 16)))
    zn = k_by_n.reshape(-1, c0, k_by_n.shape[1] // 16, 16).transpose(0, 2, 3, 1)
    fields = [height, width, channels, outputs, kh, kw, *stride, *dilation, *pads]
    arrays = [np.ascontiguousarray(x) for x in (in_l1, zn)]
    return [In(x) for x in arrays + [np.array(fields, np.uint32)]], want[0].numpy()


def add_convolution(batch, case, soc, step, explicit=0, repeats=1):
    ins, want = convolution(*case)
    outputs, out_h, out_w = want.shape
    launch = batch.add(
        "layouts.cpp",
        kernel=f"conv<{'half' if case[0] == np.float16 else 'float'}>",
        args=ins
        + [Out("f32", (out_h * out_w, outputs))]
        + u32(out_h, out_w, step, explicit, repeats),
        soc=soc,
        task="cube",
    )
    return launch, want.reshape(outputs, -1).T


@covers(
    "LoadData",
    "SetFmatrix",
    "SetLoadDataPaddingValue",
    "SetLoadDataRepeat",
    "SetLoadDataBoundary",
    forms=("3d",),
    dtypes=("half", "float"),
    archs=(2201, 3510),
    tail=True,
)
def test_convolution():
    batch, made = Batch(), []
    for case in CONVOLUTIONS:
        made.append(add_convolution(batch, case, soc=2201, step=32))
        made.append(
            add_convolution(batch, case, soc=2201, step=64, explicit=1, repeats=2)
        )
        made.append(add_convolution(batch, case, soc=3510, step=48))
    batch.run()
    # Sums of small integers: exact.
    for launch, want in made:
        np.testing.assert_array_equal(launch.results()[0], want)


@covers("LoadData", forms=("3dv1",), dtypes=("half",), archs=(2002,), tail=True)
def test_convolution_310p():
    batch, made = Batch(), []
    for case in CONVOLUTIONS:
        if case[0] != np.float16:
            continue
        for along_rows in (0, 1):
            ins, want = convolution(*case)
            outputs, out_h, out_w = want.shape
            rows, columns = out_h * out_w, outputs
            shape = (-(-columns // 16), -(-rows // 16) * 16, 16)
            launch = batch.add(
                "layouts.cpp",
                kernel="conv_310p",
                args=ins + [Out("f32", shape)] + u32(out_h, out_w, along_rows),
                soc=2002,
            )
            made.append((launch, want.reshape(outputs, -1).T))
    batch.run()
    for launch, want in made:
        rows, columns = want.shape
        nz = launch.results()[0]
        got = nz.transpose(1, 0, 2).reshape(nz.shape[1], -1)[:rows, :columns]
        np.testing.assert_array_equal(got, want)


@covers(
    "Mmad",
    "SetMMLayoutTransform",
    forms=("gemv",),
    dtypes=("half",),
    archs=(2201, 3510),
    tail=True,
)
@covers("SetN", archs=(3510,))
def test_gemv():
    batch, made = Batch(), []
    for soc in (2201, 3510):
        for n, k in ((32, 256), (50, 300), (16, 17)):
            a = rng.integers(-8, 9, k).astype(np.float16)
            b = rng.integers(-8, 9, (n, k)).astype(np.float16)
            padded = np.pad(a, (0, -k % 256))
            run = batch.add(
                "layouts.cpp",
                kernel="gemv",
                args=[In(padded), In(b), Out("f32", n)] + u32(n, k),
                soc=soc,
                task="cube",
            )
            made.append((run, b.astype(np.float64) @ a.astype(np.float64)))
    batch.run()
    for run, want in made:
        np.testing.assert_array_equal(run.results()[0], want)


def nibbles(matrix):
    """Two values to a byte, the first in the low half."""
    low, high = matrix[:, ::2] & 15, matrix[:, 1::2] & 15
    return (low | high << 4).astype(np.uint8).view(np.int8)


@covers("LoadData", "LoadDataWithTranspose", "Mmad", dtypes=("int4b_t",), tail=True)
def test_int4():
    batch, made = Batch(), []
    for m, n, k in ((16, 64, 64), (33, 70, 130)):
        a, b = (rng.integers(-8, 8, (rows, k)) for rows in (m, n))
        for turned in (0, 1):
            packed = nibbles(np.ascontiguousarray(b.T) if turned else b)
            launch = batch.add(
                "int4.cpp",
                kernel="product_int4",
                args=[In(nibbles(a)), In(packed), Out("i32", (m, n))]
                + u32(m, n, k, turned),
                task="cube",
            )
            made.append((launch, a @ b.T))
    batch.run()
    for launch, want in made:
        np.testing.assert_array_equal(launch.results()[0], want)


if __name__ == "__main__":
    main()
