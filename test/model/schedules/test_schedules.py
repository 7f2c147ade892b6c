"""belay run --schedules: what may be reordered is, what may not is not."""
import json
import os
import pathlib
import re
import subprocess

from harness import belay, main

HERE = pathlib.Path(__file__).resolve().parent
COUNT = 25


def schedules(kernel, *options, count=COUNT, blocks=1):
    """The problems that belay run reports."""
    done = subprocess.run(
        [belay(), "run", str(HERE / "orders.cpp"), "--kernel", kernel,
         "--blocks", str(blocks), "--in", "f32:1024=normal:1", "--out", "f32:1024",
         "--schedules", str(count), "--format", "json", *options],
        capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    cases = json.loads(done.stdout)["cases"]
    assert len(cases) == 1, done.stderr
    return cases[0]["problems"]


def assert_same(kernel, *options, **more):
    problems = schedules(kernel, *options, **more)
    assert not problems, problems


def assert_differs(kernel, *options, **more):
    problem, = schedules(kernel, *options, **more)
    assert problem["id"] == "schedule-dependent", problem
    return problem


def test_flags_and_barriers_hold():
    for soc in ("Ascend310P3", "Ascend910B3", "Ascend950PR_9599"):
        for sync in ("on", "off"):
            assert_same("ordered", "--soc", soc, "--auto-sync", sync)


def test_pipes_run_in_any_order():
    problem = assert_differs("no_flag")
    assert "output" in problem["message"], problem


def test_compiler_orders_vector_instructions():
    assert_same("no_barrier", "--auto-sync", "on")
    assert_differs("no_barrier", "--auto-sync", "off")


def test_hardware_orders_vector_instructions():
    assert_same("no_barrier", "--auto-sync", "off", "--soc", "Ascend950PR_9599")


def test_compiler_makes_the_scalar_unit_wait():
    assert_same("scalar_read", "--auto-sync", "on")
    assert_differs("scalar_read", "--auto-sync", "off")


def test_flag_is_one_bit():
    problem = assert_differs("lost_flag")
    assert "stops for ever" in problem["message"], problem


def test_waits_hold_in_program_order_too():
    assert_same("late_set")


def test_registers_are_those_at_issue():
    assert_same("registers")


def test_results_for_the_scalar_unit():
    assert_same("result", "--auto-sync", "off")


def test_cores():
    assert_same("meet", blocks=2)
    assert_differs("pass_by", blocks=2)


def test_a_seed_is_an_order():
    problem = assert_differs("no_flag")
    notes = " ".join(note["message"] for note in problem["notes"])
    seed = re.search(r"--schedule-seed (\d+)", notes).group(1)
    for _ in range(2):
        assert assert_differs("no_flag", "--schedule-seed", seed, count=1) == problem
    other, = schedules("pass_by", blocks=2)
    again, = schedules("pass_by", blocks=2)
    assert other == again


def test_program_order_is_reported_as_ever():
    """The results of the first run stay, whatever the others do."""
    problem, = schedules("no_flag", "--check", "--allow-unwritten", "out")
    assert problem["id"] == "missing-sync", problem


if __name__ == "__main__":
    main()
