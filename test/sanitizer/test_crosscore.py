"""Flags between cores."""
import numpy as np
from harness import InOut, Out, Scalar, expect_failure, main, run


def arguments(kernel, *numbers, arch=2201, size=2048):
    args = [Out("f32", size), *(Scalar("u32", n) for n in numbers)]
    return dict(kernel=kernel, args=args, soc=arch, blocks=2, sanitize=True,
                allow_unwritten=["all"])


def finds(ident, kernel, *numbers, line, archs=(2201, 3510)):
    for arch in archs:
        expect_failure(ident, "crosscore.cpp", line=line,
                       **arguments(kernel, *numbers, arch=arch))


def silent(kernel, *numbers, archs=(2201, 3510)):
    for arch in archs:
        run("crosscore.cpp", **arguments(kernel, *numbers, arch=arch))


def test_reserved_ids():
    for flag in (11, 14):
        finds("flag-reserved", "reserved", flag, 1, line="// an id of its own")
        silent("reserved", flag, 0)
    for flag in (10, 15):
        silent("reserved", flag, 1)


def test_counters():
    silent("count", 15, 15)
    finds("flag-left-set", "count", 2, 1, line="// set in a row")
    finds("flag-overflow", "count", 16, 16, line="// set in a row")


def test_one_id_in_two_modes():
    silent("modes", 1, 0)
    finds("race-between-cores", "modes", 0, 0, line="// my part")


def test_own_set():
    silent("own", 1, 0, archs=(2201,))
    finds("missing-sync", "own", 0, 0, line="// back again", archs=(2201,))


def test_words():
    for sync in (1, 0):
        words = InOut(np.zeros(4 * 8, np.int32))
        launch = dict(kernel="soft", blocks=4, sanitize=True,
                      args=[Out("f32", 1024), words, Scalar("u32", sync)])
        if sync:
            run("crosscore.cpp", **launch)
        else:
            expect_failure("race-between-cores", "crosscore.cpp",
                           line="// the part of another core", **launch)


def test_groups():
    for how in (1, 0, 2):
        words = InOut(np.zeros(3 * 128, np.int32))
        launch = dict(kernel="groups", blocks=4, sanitize=True,
                      args=[Out("f32", 256), words, Scalar("u32", how)])  # fmt: skip
        if how == 1:
            run("crosscore.cpp", **launch)
        else:
            expect_failure("race-between-cores", "crosscore.cpp", **launch)


if __name__ == "__main__":
    main()
