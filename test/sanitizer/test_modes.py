"""Modes that stay on, and more tensors than event ids."""
import numpy as np
from harness import expect_failure, main, run

ARCHS = (2002, 2201, 3510)
MASK, BITS, BACK, ELEMENTS, BOTH, COUNT, END = range(7)


def arguments(kernel, *numbers, arch=2201):
    return dict(kernel=kernel, inouts=[np.zeros(256, np.float32)], soc=arch,
                scalars=[("u32", n) for n in numbers], sanitize=True)


def finds(ident, kernel, *numbers, line, other=None):
    for arch in ARCHS:
        found = arguments(kernel, *numbers, arch=arch)
        for place in (line, other):
            if place:
                expect_failure(ident, "modes.cpp", line=place, **found)


def silent(kernel, *numbers):
    return [run("modes.cpp", **arguments(kernel, *numbers, arch=arch))[0]
            for arch in ARCHS]


def test_counter_mode():
    finds("mask-left-on", "counter", MASK, line="// a mask per repeat", other="// switched on")
    finds("mask-left-on", "counter", BITS, line="// bits per repeat")
    finds("mask-left-on", "counter", END, line="// switched on")
    for how in (BACK, ELEMENTS, BOTH, COUNT):
        for z in silent("counter", how):
            np.testing.assert_array_equal(z, np.full(256, 2.0))


def test_atomic():
    finds("atomic-left-on", "atomic", 0, line="// stays on")
    silent("atomic", 1)


def test_more_tensors_than_ids():
    finds("buffer-count", "tensors", 9, 1, line="// one more")
    silent("tensors", 8, 1)
    silent("tensors", 8, 3)


if __name__ == "__main__":
    main()
