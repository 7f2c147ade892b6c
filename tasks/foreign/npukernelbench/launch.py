"""Runs one call of an operator: host code for the launch, then the kernel."""
import json
import os
import pathlib
import subprocess

import numpy as np
import torch

TYPES = {
    torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32",
    torch.float64: "f64", torch.int8: "i8", torch.uint8: "u8", torch.int16: "i16",
    torch.int32: "i32", torch.int64: "i64", torch.bool: "bool", torch.complex64: "c64",
}
# The benchmark's build defines them.
DEFINES = ['OPS_UTILS_LOG_SUB_MOD_NAME="OP"', 'OPS_UTILS_LOG_PACKAGE_TYPE="OP"']


class KernelFailed(Exception):
    """belay run did not get to the end; the text says why and where."""


class Launcher:
    def __init__(self, belay, folder, soc, check, time_limit):
        self.belay, self.folder = belay, pathlib.Path(folder)
        self.soc, self.check, self.time_limit = soc, check, time_limit

    def run(self, task, call):
        """Runs the operator of a task; returns what its Python expects."""
        self.files = 0
        arguments, outputs, changed = [], [], {}
        for index, tensors in enumerate(call.inputs):
            if is_absent(tensors):
                arguments.append({"in": "none"})
            elif index in call.in_place:
                argument, changed[index] = self.written(tensors, self.save)
                arguments.append(argument)
            else:
                text, _ = joined(tensors, lambda t: (f"{typed(t)}={self.save(t)}", None))
                arguments.append({"in": text})
        for index, tensors in enumerate(call.outputs):
            values = (lambda t: "zeros") if index in call.zeroed else None
            argument, results = self.written(tensors, values)
            arguments.append(argument)
            outputs.append(results)
        self.start(task, call, arguments)
        return call.result([read(r) for r in outputs], {k: read(r) for k, r in changed.items()})

    def written(self, tensors, values):
        """An argument that the kernel writes, and where its results will be."""

        def one(tensor):
            path = self.next_file()
            if values:
                return f"{typed(tensor)}={values(tensor)}@{path}", (path, tensor)
            return f"{typed(tensor)}={path}", (path, tensor)

        text, places = joined(tensors, one)
        return {"inout" if values else "out": text}, places

    def case_of(self, task, call, arguments):
        return {
            "name": task.name, "source": str(task.source), "kernel": task.kernel,
            "soc": self.soc, "op": task.name,
            "opHost": [str(f) for f in task.host_sources()],
            "includes": [str(d) for d in task.include_dirs()], "defines": DEFINES,
            "attrs": {name: plain(value) for name, value in call.attrs.items()},
            "args": arguments, "timeLimit": self.time_limit, "check": self.check,
        }

    def start(self, task, call, arguments):
        path = self.folder / "case.json"
        path.write_text(json.dumps({"cases": [self.case_of(task, call, arguments)]}))
        done = subprocess.run(
            [self.belay, "run", str(path), "--format", "json"], capture_output=True,
            text=True, errors="replace", env={**os.environ, "NO_COLOR": "1"},
        )
        try:
            (answer,) = json.loads(done.stdout)["cases"]
        except (ValueError, KeyError):
            raise KernelFailed((done.stderr or done.stdout).strip()[-2000:]) from None
        if not answer["passed"]:
            raise KernelFailed(describe(answer["problems"][0], task))

    def save(self, tensor):
        path = self.next_file()
        np.save(path, as_array(tensor), allow_pickle=False)
        return path

    def next_file(self):
        self.files += 1
        return self.folder / f"{self.files}.npy"


def as_array(tensor):
    tensor = tensor.detach().contiguous()
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.view(torch.int16)
    return tensor.numpy()


def joined(tensors, text_of):
    """One tensor's text, or that of a list, and what text_of says besides."""
    if not isinstance(tensors, (list, tuple)):
        return text_of(tensors)
    texts, places = zip(*[text_of(t) for t in tensors])
    return "[" + "; ".join(texts) + "]", list(places)


def read(places):
    if isinstance(places, list):
        return [read(p) for p in places]
    path, like = places
    values = np.load(path, allow_pickle=False)
    if like.dtype == torch.bfloat16:
        return torch.from_numpy(values.view(np.int16)).view(torch.bfloat16).reshape(like.shape)
    return torch.from_numpy(values).reshape(like.shape)


def is_absent(tensors):
    """An optional input that is left out; some tasks write an empty tensor for it."""
    if isinstance(tensors, torch.Tensor):
        return tensors.numel() == 0 and tensors.dim() == 1
    return tensors is None


def typed(tensor):
    return f"{TYPES[tensor.dtype]}:{'x'.join(map(str, tensor.shape)) or '1'}"


def plain(value):
    return value.item() if isinstance(value, (np.generic, torch.Tensor)) else value


def describe(problem, task):
    place = problem.get("file") or ""
    if place:
        place = f" {os.path.relpath(place, task.answer)}:{problem.get('line', '')}"
    return f"[{problem['id']}]{place} {problem['message']}"
