"""Asks what kernels with products compute: `belay run --check` in random schedules against
the reference of each, in NumPy. What `belay build --deny` refuses is noted with its reason.
"""
import concurrent.futures
import json
import os
import re
import subprocess

import numpy as np

from harness import BF16, SOC_OF_ARCH, Batch, In, InOut, Out, Scalar, belay

from ..oracle import HEADER, KIND, Verdict, arrays_of, as_numbers
from .numbers import Number

# Errors of one file may hide those of a later pass; then the rest is built again.
MOST_BUILDS = 6
BUILD_TIME_LIMIT = 300  # seconds of a busy machine, and some more for each kernel


def arguments(kernel, case, arrays, description):
    """In the order of the emitted kernel, with the workspaces that the compiler adds."""
    views = {v.name: v for v in kernel.views()}
    shapes = {name: array.shape for name, array in arrays.items()}
    made = []
    for parameter in description["parameters"]:
        name = parameter.get("name")
        if parameter["kind"] == "extent":
            made.append(Scalar("i64", shapes[parameter["of"]][parameter["dimension"]]))
        elif parameter["kind"] != "view":
            made.append(Scalar(parameter["dtype"], case.numbers[name]))
        elif name not in views:
            shapes[name] = (case.blocks, *parameter["extents"][1:])
            made.append(Out(parameter["dtype"], shapes[name]))
        else:
            array = arrays[name].view(BF16) if views[name].dtype == "bfloat16" else arrays[name]
            made.append({"In": In(array), "InOut": InOut(array)}.get(
                views[name].role, Out(KIND[views[name].dtype], array.shape)))
    return made


def workspaces(kernel, description):
    own = {v.name for v in kernel.views()}
    return [p["name"] for p in description["parameters"] if p["kind"] == "view" and p["name"] not in own]


class ProductOracle:
    """Judges kernels: kernel -> Verdict."""

    def __init__(self, folder, jobs=2, build_limit=BUILD_TIME_LIMIT):
        self.folder, self.jobs, self.batches, self.build_limit = folder, jobs, 0, build_limit

    def judge(self, kernels, batch_size=4):
        batches = []
        for arch in sorted({k.arch for k in kernels}):
            same = [k for k in kernels if k.arch == arch]
            batches += [same[i:i + batch_size] for i in range(0, len(same), batch_size)]
        names = [f"p{self.batches + n}" for n in range(len(batches))]
        self.batches += len(batches)
        verdicts = {}
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for part in pool.map(self.judge_batch, batches, names):
                verdicts.update(part)
        return verdicts

    # --- the compiler ---

    def build(self, kernels, name):
        """What was refused, and the rest, in a folder with a file for each."""
        verdicts, target = {}, self.folder / name
        for attempt in range(MOST_BUILDS):
            if not kernels:
                return verdicts, kernels, target
            done, starts = self.run_build(kernels, f"{name}_{attempt}", target)
            if done.returncode == 0:
                return verdicts, kernels, target
            found = self.blame(done, starts)
            if not found:
                break
            verdicts.update(found)
            kernels = [k for k in kernels if k.index not in found]
        if len(kernels) == 1:
            slow = "not compiled within its time limit" in done.stderr
            verdicts[kernels[0].index] = Verdict("refused time-limit" if slow else "crash", done.stderr or f"exit status {done.returncode}")
            return verdicts, [], target
        built = []
        for kernel in kernels:  # none of them is named
            alone, fine, folder = self.build([kernel], f"{name}_{kernel.index}")
            verdicts.update(alone)
            built += fine
            for file in folder.glob("*") if fine else ():
                target.mkdir(exist_ok=True)
                file.rename(target / file.name)
        return verdicts, built, target

    def run_build(self, kernels, name, target):
        source, starts, text = self.folder / f"{name}.cpp", {}, HEADER
        for kernel in kernels:
            starts[text.count("\n") + 1] = kernel
            text += kernel.text() + "\n"
        source.write_text(text)
        command = [belay(), "build", source, "-o", target, "--deny",
                   "--soc", SOC_OF_ARCH[kernels[0].arch], "--time-limit", str(self.build_limit)]
        limit = self.build_limit + 20 * len(kernels)
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit,
                                  check=False, env={**os.environ, "NO_COLOR": "1"})
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess(command, -1, "", f"no end after {limit} s")
        return done, starts

    def blame(self, done, starts):
        """Errors say where they are: kernel -> Verdict."""
        found = {}
        if done.returncode != 3:
            return found
        for line, text in re.findall(r"\.cpp:(\d+):\d+: error: (.*)", done.stderr):
            kernel = starts[max(s for s in starts if s <= int(line))]
            ident = re.search(r"\[([a-z0-9-]+)\]$", text)
            found.setdefault(kernel.index, Verdict(f"refused {ident[1] if ident else '?'}", text))
        return found

    # --- the simulator ---

    def judge_batch(self, kernels, name):
        verdicts, kernels, folder = self.build(kernels, name)
        batch, launches = Batch(), []
        for kernel in kernels:
            description = json.loads((folder / f"{kernel.symbol}.json").read_text())
            for case in kernel.cases:
                arrays = arrays_of(kernel, case)
                launch = batch.add(str(folder / f"{kernel.symbol}.cpp"), kernel=kernel.symbol, blocks=case.blocks,
                                   args=arguments(kernel, case, arrays, description), soc=kernel.arch,
                                   sanitize=True, auto_sync=False, optimise=False,
                                   # What an empty tile would have gone through.
                                   allow_unwritten=[f"{w}Address" for w in workspaces(kernel, description)] or None)
                launches.append((kernel, case, launch, arrays, description))
        if launches:
            batch.run()
        for kernel, case, launch, arrays, description in launches:
            if kernel.index not in verdicts:
                wrong = self.compare(kernel, case, launch, arrays, description)
                if wrong:
                    verdicts[kernel.index] = wrong
        for kernel in kernels:
            verdicts.setdefault(kernel.index, Verdict("ok"))
        return verdicts

    def compare(self, kernel, case, launch, arrays, description):
        if launch.failure:
            return Verdict("finding", f"{case}\n{launch.failure.text}")
        numbers = {v.name: Number(as_numbers(arrays[v.name], v.dtype), v.dtype) for v in kernel.views()}
        want = kernel.reference(numbers, case.numbers)
        views = {v.name: v for v in kernel.views()}
        written = [p["name"] for p in description["parameters"] if p["kind"] == "view"
                   and (p["name"] not in views or views[p["name"]].role != "In")]
        for name, got in zip(written, launch.outputs):
            view = views.get(name)
            wrong = view and difference(view, got, want[view.name])
            if wrong:
                return Verdict("mismatch", f"{case}\n{wrong}")
        return None


def difference(view, got, want):
    """None, or the first element that is further away than it may be."""
    got = as_numbers(np.asarray(got), view.dtype).astype(np.float64).reshape(want.v.shape)
    with np.errstate(invalid="ignore"):
        same = (got == want.v) | (np.isnan(got) & np.isnan(want.v)) | (abs(got - want.v) <= want.e)
    if same.all():
        return None
    at = tuple(int(i) for i in np.argwhere(~same)[0])
    return (f"{view.name}{list(at)} is {got[at]!r} in the simulator, and {want.v[at]!r} up to {want.e[at]:.3g} is "
            f"right; {int((~same).sum())} of {same.size} differ")
