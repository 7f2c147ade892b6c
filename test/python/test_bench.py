"""belay_npu.bench: verdicts for loops that make candidates."""
import concurrent.futures
import os
import signal
import time

import pytest
from conftest import ROOT

from belay_npu import BelayFailed
from belay_npu.bench import Judge

ADD = "level1/math/add/float"
RIGHT = (ROOT / "tasks/prompts/example.txt").read_text()


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    with Judge(store=tmp_path_factory.mktemp("bench") / "bench.db", jobs=2) as made:
        yield made


def test_verdicts(judge):
    wrong = RIGHT.replace("Add(c", "Sub(c")
    racing = RIGHT.replace("    outZ.EnQue(c);\n    c = outZ.DeQue<float>();\n", "")
    results = judge.evaluate_many([(ADD, RIGHT), (ADD, wrong), (ADD, racing), (ADD, "int x;")])
    assert [r.verdict for r in results] == ["passed", "wrong", "unsafe", "not-compiled"]
    assert results[0].score > 0.3 and results[0].correct and results[0].safe
    assert [r.score for r in results[1:]] == [0, 0, 0]
    assert results[0].record["sealed"] and results[0].record["sandbox"]
    assert results[0].task == ADD and len(results[0].key) == 64


def test_equal_sources_are_judged_once(judge):
    first = judge.evaluate(ADD, RIGHT)
    begin = time.monotonic()
    assert [judge.evaluate(ADD, RIGHT) for _ in range(50)] == [first] * 50
    assert time.monotonic() - begin < 5


def test_many_threads(judge):
    """More than fit into the pipe, from several threads at once."""
    sources = [f"int x{i}; // " + "x" * 2000 for i in range(600)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        verdicts = list(pool.map(lambda s: judge.evaluate(ADD, s).verdict, sources))
    assert verdicts == ["not-compiled"] * len(sources)
    assert len({r.key for r in judge.evaluate_many((ADD, s) for s in sources)}) == len(sources)


def test_mistakes(judge):
    with pytest.raises(ValueError, match="there is no task 'level9/x'"):
        judge.evaluate("level9/x", RIGHT)
    with pytest.raises(ValueError, match="up to 1 MiB"):
        judge.evaluate(ADD, "x" * (1 << 20) + "x")
    assert judge.evaluate(ADD, "int x;").verdict == "not-compiled"


def test_the_process_ends(tmp_path):
    made = Judge(store=tmp_path / "bench.db", jobs=1)
    future = made.submit(ADD, RIGHT)
    os.kill(made._process.pid, signal.SIGKILL)
    with pytest.raises(BelayFailed):
        future.result(60)
    with pytest.raises(BelayFailed):
        made.evaluate(ADD, RIGHT, timeout=60)
    made.close()
    with pytest.raises(BelayFailed, match="no such SoC|takes a SoC"):
        Judge(soc="Ascend1", store=tmp_path / "b.db").evaluate(ADD, RIGHT, timeout=60)
