"""The Python of docs/python.md runs as it is written, in examples/kernels."""
import re
import subprocess
import sys

import pytest
from conftest import ROOT

PAGE = (ROOT / "docs/python.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_block(number):
    ran = subprocess.run([sys.executable, "-c", BLOCKS[number]], capture_output=True,
                         text=True, cwd=ROOT / "examples/kernels")
    assert ran.returncode == 0, ran.stderr


def test_quick_start_is_ten_lines():
    lines = [line for line in BLOCKS[0].splitlines() if line.strip()]
    assert len(lines) <= 10
