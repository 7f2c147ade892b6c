"""The C interface: the same instructions as those of the classes."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import covers, main, run  # noqa: E402

rng = np.random.default_rng(5)


def in_c(way, soc, count=200):
    x, y, z = rng.standard_normal((3, count)).astype(np.float32)
    (got,) = run("c_api.cpp", kernel="in_c", ins=[x, y], inouts=[z], soc=soc, sanitize=True,
                 scalars=[("u32", count), ("u32", way)])  # fmt: skip
    return x, y, z, got


@covers("asc_add", "asc_copy_gm2ub_align", "asc_copy_ub2gm_align", "asc_sync_notify",
        "asc_sync_wait", dtypes=("float",), archs=(2201, 3510))  # fmt: skip
def test_sums():
    for soc in (2201, 3510):
        x, y, _, got = in_c(0, soc)
        np.testing.assert_array_equal(got, x + y)


@covers("asc_loadalign", "asc_storealign", "asc_abs", "asc_gt", "asc_select", "asc_duplicate_scalar",
        "asc_update_mask_b32", dtypes=("float",), archs=(3510,), tail=True)  # fmt: skip
def test_vector_functions():
    for way in (1, 2):
        x, y, _, got = in_c(way, 3510)
        np.testing.assert_array_equal(got, np.where(np.abs(x) > y, x, np.float32(2)))


@covers("asc_reduce_sum", "asc_create_mask_b32", dtypes=("float",), archs=(3510,))
def test_reductions():
    x, _, z, got = in_c(3, 3510, 256)
    rows, want = x.reshape(4, 64)[:, :32], z.reshape(4, 64).copy()
    while rows.shape[1] > 1:  # neighbours first
        rows = rows[:, ::2] + rows[:, 1::2]
    want[:, 0] = rows[:, 0]
    np.testing.assert_array_equal(got.reshape(4, 64), want)


if __name__ == "__main__":
    main()
