#!/usr/bin/python3
"""What the tasks of belay bench have to compute: their values, for the process that judges.

    reference.py values REQUESTS       # lines of {"tasks", "task", "salt", "out"}
    reference.py write TASKS           # makes TASKS/level*/category/name/task.json again

This is a trusted process of its own. It runs references, which are PyTorch in float64
(those of kernels/tests, or reference.py in the folder of a task), and never anything of a
candidate; candidates never run where its files can be seen. Without a salt the cases are
those that everyone can read; with one, which is a secret of whoever judges, values and
shapes are others.

A file of values is a line of JSON, filled with spaces to a multiple of 64 bytes, then the
bytes that it speaks of. src/bench/Values.h reads it.
"""
import argparse
import importlib
import importlib.util
import inspect
import json
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent / "kernels" / "tests"
sys.path.insert(0, str(TESTS))
os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch  # noqa: E402

import library  # noqa: E402
from library import KINDS, In, InOut, Out, Scalar  # noqa: E402

VERSION = 1
# Variants that 'belay bench lint' refused, each with the reason.
REFUSED = HERE / "refused.txt"
# Simulating a tensor of this size takes a few hundredths of a second.
MOST_ELEMENTS = 1 << 15
# Categories that have tasks; those with products of matrices have none yet.
LEVELS = {"math": 1, "activation": 1, "broadcast": 1, "quantize": 1, "index": 2, "reduce": 2, "loss": 2,
          "optimizer": 2, "pooling": 2, "resize": 2, "backward": 2, "normalization": 2, "inference": 3}


# --- cases ---------------------------------------------------------------------


def tensors(arguments):
    return [a for a in arguments if not isinstance(a, Scalar)]


def data_of(argument):
    return argument.want if isinstance(argument, Out) else argument.data


def is_asked(arguments):
    """Neither empty nor huge, and without NaN and infinities in what is read."""
    for a in tensors(arguments):
        if not 0 < data_of(a).numel() <= MOST_ELEMENTS:
            return False
        read = getattr(a, "data", None)
        if read is not None and read.dtype.is_floating_point and not torch.isfinite(read).all():
            return False
    return True


def registered(name, instance):
    return [k for k in library.KERNELS if k.name == name and not k.fails
            and instance in [i for _, i in k.instances()]]


def cases_of(name, instance):
    """Bounds, blocks and arguments of all launches that are asked of an instance."""
    for kernel in registered(name, instance):
        dtype = next(d for d, i in kernel.instances() if i == instance)
        torch.manual_seed(0)
        for blocks, arguments in kernel.cases(dtype) if kernel.dtypes else kernel.cases():
            if is_asked(arguments):
                yield kernel, blocks, arguments


# --- values --------------------------------------------------------------------


class Blob:
    def __init__(self):
        self.parts, self.size = [], 0

    def add(self, tensor):
        # A copy: one element of a view counts as contiguous, whatever its stride is.
        raw = tensor.flatten().clone(memory_format=torch.contiguous_format).view(torch.uint8).numpy().tobytes()
        at, padding = self.size, -len(raw) % 64
        self.parts.append(raw + bytes(padding))
        self.size += len(raw) + padding
        return {"at": at, "bytes": len(raw)}


def describe_argument(argument, kernel, blob):
    if isinstance(argument, Scalar):
        return {"role": "scalar", "type": argument.kind, "value": repr(argument.value)}
    dtype = argument.dtype if isinstance(argument, Out) else argument.data.dtype
    data = data_of(argument)
    entry = {"role": {In: "in", InOut: "inout"}.get(type(argument), "out"), "type": KINDS[dtype],
             "shape": list(data.shape) or [1]}
    if not isinstance(argument, Out) or isinstance(argument, InOut):
        entry["data"] = blob.add(argument.data)
    if not isinstance(argument, Out):
        return entry
    floating = dtype.is_floating_point
    entry["want"] = blob.add(argument.want.to(torch.float64 if floating else torch.int64))
    near = kernel.near if argument.near is None else argument.near
    if floating and torch.is_tensor(near) and near.numel() > 1:
        entry["near"] = blob.add(near.double().expand(argument.want.shape))
    elif floating:
        entry["near"] = float(near)
    return entry


def write_values(request, task):
    """One file, which appears when it is whole."""
    library.SALT = request["salt"]
    blob, cases = Blob(), []
    for kernel, blocks, arguments in cases_of(task["operator"], task["instance"]):
        cases.append({"blocks": blocks, "rel": kernel.rel, "unordered": kernel.unordered,
                      "arguments": [describe_argument(a, kernel, blob) for a in arguments]})
    head = json.dumps({"version": VERSION, "task": request["task"], "cases": cases}).encode()
    head += b" " * (-(len(head) + 1) % 64) + b"\n"
    out = pathlib.Path(request["out"])
    half = out.with_suffix(f".{os.getpid()}")
    half.write_bytes(head + b"".join(blob.parts))
    half.replace(out)


