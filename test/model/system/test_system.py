"""Block and sub-block numbers, barriers between cores, registers at the start."""
import numpy as np

from harness import In, InOut, Out, Scalar, covers, main, run


def identity(blocks, cores, cubes=0, **kwargs):
    (seen,) = run(
        "system.cpp",
        kernel="identity",
        blocks=blocks,
        args=[InOut(np.full((cores, 8), -1, np.int32)), Scalar("u32", cubes)],
        **kwargs,
    )
    return seen.tolist()


@covers(
    "GetBlockIdx", "GetBlockNum", "GetSubBlockIdx", "GetSubBlockNum", "GetTaskRation",
    "GetTaskRatio", "GetSystemCycle", archs=(2002, 2201, 3510),
)  # fmt: skip
def test_identity():
    # is a cube, block, blocks, sub-block, sub-blocks, ratio, ratio, time passes
    for soc in (2201, 3510):
        vector = [[0, i, 5, 0, 1, 1, 1, 1] for i in range(5)]
        assert identity(5, 5, soc=soc) == vector
        mixed = [[1, i, 2, 0, 1, 1, 1, 1] for i in range(2)]
        mixed += [[0, i, 2, i % 2, 2, 2, 2, 1] for i in range(4)]
        assert identity(2, 6, cubes=2, task="mix12", soc=soc) == mixed
        single = [[1, i, 2, 0, 1, 1, 1, 1] for i in range(2)]
        single += [[0, i, 2, 0, 1, 1, 1, 1] for i in range(2)]
        assert identity(2, 4, cubes=2, task="mix11", soc=soc) == single
        cube = [[1, i, 3, 0, 1, 1, 1, 1] for i in range(3)]
        assert identity(3, 3, task="cube", soc=soc) == cube


def test_more_blocks_than_cores():
    """910B3 has 40 vector cores; the rest of the blocks follow in waves."""
    assert identity(97, 97) == [[0, i, 97, 0, 1, 1, 1, 1] for i in range(97)]


@covers("SyncAll", forms=("hard", "soft"), archs=(2201, 3510))
def test_meet():
    for soc, cores, soft in ((2201, 40, 0), (2201, 7, 1), (3510, 16, 0)):
        rounds = 5
        args = [
            InOut(np.zeros(cores, np.int32)),
            Out("i32", (rounds, cores)),
            InOut(np.zeros(cores * 8, np.int32)),
            Scalar("u32", rounds),
            Scalar("bool", soft),
        ]
        _, sums, _ = run(
            "system.cpp", kernel="meet", blocks=cores, args=args, soc=soc
        )
        total = cores * (cores + 1) // 2
        expected = np.repeat(np.arange(1, rounds + 1) * total, cores)
        np.testing.assert_array_equal(sums.ravel(), expected)


@covers("InitSocState", "SetAtomicNone", "DisableDmaAtomic", archs=(2201, 3510))
def test_soc_state():
    x = np.arange(128, dtype=np.float32)
    few = x + (np.arange(128) < 8)  # only eight elements take part
    expected = {
        "nothing": 100 + few,
        "InitSocState": x + 1,
        "SetAtomicNone": few,
        "DisableDmaAtomic": few,
        "SetMaskNorm and ResetMask": 100 + x + 1,
    }
    for soc in (2201, 3510):
        for how, (name, values) in enumerate(expected.items()):
            args = [In(x), InOut(np.full(128, 100, np.float32))]
            args += [Scalar("u32", 128), Scalar("u32", how)]
            (y,) = run("system.cpp", kernel="soc_state", args=args, soc=soc)
            np.testing.assert_array_equal(y, values, err_msg=name)


@covers("CrossCoreSetFlag", "CrossCoreWaitFlag", forms=("mode 2",), archs=(2201, 3510))
def test_ping_pong():
    for soc, task in ((2201, "mix12"), (2201, "mix11"), (3510, "mix12")):
        (counters,) = run(
            "system.cpp",
            kernel="ping_pong",
            blocks=3,
            task=task,
            soc=soc,
            args=[InOut(np.zeros((3, 8), np.int32)), Scalar("u32", 4)],
        )
        cube = vector = 0
        for _ in range(4):
            cube += vector + 1
            vector = cube * 2
        assert counters[:, :2].tolist() == [[cube, vector]] * 3


@covers("CrossCoreSetFlag", "CrossCoreWaitFlag", forms=("mode 0",))
def test_flag_barrier():
    cores = 12
    _, sums = run(
        "system.cpp",
        kernel="flag_barrier",
        blocks=cores,
        args=[InOut(np.zeros(cores, np.int32)), Out("i32", cores)],
    )
    assert sums.tolist() == [cores * (cores + 1) // 2] * cores


if __name__ == "__main__":
    main()
