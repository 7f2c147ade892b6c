"""Flags between cores: what waits for them, and who may have ended by then."""
import os
import pathlib
import subprocess

import numpy as np
from harness import belay, expect_failure, main, run

Z = np.zeros(256, np.float32)


def test_a_wait_holds_all_pipes_back():
    for kernel in ("load_waits", "vector_waits"):
        run("cross.cpp", kernel=kernel, inouts=[Z], sanitize=True, soc=2201)


def test_on_3510_it_holds_one():
    run("cross.cpp", kernel="load_waits", inouts=[Z], sanitize=True, soc=3510)
    expect_failure("race-between-cores", "cross.cpp", line="// read", soc=3510,
                   kernel="vector_waits", inouts=[Z], sanitize=True)


def test_a_core_that_has_ended_is_still_known():
    """With one core at a time the setter is gone when the other one wakes."""
    done = subprocess.run(
        [belay(), "run", "cross.cpp", "--kernel", "ends_first", "--check", "--jobs", "1",
         "--inout", "f32:256=zeros"],
        cwd=pathlib.Path(__file__).parent, text=True, check=False,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout


def test_what_the_other_core_answers():
    """A core learns of its own copy by way of the core that waited for it."""
    run("cross.cpp", kernel="round_trip", inouts=[Z], sanitize=True, soc=2201)
    expect_failure("missing-sync", "cross.cpp", line="// overwritten", soc=2201,
                   kernel="no_round_trip", inouts=[Z], sanitize=True)


if __name__ == "__main__":
    main()
