"""Every mistake ends the run with its diagnostic at its line; the same code without
the mistake stays silent."""
import re
import time

import numpy as np

from harness import In, InOut, Scalar, expect_failure, main, run, _caller_folder

SOURCE = "failures.cpp"
TEXT = (_caller_folder() / SOURCE).read_text()
OPS = re.search(r"enum Op : uint32_t \{(.*?)\}", TEXT, re.DOTALL).group(1)
OPS = [name.strip() for name in OPS.split(",") if name.strip()]


def arguments(op, bad):
    return [
        In(np.zeros(256, np.float32)),
        InOut(np.zeros(256, np.float32)),
        Scalar("u32", OPS.index(op)),
        Scalar("bool", bad),
        Scalar("u32", 256),
    ]


def fires(ident, op, line, **kwargs):
    """The bad one is found, at the line that has the comment; the good one runs."""
    run(SOURCE, args=arguments(op, False), **kwargs)
    return expect_failure(
        ident, SOURCE, args=arguments(op, True), line="// " + line, **kwargs
    )


def test_queue_empty():
    fires("queue-empty", "EMPTY_QUEUE", "nothing was enqueued")


def test_queue_exhausted():
    fires("queue-exhausted", "EXHAUSTED_QUEUE", "both are taken")


def test_queue_state():
    fires("double-free", "DOUBLE_FREE", "for the second time")
    fires("wrong-queue", "FOREIGN_TENSOR", "belongs to the other queue")
    fires("queue-state", "QUEUE_DEPTH", "deeper than the queue")
    fires("queue-state", "ENQUE_TWICE", "is in the queue")
    fires("queue-state", "NO_MEMORY", "before InitBuffer")


def test_buffer_count():
    fires("buffer-count", "NO_BUFFERS", "none at all")


def test_local_capacity():
    text = fires("local-capacity", "CAPACITY", "does not fit")
    assert "204800" in text  # how much was asked for in all
    fires("local-capacity", "POOL_CAPACITY", "more than is shared")


def test_reserved_ub():
    """InitBuffer may give out all of UB; what needs its end says so if asked."""
    text = fires("local-capacity", "SELECT_RESERVED", "wants 8 KB", sanitize=True)
    assert "reach 1024 bytes" in text
    run(SOURCE, args=arguments("SELECT_RESERVED", True))


def test_input_written():
    text = fires("input-written", "WRITE_INPUT", "to the wrong one")
    assert "DataCopy writes to 'x'" in text and "vector core of block 0" in text
    text = fires("input-written", "POKE_INPUT", "past the API")
    assert "'x'" in text and "vector core of block 0" in text


def test_event_id_range():
    fires("event-id-range", "EVENT_ID", "ids end at 7")
    fires("event-id-range", "EVENT_IDS_LEFT", "never released")
    fires("event-id-range", "FLAG_ID", "no such flag")


def test_cross_core_deadlock():
    """Found at once, not by waiting for the time limit."""
    start = time.monotonic()
    text = fires(
        "sync-needs-all-cores", "DEADLOCK", "all meet here", blocks=4, time_limit=50
    )
    assert "3 waiting, the others have ended" in text
    fires("cross-core-deadlock", "FLAG_DEADLOCK", "never set", blocks=4, time_limit=50)
    assert time.monotonic() - start < 40


def test_sync_needs_all_cores():
    """910B3 has 40 vector cores; 41 blocks can never meet."""
    expect_failure(
        "sync-needs-all-cores",
        SOURCE,
        args=arguments("ALL_CORES", True),
        blocks=41,
        line="// all meet here",
    )
    run(SOURCE, args=arguments("ALL_CORES", True), blocks=40)


def test_kernel_timeout():
    fires("kernel-timeout", "ENDLESS", "for ever", time_limit=1)


def test_kernel_crash():
    text = fires("kernel-crash", "NULL_POINTER", "no such address")
    assert "vector core of block 0" in text
    fires("kernel-crash", "WILD_POINTER", "far outside")


def test_endless_recursion():
    run(SOURCE, args=arguments("RECURSION", False))
    expect_failure("kernel-crash", SOURCE, args=arguments("RECURSION", True))


def test_memory_limit():
    run(SOURCE, args=arguments("MEMORY", False), memory_limit="256M")
    expect_failure(
        "memory-limit", SOURCE, args=arguments("MEMORY", True), memory_limit="256M"
    )


def test_gm_out_of_bounds():
    text = fires("gm-out-of-bounds", "COPY_PAST_SLACK", "the last 16 too many")
    assert "'y', which has 1024 bytes" in text
    text = fires("gm-out-of-bounds", "COPY_FROM_NOWHERE", "not an argument")
    assert "the nearest is '" in text
    text = fires("gm-out-of-bounds", "WRAPPED_OFFSET", "negative, unsigned")
    assert "the nearest is '" in text and "bytes back" in text


def test_what_the_allocator_adds():
    """The 32 bytes after 1024: part of a device's allocation, not of the tensor.
    Only the sanitizer minds; what lies there is NaN, what is put there is lost."""
    (y,) = run(SOURCE, args=arguments("COPY_PAST_END", True))
    np.testing.assert_array_equal(y, np.repeat(np.float32([0, 1]), [8, 248]))
    (y,) = run(SOURCE, args=arguments("READ_PAST_END", True))
    np.testing.assert_array_equal(y, np.repeat(np.float32([0, np.nan]), [248, 8]))
    for op, line in (
        ("COPY_PAST_END", "the last 8 too many"),
        ("READ_PAST_END", "8 that belong to nobody"),
        ("ELEMENT_PAST_END", "one past the end"),
        ("COPY_PAST_SLACK", "the last 16 too many"),
    ):
        fires("gm-out-of-bounds", op, line, sanitize=True)
    # The allocator of 950 only rounds up.
    fires("gm-out-of-bounds", "COPY_PAST_END", "the last 8 too many", soc=3510)


def test_local_out_of_bounds():
    """A plain run asks that an access stays in the memory; the sanitizer, that it
    stays in its tensor."""
    run(SOURCE, args=arguments("LOCAL_ELEMENT", True))
    fires("local-out-of-bounds", "LOCAL_ELEMENT", "outside its tensor", sanitize=True)
    fires("local-out-of-bounds", "LOCAL_FAR_ELEMENT", "an element outside UB")
    fires("local-out-of-bounds", "LOCAL_VECTOR", "outside UB")


def test_misaligned_address():
    fires("misaligned-address", "MISALIGNED", "not at a block")


if __name__ == "__main__":
    main()
