"""The device compiler's own names of vector instructions, against NumPy."""
import numpy as np
from harness import Batch, expect_failure, main

rng = np.random.default_rng(7)
NAMES = ["vector_dup", "vadd", "vsub", "vmul", "vdiv", "vmax", "vmin", "vand", "vor"]
FLOATS = [np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum]
KINDS = {np.float32: ("float", "f32"), np.float16: ("half", "f16"),
         np.int16: ("int16_t", "i16")}
MASK = 0x0FFF_FFFF_FFFF_F0F1


def call(op, x, y, z, value=0, repeat=4):
    kernel, tag = KINDS[x.dtype.type]
    return dict(source="intrinsics.cpp", kernel=f"intrinsics<{kernel}>", ins=[x, y],
                inouts=[z], scalars=[("u32", op), ("u64", MASK), (tag, value),
                                     ("u32", repeat)])


def selected(dtype):
    """The elements of four repeats, every second block, under the mask."""
    lanes = 256 // np.dtype(dtype).itemsize
    block = 32 // np.dtype(dtype).itemsize
    chosen = np.zeros((4, 8, 2, block), bool)  # repeat, block, used or not, lane
    bits = [MASK >> (i % 64) & 1 for i in range(lanes)]
    chosen[:, :, 0, :] = np.array(bits, bool).reshape(8, block)
    return chosen.ravel()


def test_values():
    batch, cases = Batch(), []
    for dtype in KINDS:
        where = selected(dtype)
        if dtype == np.int16:
            x, y, z = rng.integers(-30000, 30000, (3, len(where))).astype(dtype)
            wants = {7: x & y, 8: x | y}
        else:
            x, y, z = rng.uniform(1, 4, (3, len(where))).astype(dtype)
            wants = {n: f(x, y) for n, f in enumerate(FLOATS, 1)}
        wants[0] = np.full(len(where), 3, dtype)
        for op, want in wants.items():
            launch = batch.add(**call(op, x, y, z.copy(), value=3))
            cases.append((launch, np.where(where, want, z), NAMES[op]))
    batch.run()
    for launch, want, name in cases:
        np.testing.assert_allclose(launch.results()[0], want, rtol=1e-3, err_msg=name)


def test_too_many_repeats():
    x = np.zeros(512, np.float32)
    expect_failure("bad-repeat", line="// filled", **call(0, x, x, x, repeat=256))


if __name__ == "__main__":
    main()
