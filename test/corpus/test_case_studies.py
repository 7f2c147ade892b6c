"""What docs/case-studies.md says that belay prints, is what it prints.

    BELAY=build/dev/bin/belay test_case_studies.py --update

writes the answers anew. Statuses are part of what is held: what the page calls wrong or
refused fails, what it calls right does not."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from corpus import ROOT
from harness import main

sys.path.insert(0, str(ROOT / "test" / "install"))
from pages import agrees  # noqa: E402

PAGE = ROOT / "docs" / "case-studies.md"
BLOCK = re.compile(r"```console\n\$ (belay .*?)\n(.*?)```", re.DOTALL)
EXCERPT = re.compile(r"<!-- from: (\S+) -->\n```cpp\n(.*?)```", re.DOTALL)
# Lines about headers of Belay, which are where it was installed.
HEADER = re.compile(r"^\S*/include/belay/\S+: note: .*\n(?: .*\n)*", re.MULTILINE)


def run(command):
    """(status, what is printed) with paths relative to the repository."""
    belay = pathlib.Path(os.environ["BELAY"]).resolve()
    with tempfile.TemporaryDirectory() as out:
        words = [out if w == "out" else w for w in shlex.split(command)[1:]]
        done = subprocess.run([belay, *words], cwd=ROOT, text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env={**os.environ, "NO_COLOR": "1"})
    text = (done.stdout + done.stderr).replace(out, "out").replace(f"{ROOT}/", "")
    text = text.replace(f"{ROOT.resolve()}/", "")
    return done.returncode, HEADER.sub("...\n", text)


def is_wrong(command):
    """Whether a command has to fail; `check` answers with conditions, too."""
    if "/right.cpp" in command:
        return "i64=8" in command  # a launch that the launcher refuses
    return "check examples" not in command or "missing-sync" in command


def test_excerpts():
    found = EXCERPT.findall(PAGE.read_text())
    assert len(found) == 6
    for path, text in found:
        assert text in (ROOT / path).read_text(), f"{path} has no\n{text}"


def test_commands():
    blocks = BLOCK.findall(PAGE.read_text())
    assert len(blocks) == 20, len(blocks)
    for command, printed in blocks:
        status, got = run(command)
        assert agrees(got, printed), f"{command}\n--- the page\n{printed}--- belay\n{got}"
        assert (status != 0) == is_wrong(command), f"{command}: status {status}"


def update():
    PAGE.write_text(BLOCK.sub(lambda m: f"```console\n$ {m[1]}\n{run(m[1])[1]}```", PAGE.read_text()))


if __name__ == "__main__":
    update() if "--update" in sys.argv else main()
