"""What the data caches of the scalar units hide."""
import numpy as np
from harness import expect_failure, main, run

CLEANS, LOOKED, INVALIDATES, COPIES, WRITER_COPIES, LATE, ALL = (1 << n for n in range(7))


def arguments(kernel, how, arch, blocks):
    return dict(kernel=kernel, inouts=[np.zeros(64, np.int32)], scalars=[("u32", how)],
                soc=arch, blocks=blocks, sanitize=True)


def finds(kernel, how, line, other=None, blocks=2, archs=(2201, 3510)):
    for arch in archs:
        for place in (line, other):
            if place:
                expect_failure("stale-cache", "caches.cpp", line=place,
                               **arguments(kernel, how, arch, blocks))


def silent(kernel, how, blocks=2, archs=(2201, 3510)):
    for arch in archs:
        run("caches.cpp", **arguments(kernel, how, arch, blocks))


def test_writer_keeps_it():
    finds("message", 0, "// looks", "// into the cache")
    finds("message", COPIES, "// loads", "// into the cache")
    finds("message", LATE, "// looks", "// into the cache")
    for how in (CLEANS, CLEANS | ALL, CLEANS | COPIES, WRITER_COPIES):
        silent("message", how)


def test_reader_has_an_old_line():
    finds("message", CLEANS | LOOKED, "// looks", "// into the cache")
    finds("message", WRITER_COPIES | LOOKED, "// looks", "// into memory")
    silent("message", WRITER_COPIES | LOOKED | COPIES)
    for how in (CLEANS, WRITER_COPIES):
        silent("message", how | LOOKED | INVALIDATES)
        silent("message", how | LOOKED | INVALIDATES | ALL)


def test_cores_share_a_line():
    archs = (2002, 2201, 3510)
    finds("numbers", 8, "// my number", archs=archs)
    silent("numbers", 16, archs=archs)


def test_own_copy_goes_past_the_cache():
    archs = (2201, 3510)
    finds("own", 0, "// copies its own", blocks=1, archs=archs)
    silent("own", 1, blocks=1, archs=archs)


if __name__ == "__main__":
    main()
