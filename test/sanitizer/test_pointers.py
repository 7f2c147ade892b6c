"""Loads and stores through plain pointers are accesses of the scalar unit."""
import numpy as np
from harness import expect_failure, main, run

N = 64
FLOATS = np.arange(N, dtype=np.float32)


def finds(id, kernel, line, **arguments):
    for arch in (2002, 2201, 3510):
        expect_failure(id, "pointers.cpp", line=line, kernel=kernel, soc=arch, sanitize=True,
                       **arguments)


def gives(expected, kernel, **arguments):
    for arch in (2002, 2201, 3510):
        y, = run("pointers.cpp", kernel=kernel, soc=arch, sanitize=True, **arguments)
        np.testing.assert_array_equal(y, expected)


def test_past_the_end():
    outs = [("f32", N)]
    finds("gm-out-of-bounds", "stores", "// stores", outs=outs, scalars=[("u32", N + 1)])
    gives(np.ones(N, np.float32), "stores", outs=outs, scalars=[("u32", N)])
    finds("gm-out-of-bounds", "loads", "// loads", ins=[FLOATS], outs=outs,
          scalars=[("u32", N + 1)])
    gives(np.full(N, FLOATS.sum()), "loads", ins=[FLOATS], outs=outs, scalars=[("u32", N)])


def test_before_the_begin():
    finds("gm-out-of-bounds", "before", "// before it", outs=[("f32", N)])


def test_whole_structures():
    outs = [("u32", N)]
    finds("gm-out-of-bounds", "structure", "// copies", ins=[np.ones(15, np.uint32)], outs=outs)
    gives(np.full(N, 2, np.uint32), "structure", ins=[np.ones(16, np.uint32)], outs=outs)


def test_unified_buffer():
    some = dict(ins=[FLOATS], outs=[("f32", N)])
    finds("missing-sync", "unified", "// reads", scalars=[("u32", 0), ("u32", 0)], auto_sync=False,
          **some)
    finds("uninitialised-read", "unified", "// reads", scalars=[("u32", 1), ("u32", 1)], **some)
    gives(FLOATS, "unified", scalars=[("u32", 1), ("u32", 0)], **some)


def test_cores():
    inouts = [np.zeros(N, np.uint32)]
    finds("race-between-cores", "cores", "// my own", inouts=inouts, scalars=[("u32", 0)], blocks=2)
    second = np.zeros(N, np.uint32)
    second[16] = 1
    gives(second, "cores", inouts=inouts, scalars=[("u32", 16)], blocks=2)


def test_elements():
    gives(FLOATS + FLOATS, "elements", ins=[FLOATS], outs=[("f32", N)])


if __name__ == "__main__":
    main()
