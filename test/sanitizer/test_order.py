"""Races and flags: each defect is found at its lines, and its safe twin is not."""
import numpy as np
from harness import expect_failure, main, run

X = np.random.default_rng(1).standard_normal(4096).astype(np.float32)


def arguments(kernel, **kwargs):
    kwargs.setdefault("scalars", [("u32", 4)])
    return dict(kernel=kernel, ins=[X], outs=[("f32", 4096)], sanitize=True,
                allow_unwritten=["all"], **kwargs)


def finds(ident, kernel, line, other=None, **kwargs):
    text = expect_failure(ident, "order.cpp", line=line, **arguments(kernel, **kwargs))
    if other:
        expect_failure(ident, "order.cpp", line=other, **arguments(kernel, **kwargs))
    return text


def test_complete_is_silent():
    for soc in (2002, 2201, 3510):
        z, = run("order.cpp", **arguments("complete", soc=soc))
        np.testing.assert_allclose(z, (X + 1) * 2, rtol=1e-6)


def test_vector_order_is_the_compilers_or_the_hardwares():
    found = dict(line="// second vector", other="// first vector", auto_sync=False)
    finds("missing-barrier", "complete", **found)
    finds("missing-barrier", "complete", soc=2002, **found)
    run("order.cpp", **arguments("complete", soc=3510, auto_sync=False))


def test_barriers_order_everything():
    run("order.cpp", **arguments("barriers", auto_sync=False))


def test_missing_forward_flag():
    text = finds("missing-sync", "no_forward", "// unordered use", "// unordered load")
    assert "SetFlag<HardEvent::MTE2_V>" in text


def test_missing_back_edge():
    text = finds("missing-sync", "no_back_edge", "// refill", "// still reading")
    assert "SetFlag<HardEvent::MTE3_MTE2>" in text
    run("order.cpp", **arguments("no_back_edge", scalars=[("u32", 1)]))


def test_scalar_stores():
    def launch(how, **kwargs):
        return arguments("set_value", scalars=[("u32", how)], **kwargs)

    for soc in (2002, 2201, 3510):
        for how in (1, 2):
            run("order.cpp", **launch(how, soc=soc, auto_sync=False))
        for how, line in ((0, "// after the scalar unit"), (3, "// stores")):
            for place in (line, "// by the scalar unit"):
                expect_failure("missing-sync", "order.cpp", line=place,
                               **launch(how, soc=soc, auto_sync=False))
        # The compiler inserts the flags between the scalar unit and the others.
        for how in range(4):
            run("order.cpp", **launch(how, soc=soc))


def test_flags():
    finds("flag-never-set", "never_set", "// nobody sets this")
    finds("flag-deadlock", "circle", "// waits for the vector unit", "// too late")
    finds("flag-set-twice", "set_twice", "// second set", "// first set")
    finds("flag-left-set", "left_set", "// one too many")


def test_run_ahead_is_a_warning():
    launch = run("order.cpp", check=False, **arguments("run_ahead"))
    assert not launch.failure and launch.warnings == ["flag-run-ahead"], launch.warnings
    launch = run("order.cpp", check=False, **arguments("complete"))
    assert not launch.failure and not launch.warnings, launch.warnings


def test_wait_may_precede_its_set():
    run("order.cpp", **arguments("late_set"))


def test_cores():
    finds("race-between-cores", "neighbours", "// my neighbour's part", "// my part",
          blocks=4, scalars=[("u32", 0)])
    run("order.cpp", **arguments("neighbours", blocks=4, scalars=[("u32", 1)]))


if __name__ == "__main__":
    main()
