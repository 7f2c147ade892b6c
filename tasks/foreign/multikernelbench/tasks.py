"""MultiKernelBench's tasks as belay bench asks for them. A candidate is what its backends
ascendc and ascendc_direct_launch take: one text with the parts of an operator project, or a JSON
with sources that launch their kernel themselves."""
import hashlib
import json
import math
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).parent


def all_tasks(checkout):
    files = sorted((checkout / "reference").glob("*/*.py"))
    # Tasks that another benchmark gave it are asked from that one.
    return {f"{f.parent.name}/{f.stem}": f for f in files
            if not f.name.startswith("_") and not f.parent.name.startswith("npukernelbench_")}


def describe_all(checkout):
    return [describe(name, path) for name, path in sorted(all_tasks(checkout).items())]


def own_files():
    return sorted(f for f in HERE.rglob("*") if f.is_file() and f.suffix in (".py", ".h"))


def describe(name, path):
    digest = hashlib.sha256()
    for file in [*own_files(), path]:
        text = file.read_bytes()
        digest.update(f"{file.name} {len(text)}\n".encode() + text)
    # Host code of direct launches has kernels in it.
    share = pathlib.Path(os.path.abspath(sys.argv[0])).parents[2]
    headers = [os.path.realpath(share / part) for part in ("ascendc", "forwarding")]
    return {"id": name, "level": 1, "category": path.parent.name, "name": path.stem,
            "summary": f"{path.stem} of MultiKernelBench: {path.parent.name}",
            "files": True, "includes": [str(HERE / "include"), *headers],
            "defines": [], "digest": digest.hexdigest()}


def reference_of(checkout, name, largest):
    from .reference import Reference
    return Reference(all_tasks(checkout)[name], largest)


def digest_of(inputs):
    from npukernelbench.launch import as_array, typed
    import torch
    digest = hashlib.sha256()
    for value in inputs:
        if isinstance(value, torch.Tensor):
            digest.update(typed(value).encode() + as_array(value).tobytes())
        else:
            digest.update(repr(value).encode())
    return digest.hexdigest()


def cases(checkout, name, folder, largest):
    from npukernelbench.launch import as_array, typed
    from .reference import TRIALS
    import numpy as np
    import torch
    model = reference_of(checkout, name, largest)
    recorded, digests = [], []
    for trial in range(TRIALS):
        inputs, expected = model.inputs(trial), model.expected(trial)
        if not isinstance(expected, torch.Tensor):
            raise SystemExit(f"{name}: its Model returns more than one tensor")
        arguments = []
        for number, value in enumerate(inputs):
            if not isinstance(value, torch.Tensor):
                continue
            path = folder / f"{trial}-{number}.npy"
            np.save(path, as_array(value), allow_pickle=False)
            arguments.append({"in": f"{typed(value)}={path}"})
        arguments.append({"out": f"{typed(expected)}=@RESULTS@/{trial}/1.npy"})
        recorded.append({"name": f"{trial}, smaller" if model.smaller else str(trial), "args": arguments})
        digests.append(digest_of(inputs))
    facts = {"digests": digests,
             "init": [v if isinstance(v, (bool, int, float)) and math.isfinite(v) else None for v in model.init_inputs()],
             # Where the tensors are among the arguments, and the numbers.
             "inputs": [None if isinstance(v, torch.Tensor) else v for v in inputs],
             "types": [typed(v).split(":")[0] for v in inputs if isinstance(v, torch.Tensor)],
             "result": typed(expected).split(":")[0]}
    (folder / "facts.json").write_text(json.dumps(facts))
    return {"source": "kernel.cpp", "kernel": "kernel", "op": "Op", "cases": recorded}


def judge(checkout, name, folder, largest, outputs):
    from npukernelbench.launch import read
    from .reference import TRIALS, agree
    digests = json.loads((folder / "facts.json").read_text())["digests"]
    model = reference_of(checkout, name, largest)
    verdicts = []
    for trial in range(TRIALS):
        if digest_of(model.inputs(trial)) != digests[trial]:
            raise SystemExit(f"{name}, trial {trial}: its Python draws other inputs each time")
        path = outputs / str(trial) / "1.npy"
        if not path.exists():
            verdicts.append({"right": False, "why": "there is no result"})
            continue
        want = model.expected(trial)
        right, why = agree(want, read((path, want)))
        verdicts.append({"right": right, "why": why})
    return verdicts


def project(checkout, name, folder, text):
    from .candidate import read_candidate
    return read_candidate(name.split("/")[-1], text, json.loads((folder / "facts.json").read_text()))
