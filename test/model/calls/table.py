"""accepted.txt: which of the calls of calls.py each architecture accepts, a line for each function and type."""
import collections
import fnmatch
import pathlib

from calls import TYPES, all_calls

ACCEPTED = pathlib.Path(__file__).parent / "accepted.txt"
EXCEPTIONS = pathlib.Path(__file__).parent / "exceptions.txt"


def lines_of(arch, accepted):
    """"2201 Adds count: half, scalar" -> "half", for all calls whose last type differs."""
    rows = collections.defaultdict(list)
    for name, *_ in all_calls():
        if name in accepted:
            *rest, last = name.split(" ")
            rows[f"{arch} {' '.join(rest)}"].append(last)
    for row, types in rows.items():
        yield f"{row} {'*' if types == list(TYPES) else ' '.join(types)}\n"


def parse(file):
    """{arch: names} of a table."""
    found = collections.defaultdict(set)
    known = {name for name, *_ in all_calls()}
    for line in file.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        arch, rest = line.split(" ", 1)
        types = []
        head, _, last = rest.rpartition(" ")
        while last in TYPES or last == "*":
            types += TYPES if last == "*" else [last]
            if head.endswith((":", ",", " scalar")):
                break
            head, _, last = head.rpartition(" ")
        names = {f"{head} {each}" for each in types}
        if not names <= known:
            raise ValueError(f"{file.name}: not a call: {line}")
        found[arch] |= names
    return found


def read(arch):
    return parse(ACCEPTED)[arch] if ACCEPTED.exists() else set()


def exceptions(arch):
    """Names of exceptions.txt."""
    patterns = [line.split(" | ")[:2] for line in EXCEPTIONS.read_text().splitlines() if not line.startswith("#")]
    return {name for name, *_ in all_calls() for where, pattern in patterns
            if where in ("*", arch) and fnmatch.fnmatchcase(name, pattern)}


def write(arch, ours):
    lines = [line for line in (ACCEPTED.read_text().splitlines(keepends=True) if ACCEPTED.exists() else [])
             if not line.startswith(f"{arch} ")]
    if not lines:
        lines = ["# Calls that belay accepts, by architecture; * stands for all types. Written by\n",
                 "# test_calls.py --write; test/public/try-calls compares it with the vendor's headers.\n"]
    ACCEPTED.write_text("".join([*lines, *lines_of(arch, ours)]))
