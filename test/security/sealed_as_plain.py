#!/usr/bin/python3
"""Sealed runs give what plain runs give.

    sealed_as_plain.py BELAY ROOT [--check] [--only TEXT] [--every N]

Runs the cases of examples/ascendc and the kernels of the corpus twice, plain and with
--sealed, and compares exit status, problems (with their places and notes) and every
byte of every argument afterwards. Programs counters, cores and counts have to agree as
well; addresses and times do not.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOCS = {2002: "Ascend310P3", 2201: "Ascend910B1", 3510: "Ascend950PR_9599"}


def case_files(root, folder):
    """(name, case file, options) of one launch each; a pattern of the corpus becomes several."""
    for path in sorted((root / "examples/ascendc").glob("*/cases.json")):
        for case in json.loads(path.read_text())["cases"]:
            yield f"example {path.parent.name}: {case['name']}", path, ["--case", case["name"]]
    for path in sorted((root / "corpus").glob("*/*/case.json")):
        pattern = json.loads(path.read_text())
        for kind in ("unsafe", "safe"):
            source = path.parent / f"{kind}.cpp"
            if not source.exists():
                continue
            run = {**pattern["run"], **pattern.get(kind, {})}
            for arch in pattern["archs"]:
                case = {**run, "source": str(source), "soc": SOCS[arch], "timeLimit": 5}
                if pattern["autoSync"] in ("on", "off"):
                    case["autoSync"] = pattern["autoSync"]
                made = folder / f"{path.parent.parent.name}-{path.parent.name}-{kind}-{arch}.json"
                made.write_text(json.dumps({"cases": [case]}))
                yield f"corpus {made.stem}", made, []


def normal(value):
    """Without what differs from run to run."""
    if isinstance(value, dict):
        return {k: normal(v) for k, v in value.items()
                if k not in ("fromCache", "compileSeconds", "kernelSeconds", "runnerCpuSeconds", "sandbox",
                             "sealed")}
    if isinstance(value, list):
        return [normal(v) for v in value]
    if isinstance(value, str):
        value = re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", value)
        return re.sub(r"the nearest is '.*?', \d+ bytes (back|further on)", "NEAREST", value)
    return value


def run(belay, path, options, keep):
    made = subprocess.run([belay, "run", path, "--format", "json", "--keep", keep, *options],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
    try:
        answer = json.loads(made.stdout)
    except json.JSONDecodeError:
        return made.returncode, made.stdout + made.stderr, {}
    arrays = {p.name: p.read_bytes() for p in sorted(keep.iterdir()) if p.suffix in (".npy", ".bin")}
    return made.returncode, answer, arrays


def differences(plain, sealed):
    if plain[0] != sealed[0]:
        yield f"exit status {plain[0]} and {sealed[0]}"
    if not isinstance(plain[1], dict) or not isinstance(sealed[1], dict):
        if plain[1] != sealed[1]:
            yield f"{str(plain[1])[-300:]}\n--- and ---\n{str(sealed[1])[-300:]}"
        return
    for before, after in zip(plain[1]["cases"], sealed[1]["cases"]):
        if before["sealed"] or not after["sealed"]:
            yield "sealed is said of the wrong one"
        before, after = normal(before), normal(after)
        for key in before.keys() | after.keys():
            if before.get(key) != after.get(key):
                yield (f"{before['name']}: {key}: {json.dumps(before.get(key))[:600]}\n"
                       f"--- and ---\n{json.dumps(after.get(key))[:600]}")
    if plain[1]["passed"]:
        for name in plain[2].keys() | sealed[2].keys():
            if plain[2].get(name) != sealed[2].get(name):
                yield f"the bytes of {name}"


def compare(belay, path, options, keep):
    """What differs. Cores that add floats atomically come in any order, also in plain runs."""
    plain = [run(belay, path, options, keep[0])]
    sealed = [run(belay, path, options + ["--sealed"], keep[1])]
    found = list(differences(plain[0], sealed[0]))
    for _ in range(5 if found else 0):
        plain.append(run(belay, path, options, keep[0]))
        sealed.append(run(belay, path, options + ["--sealed"], keep[1]))
        if any(not list(differences(p, s)) for p in plain for s in sealed):
            return []
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("belay", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1, help="take every Nth, for a quick look")
    args = parser.parse_args()
    args.root = args.root.resolve()
    options = ["--check"] if args.check else []
    options += ["--jobs", "1"]  # what cores race for is then the same every time
    wrong = total = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        chosen = [x for x in case_files(args.root, scratch) if args.only in x[0]][::args.every]
        for number, (name, path, which) in enumerate(chosen):
            keep = [scratch / f"{number}{kind}" for kind in ("plain", "sealed")]
            for folder in keep:
                folder.mkdir()
            found = compare(args.belay, path, options + which, keep)
            total += 1
            wrong += bool(found)
            for each in found:
                print(f"{name}: {each}", flush=True)
            for folder in keep:
                for file in folder.iterdir():
                    file.unlink()
    print(f"{total - wrong} of {total} are the same sealed and plain")
    sys.exit(1 if wrong or not total else 0)


if __name__ == "__main__":
    os.environ.setdefault("NO_COLOR", "1")
    main()
