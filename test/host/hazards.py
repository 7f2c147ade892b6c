#!/usr/bin/env python3
"""The table of hazards in docs/host.md names, for each of H1 to H25, tests that exist.

    hazards.py ROOT
"""
import pathlib
import re
import sys

HAZARDS = [f"H{number}" for number in range(1, 26)]


def has_function(text, name):
    return re.search(rf"\bvoid {re.escape(name)}\(", text)


def has_both(text, name):
    """The mistake is reported or shown, and the same program without it is run, too."""
    return all(re.search(rf"^RUN:.* {re.escape(name)} {how}\b", text, re.M)
               for how in ("wrong", "right"))


def check(root):
    rows = {}
    for line in (root / "docs/host.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells and re.fullmatch(r"H\d+", cells[0]):
            if cells[0] in rows or len(cells) != 5:
                yield f"{cells[0]}: two rows, or a row of {len(cells)} cells"
            rows[cells[0]] = cells
    if list(rows) != HAZARDS:
        yield f"rows {', '.join(rows)} instead of H1 to H25"
    for name, (_, what, here, tests, in_c) in rows.items():
        if not all((what, here, tests, in_c)):
            yield f"{name}: an empty cell"
        kinds = set()
        for cell, folder, ending, has in ((tests, "test/host", ".cpp", has_function),
                                          (in_c, "test/device", ".test", has_both)):
            for entry in filter(None, cell.split(", ")):
                file, _, case = entry.partition(" ")
                kinds.add(file.split("/")[-1])
                path = root / folder / (file + ending)
                if not path.exists() or not has(path.read_text(), case):
                    yield f"{name}: {path.relative_to(root)} has no '{case}'"
        for word, needed in (("impossible", "ownership"), ("refused", "refused"),
                             ("thrown", "checks")):
            # The sentence of the communicators speaks of its own folder.
            if word in here and needed not in kinds and name != "H23":
                yield f"{name}: '{word}', but no test in {needed}.cpp"


problems = list(check(pathlib.Path(sys.argv[1])))
print("\n".join(problems) or f"{len(HAZARDS)} hazards, each with its tests")
sys.exit(bool(problems))
