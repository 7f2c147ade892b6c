"""TPipe: local memory is handed out and given back, event ids are unique."""
import numpy as np

from harness import In, InOut, Out, Scalar, covers, main, run


def answers():
    return InOut(np.full(64, -1, np.int32))


@covers(
    "TPipe", "AllocEventID", "FetchEventID", "ReleaseEventID", "GetTPipePtr", "Reset",
    archs=(2002, 2201, 3510),
)  # fmt: skip
def test_event_ids():
    for soc in (2002, 2201, 3510):
        (seen,) = run("pipe.cpp", kernel="event_ids", args=[answers()], soc=soc)
        assert list(seen[:9]) == [1] * 9, seen


@covers(
    "TPipe", "Init", "InitBuffer", "Reset", "Destroy", "PopStackBuffer",
    archs=(2002, 2201, 3510),
)  # fmt: skip
def test_memory():
    x = np.arange(1024, dtype=np.float32)
    for soc in (2002, 2201, 3510):
        args = [In(x), Out("f32", 1024), answers(), Scalar("u32", 1024)]
        y, seen = run("pipe.cpp", kernel="memory", args=args, soc=soc)
        np.testing.assert_array_equal(y, x + 3)
        assert list(seen[:6]) == [1, 32 * 1024] * 3, seen
        assert list(seen[6:10]) == [64, 1, 32, 1], seen


if __name__ == "__main__":
    main()
