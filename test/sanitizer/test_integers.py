"""Integers that lose bits: found where they end in an offset or in a field."""
import pathlib
import shutil
import tempfile

import numpy as np
from harness import expect_failure, main, run

X = np.zeros(1024, np.float32)


def arguments(kernel, *numbers):
    return dict(kernel=kernel, inouts=[X], scalars=[("u32", n) for n in numbers],
                sanitize=True)


def finds(ident, kernel, *numbers, line):
    return expect_failure(ident, "integers.cpp", line=line,
                          **arguments(kernel, *numbers))


def silent(kernel, *numbers):
    run("integers.cpp", **arguments(kernel, *numbers))


def test_product():
    silent("offset", 4, 16, 0)
    silent("offset", 1 << 16, 1 << 16, 1)
    finds("offset-overflow", "offset", 1 << 16, (1 << 16) + 1, 0, line="// wraps")
    finds("offset-overflow", "offset", 1 << 16, 1 << 16, 0, line="// wraps")


def test_difference():
    silent("difference", 24, 8, 0)
    finds("offset-overflow", "difference", 8, 24, 0, line="// may go below zero")


def test_below_zero_and_back():
    silent("halo", 0, 8, 8)
    silent("halo", 3, 8, 9)
    silent("halo", 9, 8, 0)
    finds("offset-overflow", "halo", 3, 8, 4, line="// below zero")


def test_below_zero_and_multiplied():
    silent("scaled", 2, 64, 0)
    finds("offset-overflow", "scaled", 0, 64, 0, line="// no rows")


def test_gap_below_zero():
    silent("gaps", 24, 16, 0)
    finds("offset-overflow", "gaps", 8, 16, 0, line="// rows overlap")


def test_hash_may_wrap():
    silent("hash", 1, 2, 3)
    silent("dice", 20000, 0, 0)


def test_signed_division():
    z, = run("integers.cpp", kernel="quotient", inouts=[X], sanitize=True,
             scalars=[("i32", n) for n in (37, 10, 0)])
    np.testing.assert_array_equal(np.flatnonzero(z), [3, 7])


def test_fields():
    silent("blocks", 32 * 8, 0, 0)
    finds("field-truncated", "blocks", 65537 * 8, 0, 0, line="// more blocks")


def test_folders_called_as_ours():
    """Only Belay's own headers are exempt, wherever a kernel lies."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "ascendc" / "integers.cpp"
        source.parent.mkdir()
        shutil.copy(pathlib.Path(__file__).parent / "integers.cpp", source)
        expect_failure("field-truncated", str(source), **arguments("blocks", 65537 * 8, 0, 0))


if __name__ == "__main__":
    main()
