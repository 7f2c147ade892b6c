"""The Python of docs/python.md runs as it is written, in examples/kernels."""
import re
import subprocess
import sys

import pytest
from conftest import ROOT

PAGE = (ROOT / "docs/python.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_block(number, monkeypatch):
    monkeypatch.chdir(ROOT / "examples/kernels")
    exec(compile(BLOCKS[number], f"block {number}", "exec"), {"__name__": "block"})


def test_quick_start():
    """In a process of its own, as a reader has it."""
    ran = subprocess.run([sys.executable, "-c", BLOCKS[0]], capture_output=True, text=True,
                         cwd=ROOT / "examples/kernels")
    assert ran.returncode == 0 and "cycles, bound by" in ran.stdout, ran.stderr


def test_tests(tmp_path):
    """The block with a test of pytest is one."""
    (block,) = [each for each in BLOCKS if "parametrize_shapes" in each]
    (tmp_path / "test_it.py").write_text(block)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
         "belay_npu.pytest_plugin", tmp_path / "test_it.py"], capture_output=True, text=True,
        cwd=ROOT / "examples/kernels")
    assert "7 passed" in ran.stdout, ran.stdout


def test_quick_start_is_ten_lines():
    lines = [line for line in BLOCKS[0].splitlines() if line.strip()]
    assert len(lines) <= 10
