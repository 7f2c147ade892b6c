"""LocalTensor and GlobalTensor: element access, views, sizes, shapes."""
import numpy as np

from harness import In, InOut, Out, covers, main, run, to_bf16, from_bf16

TYPES = {
    "half": "f16",
    "float": "f32",
    "int8_t": "i8",
    "uint8_t": "u8",
    "int16_t": "i16",
    "uint16_t": "u16",
    "int32_t": "i32",
    "uint32_t": "u32",
    "int64_t": "i64",
    "uint64_t": "u64",
}


def numpy_type(kind):
    if kind[0] == "f":
        return np.dtype(f"float{kind[1:]}")
    return np.dtype(("int" if kind[0] == "i" else "uint") + kind[1:])


@covers(
    "LocalTensor", "GlobalTensor", "SetGlobalBuffer", "GetValue", "SetValue", "GetPhyAddr",
    dtypes=TYPES, archs=(2201, 2002, 3510), tail=True,
)  # fmt: skip
def test_elements():
    for dtype, kind in TYPES.items():
        n = 37
        x = np.random.default_rng(1).integers(0, 60, n).astype(numpy_type(kind))
        (y,) = run(
            "tensor.cpp",
            kernel=f"elements<{dtype}>",
            ins=[x],
            outs=[(kind, n)],
            scalars=[("u32", n)],
        )
        np.testing.assert_array_equal(y, x * 2, err_msg=dtype)
    for soc in (2002, 3510):
        x = np.arange(37, dtype=np.float32)
        (y,) = run(
            "tensor.cpp",
            kernel="elements<float>",
            ins=[x],
            outs=[("f32", 37)],
            scalars=[("u32", 37)],
            soc=soc,
        )
        np.testing.assert_array_equal(y, x * 2)


@covers("GlobalTensor", "LocalTensor", "GetValue", "SetValue", dtypes=("int4b_t",),
        archs=(2201, 3510))  # fmt: skip
def test_elements_of_half_a_byte():
    n = 128
    x = np.random.default_rng(2).integers(0, 256, n // 2).astype(np.uint8)
    nibbles = np.stack([x & 15, x >> 4], axis=1).ravel()[::-1]
    want = nibbles[::2] | nibbles[1::2] << 4
    for soc in (2201, 3510):
        (y,) = run("tensor.cpp", kernel="halves", ins=[x], outs=[("u8", n // 2)],
                   scalars=[("u32", n)], soc=soc)  # fmt: skip
        np.testing.assert_array_equal(y, want)


def test_elements_bfloat16():
    x = to_bf16(np.arange(37))
    (y,) = run(
        "tensor.cpp",
        kernel="elements<bfloat16_t>",
        ins=[x],
        outs=[("bf16", 37)],
        scalars=[("u32", 37)],
    )
    np.testing.assert_array_equal(from_bf16(y), np.arange(37) * 2)


def test_double_to_bfloat16_rounds_once():
    tie, above = 1 + 2.0**-8, 1 + 2.0**-8 + 2.0**-40
    x = np.array([tie, above, -above, 1 + 3 * 2.0**-8 - 2.0**-40, 1e300, np.nan, 0.0])
    (y,) = run("tensor.cpp", "narrow", ins=[x], outs=[("bf16", 7)], scalars=[("u32", 7)])
    up = 1 + 2.0**-7
    np.testing.assert_array_equal(from_bf16(y), [1, up, -up, up, np.inf, np.nan, 0])


@covers(
    "ReinterpretCast", "GetSize", "SetSize", "GetPhyAddr", "SetShapeInfo",
    "SetL2CacheHint", "GetPosition", dtypes=("int32_t", "int16_t"),
)  # fmt: skip
def test_views():
    x = np.random.default_rng(2).integers(-(2**31), 2**31, 64).astype(np.int32)
    args = [In(x), Out("i16", 128), InOut(np.full(64, -1, np.int32))]
    y, seen = run("tensor.cpp", kernel="views", args=args)
    np.testing.assert_array_equal(y, x.view(np.int16))
    sizes = [64, 256, 128, 256, 1, 64, 32, 48, 32, 16, 1, 7, 32]
    shapes = [2, 48, 37, 1, 32, 21]
    glob = [64, 128, 1, 5]
    assert list(seen[: len(sizes + shapes + glob)]) == sizes + shapes + glob, seen


if __name__ == "__main__":
    main()
