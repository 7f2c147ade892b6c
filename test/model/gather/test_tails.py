"""What has a value after instructions that move elements around, under --check."""
import numpy as np
from harness import expect_failure, main, run

X = np.random.default_rng(1).standard_normal(256).astype(np.float32)
OFFSETS = (np.arange(64) * 12).astype(np.uint32)  # every third element of X
OPS = dict(GatherMask=0, Gather=1, TransDataTo5HD=2, WholeReduceMax=3, BlockReduceSum=4,
           PairReduceSum=5)


def arguments(op, first):
    return dict(kernel="tails", ins=[X, OFFSETS], outs=[("f32", 8)], sanitize=True,
                scalars=[("i32", OPS[op]), ("i32", first)])


def test_results_of_loaded_elements_have_values():
    def stored(op, first):
        return run("tails.cpp", **arguments(op, first))[0]

    np.testing.assert_array_equal(stored("GatherMask", 120), X[240::2])
    np.testing.assert_array_equal(stored("Gather", 56), X[OFFSETS[56:] // 4])
    rows = X.reshape(8, 32)
    np.testing.assert_array_equal(stored("TransDataTo5HD", 6 * 8), rows[:, 3])
    np.testing.assert_array_equal(stored("WholeReduceMax", 0)[::2], X.reshape(4, 64).max(axis=1))
    blocks = X.reshape(32, 8).astype(np.float64).sum(axis=1)
    np.testing.assert_allclose(stored("BlockReduceSum", 24), blocks[24:], rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(stored("PairReduceSum", 120), X[240::2] + X[241::2])


def test_results_of_other_elements_have_none():
    # The first place whose eight results reach beyond the loaded half.
    for op, first in (("GatherMask", 128), ("TransDataTo5HD", 7 * 8), ("WholeReduceMax", 8),
                      ("BlockReduceSum", 32), ("PairReduceSum", 128)):
        expect_failure("uninitialised-read", "tails.cpp", line="// store",
                       **arguments(op, first))
    shifted = dict(arguments("Gather", 0), ins=[X, OFFSETS + 1000])
    expect_failure("uninitialised-read", "tails.cpp", line="// store", **shifted)


def test_proposals_may_have_empty_fields():
    x = np.random.default_rng(2).permutation(64).astype(np.float16)
    for field in (0, 4):  # the index is the score here
        y, = run("tails.cpp", kernel="proposals", ins=[x], outs=[("f16", 64)], soc=2002,
                 sanitize=True, scalars=[("i32", field)])
        np.testing.assert_array_equal(y, np.sort(x)[::-1])


if __name__ == "__main__":
    main()
