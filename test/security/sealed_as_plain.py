#!/usr/bin/python3
"""Sealed runs give what plain runs give.

    sealed_as_plain.py BELAY ROOT [--check] [--only TEXT] [--every N] [--public CHECKOUT]

Runs the cases of examples/ascendc, a launch of each kernel of examples/kernels and the
kernels of the corpus twice, plain and with --sealed, and compares exit status, problems
(with their places and notes) and every byte of every argument afterwards. Programs
counters, cores and counts have to agree as well; addresses and times do not. The last
line says how many launches ended how: two runs that are refused alike say little.

With --public a checkout of NPUKernelBench is asked instead: the first case of each
answer that test/public/try-npukernelbench knows how to call, with the launch that its own
op_host code computes. That runs the checkout's Python with your rights.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

SOCS = {2002: "Ascend310P3", 2201: "Ascend910B1", 3510: "Ascend950PR_9599"}


def language_launches(root):
    """(name, source, kernel, architectures, blocks, arguments) of the kernel language."""
    sys.path.insert(0, str(root / "test/campaigns"))
    import example_launches
    import mixed_launches

    def source(file):
        return root / "examples/kernels" / f"{file}.cpp"

    for name, e in example_launches.EXAMPLES.items():
        blocks, args = e.launch(3, 1)
        # Extents are arguments of emitted code, not of kernels.
        args = [a for a in args if not a.get("scalar", "").startswith("i64=")]
        yield name, source(e.file), e.instance or e.symbol, e.archs, blocks, args
    mixed = mixed_launches.test_mixed
    for name, (path, instance, *_, launches, _) in mixed.KERNELS.items():
        if path.parent != mixed.EXAMPLES or name in example_launches.EXAMPLES:
            continue
        cores, inputs, scalars, wanted = next(mixed_launches.telling(launches))
        kinds = [mixed.NAMES[array.dtype] for array in inputs]
        values = ["randint:1:-9:9" if kind == "i8" else f"normal:{n}" for n, kind in enumerate(kinds)]
        args = [{"in": f"{kind}:{mixed_launches.shape_of(array)}={value}"}
                for kind, array, value in zip(kinds, inputs, values)]
        args += [{"out": f"{mixed.NAMES[mixed.np.dtype(w[1])]}:{mixed_launches.shape_of(w[0])}"} for w in wanted]
        args += [{"scalar": s} for s in scalars]
        yield name, path, instance, example_launches.LATER, cores, args


def case_files(root, folder):
    """(name, case file, options) of one launch each; a pattern of the corpus becomes several."""
    for name, source, kernel, archs, blocks, args in language_launches(root):
        for arch in archs:
            made = folder / f"language-{name}-{arch}.json"
            made.write_text(json.dumps({"cases": [{
                "source": str(source), "kernel": kernel, "soc": SOCS[arch], "blocks": blocks, "args": args,
                "timeLimit": 60}]}))
            yield f"language {name} on {arch}", made, []
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


def contents(arrays, name):
    """Of a list of tensors, which has files of its own for its elements, without their addresses."""
    number, bytes_ = name.split("-")[0], arrays.get(name)
    if bytes_ and name.endswith(".bin") and any(n.startswith(f"{number}-") and n.endswith(".npy") for n in arrays):
        (table,) = struct.unpack_from("<Q", bytes_)
        return bytes_[:table]
    return bytes_


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
            if contents(plain[2], name) != contents(sealed[2], name):
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
            return [], plain[0]
    # What differs from each plain run to the next (an op_host that leaves a field as it was) says nothing.
    restless = {what(each) for first, second in zip(plain, plain[1:]) for each in differences(first, as_sealed(second))}
    for each in sorted(restless & set(map(what, found))):
        print(f"{path.parent.name}/{path.stem}: {each}: differs between plain runs as well", flush=True)
    return [each for each in found if what(each) not in restless], plain[0]


def what(difference):
    """Without the values: the name of a case and what is different of it, or of an array."""
    return ":".join(difference.split(":")[:2])


def as_sealed(result):
    answer = result[1]
    if isinstance(answer, dict):
        answer = {**answer, "cases": [{**case, "sealed": True} for case in answer["cases"]]}
    return result[0], answer, result[2]


def public_cases(root, checkout, folder):
    """As case_files. A task is called until it has said how its kernel is to be launched."""
    sys.path.insert(0, str(root / "tasks/foreign"))
    sys.dont_write_bytecode = True  # not into other people's checkouts
    from npukernelbench import calls, choice, launch, reference
    from npukernelbench.shapes import shrunk_row

    class Told(Exception):
        pass

    class Asked(launch.Launcher):
        def start(self, task, call, arguments):
            raise Told(json.dumps({"cases": [self.case_of(task, call, arguments)]}))

    operators = reference.install_stand_ins()
    checkout = choice.checkout_at(checkout)
    for tasks in choice.find_tasks(checkout, choice.ALL_LEVELS).values():
        for task in tasks:
            if task.name not in calls.CALLS or task.name in choice.BROKEN:
                continue
            place = folder / task.name
            place.mkdir()
            asked = Asked(None, place, "Ascend910B3", False, 240)
            row, _ = shrunk_row(reference.read_cases(task.validation / "test_cases.csv")[0], 20_000)
            call = calls.CALLS[task.name]
            try:
                reference.Reference(task, operators).run(row, lambda *a, **k: asked.run(task, call(*a, **k)))
            except Told as told:
                made = place / "case.json"
                made.write_text(told.args[0])
                yield f"public {task.category} {task.name}", made, []
            except Exception as failure:  # the task's own Python may raise anything
                print(f"public {task.name}: not called: {type(failure).__name__}: {failure}", flush=True)


def how_it_ended(result):
    status, answer, _ = result
    if not isinstance(answer, dict):
        return f"exit status {status}"
    ids = sorted({p["id"] for case in answer["cases"] for p in case["problems"]})
    return "passed" if not status else ", ".join(ids) or f"exit status {status}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("belay", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1, help="take every Nth, for a quick look")
    parser.add_argument("--public", type=pathlib.Path, metavar="CHECKOUT", help="kernels of NPUKernelBench instead")
    args = parser.parse_args()
    args.root = args.root.resolve()
    options = ["--check"] if args.check else []
    options += ["--jobs", "1"]  # what cores race for is then the same every time
    wrong = total = 0
    ends = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        cases = public_cases(args.root, args.public, scratch) if args.public else case_files(args.root, scratch)
        chosen = [x for x in cases if args.only in x[0]][::args.every]
        for number, (name, path, which) in enumerate(chosen):
            keep = [scratch / f"{number}{kind}" for kind in ("plain", "sealed")]
            for folder in keep:
                folder.mkdir()
            found, plain = compare(args.belay, path, options + which, keep)
            ends[how_it_ended(plain)] += 1
            total += 1
            wrong += bool(found)
            for each in found:
                print(f"{name}: {each}", flush=True)
            for folder in keep:
                for file in folder.iterdir():
                    file.unlink()
    print(f"{total - wrong} of {total} are the same sealed and plain: "
          + "; ".join(f"{number} {how}" for how, number in ends.most_common()))
    sys.exit(1 if wrong or not total else 0)


if __name__ == "__main__":
    os.environ.setdefault("NO_COLOR", "1")
    main()
