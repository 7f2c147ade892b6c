"""Baits are right, and only just: a line marked `// without: ID` is one that the
kernel needs. Without it the sanitizer has to say ID."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

from corpus import is_bait, patterns
from harness import SOC_OF_ARCH, main

BELAY = os.environ["BELAY"]
MARKER = re.compile(r"// without: ([a-z-]+)$")


def weakened(text):
    """(line, id, source) for each statement that can be left out."""
    lines = text.splitlines()
    for end, line in enumerate(lines):
        match = MARKER.search(line)
        if not match:
            continue
        begin = end
        while not lines[begin - 1].rstrip().endswith((";", "{", "}")) and (
            "//" not in lines[begin - 1]
        ):
            begin -= 1
        rest = [MARKER.sub("", x) for x in lines[:begin] + [""] + lines[end + 1 :]]
        yield end + 1, match[1], "\n".join(rest) + "\n"


def said(folder, label, source, scratch):
    """The ids of all diagnostics, with as little done by the compiler as the label
    allows: that is where every line counts."""
    arch = 2201 if 2201 in label["archs"] else label["archs"][0]
    kernel = scratch / "weak.cpp"
    kernel.write_text(source)
    members = {**label["run"], "source": str(kernel), "soc": SOC_OF_ARCH[arch],
               "check": True, "autoSync": label["autoSync"] == "on"}
    case = scratch / "case.json"
    case.write_text(json.dumps(members))
    process = subprocess.run([BELAY, "run", case, "--format=json"], capture_output=True)
    return set(re.findall(r'"id": ?"([a-z-]+)"', process.stdout.decode()))


def test_every_marked_line_is_needed():
    wanted = os.environ.get("BAIT", "").split()
    marked = 0
    for folder, label in patterns():
        if not is_bait(label) or (wanted and label["id"] not in wanted):
            continue
        text = (folder / "safe.cpp").read_text()
        for line, ident, source in weakened(text):
            with tempfile.TemporaryDirectory() as scratch:
                ids = said(folder, label, source, pathlib.Path(scratch))
            assert ident in ids, f"{folder.name}:{line}: {ident} expected, said {ids or 'nothing'}"
            marked += 1
    assert marked, "no line is marked"


if __name__ == "__main__":
    main()
