"""TQue, TQueBind, TBuf, TBufPool: data pass through in order, states are told."""
import numpy as np

from harness import In, InOut, Out, Scalar, covers, main, run

FIFO, STATES, BIND, IN_PLACE, HANDLES, SCRATCH, POOLS, MANY_TILES, POSITIONS = range(9)
TYPES = {"half": ("f16", np.float16), "float": ("f32", np.float32)}


def queues(op, dtype="half", n=384, soc=2201):
    kind, numpy_type = TYPES[dtype]
    x = np.random.default_rng(op).integers(-99, 99, n).astype(numpy_type)
    y, seen = run(
        "queue.cpp",
        kernel=f"queues<{dtype}>",
        soc=soc,
        args=[
            In(x),
            Out(kind, n),
            InOut(np.full(32, -1, np.int32)),
            Scalar("u32", op),
            Scalar("u32", n),
        ],
    )
    return x, y, seen


@covers(
    "TQue", "EnQue", "DeQue", "AllocTensor", "FreeTensor", "InitBuffer",
    dtypes=("half", "float"), archs=(2002, 2201, 3510),
)  # fmt: skip
def test_first_in_first_out():
    for soc in (2002, 2201, 3510):
        for dtype in TYPES:
            x, y, _ = queues(FIFO, dtype, soc=soc)
            np.testing.assert_array_equal(y, x + np.repeat([0, 1, 2], 128))


def test_freed_buffers_are_used_again():
    x, y, _ = queues(MANY_TILES, n=1024)
    np.testing.assert_array_equal(y, x + 1)


@covers("HasTensorInQue", "FreeAllEvent")
def test_states():
    _, _, seen = queues(STATES)
    #         has a tensor, how many, room for another, a buffer is free
    empty = [0, 0, 1, 1]
    all_allocated = [0, 0, 1, 0]
    two_in_queue = [1, 2, 0, 0]
    one_freed = [1, 1, 1, 1]
    expected = empty + all_allocated + two_in_queue + one_freed + empty
    assert list(seen[:20]) == expected, seen


@covers("TQueBind", dtypes=("half", "float"))
def test_bind():
    for dtype in TYPES:
        x, y, _ = queues(BIND, dtype, n=256)
        np.testing.assert_array_equal(y, x)


@covers("TQueBind")
def test_bind_with_user_positions():
    x, y, _ = queues(POSITIONS)
    np.testing.assert_array_equal(y, x + 5)


@covers("AllocTensor", "DeQue", forms=("in place",))
def test_in_place():
    x, y, _ = queues(IN_PLACE)
    np.testing.assert_array_equal(y, x + 1)


@covers("AllocBuffer", "FreeBuffer")
def test_handles():
    x, y, _ = queues(HANDLES)
    np.testing.assert_array_equal(y, x)


@covers("TBuf", "Get", "GetWithOffset", dtypes=("half", "float"))
def test_scratch():
    for dtype, (_, numpy_type) in TYPES.items():
        x, y, seen = queues(SCRATCH, dtype)
        size = np.dtype(numpy_type).itemsize
        assert list(seen[:5]) == [768, 384, 384, 0, 384 * size], seen
        np.testing.assert_array_equal(y, x + 2)


@covers("TBufPool", "InitBufPool", "Reset")
def test_pools():
    x, y, seen = queues(POOLS)
    assert list(seen[:2]) == [384 * 2, 0], seen
    np.testing.assert_array_equal(y, x + 4)


if __name__ == "__main__":
    main()
