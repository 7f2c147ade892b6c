"""Cores that meet through global memory, flags, locks, and what never ends."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import covers, expect_failure, main, run  # noqa: E402

ARCHS = (2002, 2201, 3510)


def expected_sums(x, blocks, rounds):
    total = sum((x + r + 1).sum(0) for r in range(rounds))
    return np.tile(total, (blocks, 1))


@covers("SyncAll", forms=("hard", "soft", "soft, some cores"), archs=ARCHS)
def test_barriers():
    for arch in ARCHS:
        for how in (1, 2) if arch == 2002 else (0, 1, 2):
            blocks, rounds = 5, 3
            x = np.arange(blocks * 8, dtype=np.int32).reshape(blocks, 8)
            got = run(
                "meet.cpp", kernel="meet", ins=[x], blocks=blocks, soc=arch,
                inouts=[np.zeros(64 * 8, np.int32), np.zeros(blocks * rounds * 8, np.int32),
                        np.zeros((blocks, 8), np.int32)],
                scalars=[("i32", how), ("i32", rounds)],
            )[-1]  # fmt: skip
            np.testing.assert_array_equal(got, expected_sums(x, blocks, rounds))


def chained(z, order):
    for block in order:
        z = z * 3 + block
    return z


@covers("IBSet", "IBWait", forms=("chain",), archs=ARCHS)
def test_chain():
    z = np.arange(8, dtype=np.int32)
    for arch in ARCHS:
        got = run("meet.cpp", kernel="chain", blocks=4, soc=arch,
                  inouts=[np.zeros(64 * 8, np.int32), z])[-1]  # fmt: skip
        np.testing.assert_array_equal(got, chained(z, range(4)))


@covers("GroupBarrier", forms=("loop",), archs=(2201, 3510))
def test_groups():
    for arch in (2201, 3510):
        for arriving, blocks in ((2, 8), (5, 7), (1, 2)):
            # The words of the barrier begin at a multiple of 512 bytes.
            words = np.zeros(max(arriving, blocks - arriving) * 128, np.int32)
            times = 4
            got = run("meet.cpp", kernel="groups", blocks=blocks, soc=arch,
                      inouts=[words, np.zeros((times * arriving, 8), np.int32),
                              np.zeros((blocks, 8), np.int32)],
                      scalars=[("i32", arriving), ("i32", times)])[-1]  # fmt: skip
            once = arriving * (arriving + 1) // 2
            own = times * np.arange(1, arriving + 1)
            np.testing.assert_array_equal(got[:arriving], np.tile(own[:, None], 8))
            np.testing.assert_array_equal(got[arriving:], once * times * (times + 1) // 2)
    words = np.zeros(128, np.int32)
    expect_failure("cross-core-deadlock", "meet.cpp", kernel="groups_alone", blocks=2, inouts=[words],
                   scalars=[("i32", 0)], line="nobody arrives")  # fmt: skip
    expect_failure("event-id-range", "meet.cpp", kernel="groups_alone", blocks=2, inouts=[words],
                   scalars=[("i32", 1)], line="past the group")  # fmt: skip


@covers("InitDetermineComputeWorkspace", "WaitPreBlock", "NotifyNextBlock", archs=(2201,))
def test_blocks_in_order():
    z = np.arange(8, dtype=np.int32)
    dirty = np.full(64 * 8, 1, np.int32)
    got = run("meet.cpp", kernel="ordered", blocks=4, inouts=[dirty, z],
              scalars=[("i32", 3)])[-1]  # fmt: skip
    np.testing.assert_array_equal(got, chained(z, [0, 1, 2, 3] * 3))


@covers("DataCacheCleanAndInvalid", "WriteGmByPassDCache", "ReadGmByPassDCache",
        "DataSyncBarrier", forms=("polling",), archs=(2201, 3510))  # fmt: skip
def test_polling_makes_progress():
    """Many more blocks than this machine has CPUs spin until block 0 has run."""
    for arch in (2201, 3510):
        for how in (0, 1):
            got = run("meet.cpp", kernel="poll", blocks=24, soc=arch, scalars=[("i32", how)],
                      inouts=[np.zeros(8, np.int32), np.zeros(24, np.int32)])[-1]  # fmt: skip
            np.testing.assert_array_equal(got[1:], np.full(23, 77))


def test_waits_that_nobody_ends():
    flags = np.zeros(64 * 8, np.int32)
    expect_failure("cross-core-deadlock", "meet.cpp", kernel="alone", blocks=2, inouts=[flags],
                   scalars=[("i32", 0)], line="nobody sets it")  # fmt: skip
    expect_failure("sync-needs-all-cores", "meet.cpp", kernel="alone", blocks=2, inouts=[flags],
                   scalars=[("i32", 1)], line="does not come")  # fmt: skip
    run("meet.cpp", kernel="alone", blocks=2, inouts=[flags], scalars=[("i32", 2)])


def test_too_many_blocks():
    # 41 blocks on 40 vector cores: the last one starts when another has ended.
    blocks = 41
    expect_failure(
        "sync-needs-all-cores", "meet.cpp", kernel="meet", blocks=blocks,
        ins=[np.zeros((blocks, 8), np.int32)],
        inouts=[np.zeros(64 * 8, np.int32), np.zeros(blocks * 8, np.int32),
                np.zeros((blocks, 8), np.int32)],
        scalars=[("i32", 1), ("i32", 1)],
    )  # fmt: skip


@covers("SetFlag", "WaitFlag", "PipeBarrier", forms=("API", "built-in"), archs=ARCHS)
@covers("TQueSync", "SetNextTaskStart", "WaitPreTaskEnd", archs=ARCHS)
def test_flags():
    x = np.arange(8, dtype=np.float32)
    for arch in ARCHS:
        (got,) = run("meet.cpp", kernel="flags", ins=[x], outs=[("f32", 8)], soc=arch,
                     scalars=[("i32", 7)])  # fmt: skip
        np.testing.assert_array_equal(got, x)
        for bad in (8, -1):
            expect_failure("event-id-range", "meet.cpp", kernel="flags", ins=[x], soc=arch,
                           outs=[("f32", 8)], scalars=[("i32", bad)], line="the id counts")  # fmt: skip


@covers("AllocMutexID", "ReleaseMutexID", "Mutex", archs=(3510,))
def test_locks():
    x = np.arange(8, dtype=np.float32)

    def case(how):
        return dict(kernel="locks", ins=[x], outs=[("f32", 8)], scalars=[("i32", how)])

    (got,) = run("meet.cpp", soc=3510, **case(0))
    np.testing.assert_array_equal(got, x + 1)
    for how in (1, 2):
        expect_failure("event-id-range", "meet.cpp", soc=3510, contains="pair each", **case(how))
    expect_failure("unsupported-api", "meet.cpp", soc=2201, contains="AllocMutexID", **case(0))


@covers("AtomicAdd", "AtomicMax", "AtomicMin", "AtomicExch", "AtomicCas", archs=(3510,),
        dtypes=("int32_t", "uint32_t", "float"))  # fmt: skip
def test_words():
    blocks = 7
    (got,) = run("meet.cpp", kernel="words", inouts=[np.zeros(8, np.int32)], blocks=blocks,
                 soc=3510)  # fmt: skip
    assert got[0] == blocks * (blocks + 1) // 2
    assert got[1] == blocks - 1
    assert got[2] == -(blocks - 1)
    assert got[3:4].view(np.float32)[0] == 0.5 * blocks
    assert got[4] == 9
    assert got[5] == blocks
    expect_failure("unsupported-api", "meet.cpp", kernel="words", soc=2201,
                   inouts=[np.zeros(8, np.int32)], contains="AtomicAdd")  # fmt: skip


if __name__ == "__main__":
    main()
