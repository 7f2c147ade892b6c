#!/usr/bin/env python3
"""Runs the kernels of examples/ascendc and compares them with PyTorch.

Each folder has a kernel, cases.json for `belay run`, and reference.py with

    def reference(x, ..., **_):     # the kernel's arguments by name, tiling, attrs
        return {"y": ...}           # what each output must hold

Tensors come as torch tensors with the values from before the launch. Results are
compared as torch.testing.assert_close does for their type; where a kernel computes
in less precision than that allows, reference.py says so: TOLERANCE = (rtol, atol).
Every launch is also checked for missing synchronisation, without what the compiler
would insert; COMPILER_SYNC = True admits that.

    test/examples/run_examples.py [NAME...]
"""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "ascendc"
sys.path.insert(0, str(ROOT / "test" / "model"))
sys.dont_write_bytecode = True

from harness import belay  # noqa: E402

MIN_CASES = 3


def to_torch(array, kind):
    """A tensor of the same values; bf16 arrives as the bits. PyTorch has no unsigned
    types but uint8, so the others become int64."""
    if kind == "bf16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    if array.dtype.name in ("uint16", "uint32", "uint64"):
        array = array.astype(np.int64)
    return torch.from_numpy(np.ascontiguousarray(array))


def scalar_value(text):
    kind, value = text.split("=")
    return float(value) if kind.startswith(("f", "bf")) else int(value, 0)


def load_reference(folder):
    spec = importlib.util.spec_from_file_location(folder.name, folder / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Case:
    """One case of a cases.json, run into a folder of its own."""

    def __init__(self, path, shared, own, keep):
        merged = {**shared, **own}
        self.path, self.name, self.keep = path, own["name"], keep
        self.args = merged["args"]
        self.attrs = merged.get("attrs", {})
        self.tiling = {**shared.get("tiling", {}), **own.get("tiling", {})}

    def run(self, compiler_sync):
        """Launches the kernel; returns what belay said if it failed."""
        options = ["--case", self.name, "--keep", self.keep]
        options += ["--check", "--auto-sync", "on" if compiler_sync else "off"]
        done = subprocess.run(
            [belay(), "run", *map(str, [self.path, *options])],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        return None if done.returncode == 0 else done.stdout

    def name_of(self, index):
        """Argument `index` as the kernel calls it: --keep writes `0-x.before.npy`."""
        (path,) = self.keep.glob(f"{index}-*.before.*")
        return path.name[len(f"{index}-") : -len(".before.npy")]

    def arguments(self):
        """The values that the kernel was given, by name, and what it wrote."""
        given, written = {"tiling": self.tiling, "attrs": self.attrs}, {}
        for index, arg in enumerate(self.args):
            ((role, text),) = arg.items()
            name = self.name_of(index)
            if role == "scalar":
                given[name] = scalar_value(text)
                continue
            kind = text.split(":")[0]
            path = self.keep / f"{index}-{name}"
            if role != "out":
                given[name] = to_torch(np.load(f"{path}.before.npy"), kind)
            if role != "in":
                written[name] = to_torch(np.load(f"{path}.npy"), kind)
        return given, written


def check_case(case, module):
    """Says what is wrong with a case, or None."""
    failed = case.run(getattr(module, "COMPILER_SYNC", False))
    if failed:
        return failed
    given, written = case.arguments()
    expected = module.reference(**given)
    if set(expected) - set(written) or not expected:
        return f"the reference names {set(expected)}, the kernel writes {set(written)}"
    rtol, atol = getattr(module, "TOLERANCE", (None, None))
    for name, values in expected.items():
        try:
            torch.testing.assert_close(
                written[name], values, rtol=rtol, atol=atol, equal_nan=True
            )
        except AssertionError as error:
            return f"{name}: {error}"
    return None


def check_example(folder, scratch):
    """Prints one line per example; returns the number of failed cases."""
    path = folder / "cases.json"
    content = json.loads(path.read_text())
    module = load_reference(folder)
    shared = {k: v for k, v in content.items() if k != "cases"}
    cases = [
        Case(path, shared, own, scratch / folder.name / str(n))
        for n, own in enumerate(content["cases"])
    ]
    start = time.monotonic()
    wrong = []
    for case in cases:
        if said := check_case(case, module):
            wrong.append((case, said))
            if "[compile-error]" in said:  # the other cases would say the same
                break
    if len(cases) < MIN_CASES:
        wrong.append((cases[0], f"an example has at least {MIN_CASES} cases"))
    verdict = "FAIL" if wrong else "ok  "
    seconds = time.monotonic() - start
    print(f"{verdict}  {folder.name}: {len(cases)} cases ({seconds:.2f} s)", flush=True)
    for case, said in wrong:
        print(f"      case {case.name!r}:\n{said}", flush=True)
    return len(wrong)


def main():
    os.environ["NO_COLOR"] = "1"
    torch.set_num_threads(1)
    names = sys.argv[1:] or sorted(p.parent.name for p in EXAMPLES.glob("*/cases.json"))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="belay-examples-") as scratch:
        for name in names:
            failed += check_example(EXAMPLES / name, pathlib.Path(scratch)) != 0
    print(f"{len(names) - failed} examples passed, {failed} failed")
    sys.exit(1 if failed or not names else 0)


if __name__ == "__main__":
    main()
