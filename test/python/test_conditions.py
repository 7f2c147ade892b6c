"""Python and `belay run` admit the same launches: two evaluators of one contract."""
import json
import os
import random
import subprocess

import numpy as np
from conftest import HERE

import belay_npu as belay

KERNELS = HERE / "kernels.cpp"
LAUNCHES = 60


def launches():
    """Numbers near those where conditions change, zeros and signs."""
    choose = random.Random(1)
    small = list(range(-8, 9)) + [999999, 1000000, -999999, -1000000]
    for _ in range(LAUNCHES):
        yield (choose.choice([0, 1, 2, 3, 7, 100]), choose.choice(small), choose.choice(small),
               choose.choice([0.0, -1.0, 29.5, 30.0, 1e30, -1e30, float("nan")]),
               choose.choice([True, False]))


def ask_belay(cases, folder):
    """Which of the launches `belay run` admits, or the text of what is not met."""
    file = folder / "cases.json"
    file.write_text(json.dumps({"source": str(KERNELS), "kernel": "strict", "cases": [
        {"name": str(number), "args": [
            {"in": f"f32:{n}=ones"}, {"out": f"f32:{n}"}, {"scalar": f"i64={a}"},
            {"scalar": f"i64={b}"}, {"scalar": f"f32={s}"},
            {"scalar": f"bool={int(either)}"}]}
        for number, (n, a, b, s, either) in enumerate(cases)]}))
    ran = subprocess.run([os.path.join(os.environ["BELAY_HOME"], "bin/belay"), "run", file,
                          "--format=json"], capture_output=True, text=True)
    answers = {}
    for case in json.loads(ran.stdout)["cases"]:
        problems = [each for each in case["problems"] if each["severity"] == "error"]
        assert all(each["id"] == "expects-not-met" for each in problems), problems
        answers[int(case["name"])] = problems[0]["line"] if problems else 0
    return answers


def test_same_launches(tmp_path):
    strict = belay.kernel(KERNELS, "strict")
    cases = list(launches())
    theirs = ask_belay(cases, tmp_path)
    ours = {}
    for number, (n, a, b, s, either) in enumerate(cases):
        x = np.ones(n, np.float32)
        try:
            y = strict(x, a, b, s, either, blocks=1)
            np.testing.assert_array_equal(y, x)
            ours[number] = 0
        except belay.ContractError as error:
            assert error.id == "expects-not-met"
            ours[number] = error.line
    assert ours == theirs
    # Every expects refuses something, and something is admitted.
    assert len(set(ours.values())) >= 5 and 0 in ours.values()
