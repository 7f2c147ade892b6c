"""The unit flag orders Mmad and Fixpipe if both of them use it."""
import numpy as np
from harness import expect_failure, main, run

Z = np.zeros(512, np.float32)


def arguments(of_mmad, of_fixpipe):
    return dict(kernel="unit_flag", inouts=[Z], sanitize=True,
                scalars=[("u32", of_mmad), ("u32", of_fixpipe)])


def test_both():
    run("unit.cpp", **arguments(3, 3))


def test_one_or_none():
    for flags in ((0, 0), (3, 0), (0, 3)):
        expect_failure("missing-sync", "unit.cpp", line="// empty", **arguments(*flags))


if __name__ == "__main__":
    main()
