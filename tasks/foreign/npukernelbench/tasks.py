"""NPUKernelBench's tasks as belay bench asks for them."""
import hashlib
import json
import pathlib

from . import calls, choice, launch, reference
from .shapes import shrunk_row


class Recorded(Exception):
    """The operator was called; there is nothing to return."""


def all_tasks(checkout):
    groups = choice.find_tasks(choice.checkout_at(checkout), choice.ALL_LEVELS)
    return {f"{t.category}/{t.name}": t for group in groups.values() for t in group}


def describe_all(checkout):
    return [describe(name, task) for name, task in sorted(all_tasks(checkout).items())]


def describe(name, task):
    level, category = task.category.split("/")
    digest = hashlib.sha256()
    own = sorted(pathlib.Path(__file__).parent.glob("*.py"))
    for file in [*own, *sorted(task.validation.iterdir())]:
        if file.is_file():
            text = file.read_bytes()
            digest.update(f"{file.name} {len(text)}\n".encode() + text)
    return {"id": name, "level": int(level[-1]), "category": category, "name": task.name,
            "summary": f"{task.name} of NPUKernelBench, an operator project",
            "kernel": task.kernel, "answer": str(task.answer),
            "includes": [str(d) for d in task.include_dirs() if d != task.answer / "op_host"],
            "defines": launch.DEFINES, "digest": digest.hexdigest()}


def rows(checkout, name, largest, call):
    """Runs the task's Python for each of its cases, with `call` as its operator; a case that is
    wrong or raises gives the reason. A shape that the task's own Python cannot do without is left
    as it is."""
    task = all_tasks(checkout)[name]
    operators = reference.install_stand_ins()
    model = reference.Reference(task, operators)
    for number, row in enumerate(reference.read_cases(task.validation / "test_cases.csv")):
        small, smaller = shrunk_row(dict(row), largest)
        if smaller and not works(model, small):
            small, smaller = row, False
        bound = lambda *a, **k: call(number, calls.CALLS[task.name](*a, **k))
        yield number, smaller, lambda: model.run(small, bound)


def works(model, row):
    """Whether the reference accepts it."""
    def nothing(*a, **k):
        raise Recorded
    try:
        model.run(row, nothing)
    except Recorded:
        return True
    except Exception:  # the task's own Python may raise anything
        return False
    return True


def digest_of(call):
    """Of all inputs: a judge that draws others would compare with something else."""
    digest = hashlib.sha256()

    def add(tensors):
        if isinstance(tensors, (list, tuple)):
            for tensor in tensors:
                add(tensor)
        elif not launch.is_absent(tensors):
            digest.update(launch.typed(tensors).encode())
            digest.update(launch.as_array(tensors).tobytes())

    add(call.inputs)
    return digest.hexdigest()


def cases(checkout, name, folder, largest):
    task = all_tasks(checkout)[name]
    files = launch.Launcher("", folder, "", False, 0)
    files.files, recorded, digests = 0, [], []

    def record(number, call):
        arguments, results = [], Results(number)
        for index, tensors in enumerate(call.inputs):
            if launch.is_absent(tensors):
                arguments.append({"in": "none"})
            elif index in call.in_place:
                arguments.append({"inout": text(tensors, files.save, results)})
            else:
                arguments.append({"in": text(tensors, files.save, None)})
        for index, tensors in enumerate(call.outputs):
            if index in call.zeroed:
                arguments.append({"inout": text(tensors, lambda t: "zeros", results)})
            else:
                arguments.append({"out": text(tensors, None, results)})
        digests.append(digest_of(call))
        recorded.append({"name": str(number), "args": arguments,
                         "attrs": {n: launch.plain(v) for n, v in call.attrs.items()}})
        raise Recorded

    for number, smaller, run in rows(checkout, name, largest, record):
        try:
            run()
            raise SystemExit(f"{name}, case {number}: its Python does not call the operator")
        except Recorded:
            recorded[-1]["name"] = f"{number}, smaller" if smaller else str(number)
    (folder / "inputs.json").write_text(json.dumps(digests))
    return {"source": "kernel.cpp", "kernel": task.kernel, "op": task.name, "cases": recorded}


class Results:
    """Names of the files that results are written to."""

    def __init__(self, case):
        self.case, self.number = case, 0

    def next(self):
        self.number += 1
        return f"{self.case}/{self.number}.npy"


def text(tensors, values, results):
    def one(tensor):
        said = launch.typed(tensor)
        if values:
            said += f"={values(tensor)}"
        if results:
            said += ("@" if values else "=") + f"@RESULTS@/{results.next()}"
        return said, None

    return launch.joined(tensors, one)[0]


def judge(checkout, name, folder, largest, outputs):
    digests = json.loads((folder / "inputs.json").read_text())

    def read_back(number, call):
        results = Results(number)
        if digest_of(call) != digests[number]:
            raise SystemExit(f"{name}, case {number}: its Python draws other inputs each time")

        def read(tensors):
            if isinstance(tensors, (list, tuple)):
                return [read(t) for t in tensors]
            return launch.read((outputs / results.next(), tensors))

        changed = {i: read(t) for i, t in enumerate(call.inputs)
                   if i in call.in_place and not launch.is_absent(t)}
        return call.result([read(t) for t in call.outputs], changed)

    verdicts = []
    for number, smaller, run in rows(checkout, name, largest, read_back):
        verdict = {"right": False, "smaller": smaller}
        if not (outputs / str(number) / "1.npy").exists():
            verdict["why"] = "there is no result"
        else:
            try:
                verdict["right"], verdict["error"] = run()
                verdict["right"] = bool(verdict["right"])
                if not verdict["right"]:
                    verdict["why"] = f"largest error {verdict['error']}"
            except Exception as failure:  # the task's own Python may raise anything
                verdict["why"] = f"{type(failure).__name__}: {failure}"
        verdicts.append({k: v if v == v else None for k, v in verdict.items()})
    return verdicts
