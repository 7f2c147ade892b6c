"""What docs/walkthrough.md says that belay prints, is what it prints.

    BELAY=build/dev/bin/belay test_walkthrough.py --update

writes the answers anew."""
import os
import pathlib
import re
import shlex
import subprocess
import sys

from corpus import ROOT
from harness import main

PAGE = ROOT / "docs" / "walkthrough.md"
BLOCK = re.compile(r"```console\n\$ (belay .*?)\n(.*?)```", re.DOTALL)


def answer(command):
    belay = pathlib.Path(os.environ["BELAY"]).resolve()
    process = subprocess.run(
        [belay, *shlex.split(command)[1:]], cwd=ROOT, text=True, check=False,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.returncode == 1, f"{command}\n{process.stdout}"
    return process.stdout


def test_walkthrough():
    blocks = BLOCK.findall(PAGE.read_text())
    assert len(blocks) == 6
    for command, printed in blocks:
        got = answer(command)
        assert got == printed, f"{command}\n--- the page\n{printed}--- belay\n{got}"


def update():
    PAGE.write_text(BLOCK.sub(
        lambda m: f"```console\n$ {m[1]}\n{answer(m[1])}```", PAGE.read_text()))


if __name__ == "__main__":
    update() if "--update" in sys.argv else main()