def load_references():
    for path in sorted(TESTS.glob("*.py")):
        if path.stem not in ("library", "references", "runner"):
            importlib.import_module(path.stem)


def load_own(folder):
    """The reference of a task that has its own."""
    path = folder / "reference.py"
    spec = importlib.util.spec_from_file_location(f"task_{folder.name}", path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def values(requests):
    load_references()
    loaded, trees = set(), {}
    for line in pathlib.Path(requests).read_text().splitlines():
        request = json.loads(line)
        root = pathlib.Path(request["tasks"])
        folder, variant = (root / request["task"]).parent, request["task"].rsplit("/", 1)[1]
        if folder not in trees:
            trees[folder] = json.loads((folder / "task.json").read_text())
        task = trees[folder]
        if (folder / "reference.py").exists() and folder not in loaded:
            loaded.add(folder)
            load_own(folder)
        write_values(request, {"operator": task["operator"], **task["variants"][variant]})
        print(request["task"], flush=True)


# --- task.json -----------------------------------------------------------------


def variant_of(instance):
    """elu<half> is half, rope<half, 32> is half-32, a kernel without arguments default."""
    inside = re.search(r"<(.*)>", instance)
    return re.sub(r"\W+", "-", inside.group(1)).strip("-") if inside and inside.group(1) else "default"


def extents(launches):
    """Names for extents that are equal in all launches, and numbers for those that never change."""
    names, result = {}, []
    for a in range(len(launches[0])):
        if isinstance(launches[0][a], Scalar):
            values = {repr(l[a].value) for l in launches}
            result.append(f"scalar {launches[0][a].kind}" + (f" = {values.pop()}" if len(values) == 1 else ""))
            continue
        argument, shape = launches[0][a], []
        for d in range(max(1, data_of(argument).dim())):
            seen = tuple((tuple(data_of(l[a]).shape) or (1,))[d] for l in launches)
            shape.append(str(seen[0]) if len(set(seen)) == 1 else
                         names.setdefault(seen, "nmkhwdcb"[len(names) % 8]))
        dtype = argument.dtype if isinstance(argument, Out) else argument.data.dtype
        role = {In: "in", InOut: "inout"}.get(type(argument), "out")
        result.append(f"{role} {KINDS[dtype]}[{']['.join(shape)}]")
    return result


def refused():
    lines = REFUSED.read_text().splitlines() if REFUSED.exists() else []
    return {line.split(": ")[0] for line in lines}


def folder_of(operator):
    category, name = operator.split("/")[0], operator.split(":")[-1].split("/")[-1]
    return f"level{LEVELS[category]}/{category}/{name}"


def task_of(operator, catalogue, without):
    """What is in task.json, or nothing if no launch is asked."""
    variants = {}
    for kernel in library.KERNELS:
        for _, instance in kernel.instances() if kernel.name == operator and not kernel.fails else ():
            launches = [arguments for _, _, arguments in cases_of(operator, instance)]
            name = variant_of(instance)
            if launches and name not in variants and f"{folder_of(operator)}/{name}" not in without:
                archs = [a for k in registered(operator, instance) for a in k.archs]
                variants[name] = {
                    "instance": instance, "arguments": extents(launches),
                    "socs": [soc for a, soc in library.SOCS.items() if a in archs]}
    if not variants:
        return None
    entry = catalogue.get((operator.split(":")[0], operator.split(":")[-1].split("/")[-1])) or next(
        (e for (name, _), e in catalogue.items() if name == operator.split(":")[0]), {})
    category = operator.split("/")[0]
    return {"schema": 1, "operator": operator, "level": LEVELS[category], "category": category,
            "summary": entry.get("summary", ""), "signature": entry.get("signature", ""),
            "answer": f"kernels/{operator.split(':')[0]}.cpp", "variants": variants}


def write(root):
    load_references()
    catalogue = {(e["name"], e["kernel"]): e
                 for e in json.loads((TESTS.parent / "catalogue.json").read_text())["kernels"]}
    written, without = set(), refused()
    for operator in dict.fromkeys(k.name for k in library.KERNELS if k.name.split("/")[0] in LEVELS):
        task = task_of(operator, catalogue, without)
        if task is None:
            continue
        path = pathlib.Path(root) / folder_of(operator) / "task.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(task, indent=1) + "\n")
        written.add(path)
    for path in pathlib.Path(root).glob("level*/*/*/task.json"):
        if path not in written and not (path.parent / "reference.py").exists():
            path.unlink()
            path.parent.rmdir()
    print(f"{len(written)} operators, {sum(len(json.loads(p.read_text())['variants']) for p in written)} tasks")


def main():
    parser = argparse.ArgumentParser(description=inspect.getdoc(sys.modules[__name__]),
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("values", "write"))
    parser.add_argument("path")
    arguments = parser.parse_args()
    {"values": values, "write": write}[arguments.what](arguments.path)


if __name__ == "__main__":
    main()
