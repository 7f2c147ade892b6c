#!/usr/bin/python3
"""belay bench on a small checkout of our own in MultiKernelBench's form, with candidates in two of its formats.

    test_multikernelbench.py BELAY
"""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BELAY = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else "belay"
TASK = "multikernelbench/activation/halve"
# The larger extent is not simulated: it is halved.
REFERENCE = """import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x, scale):
        return x * self.factor * scale


rows = 3


def get_inputs():
    return [torch.randn(rows, 1 << 4, 4096), 2.0]


def get_init_inputs():
    return [0.25]
"""
SYNC = r"\n *(Set|Wait)Flag<HardEvent::MTE2_V>\(\w+\);"


def load_campaign():
    path = str(ROOT / "test/campaigns/try-multikernelbench")
    loader = importlib.machinery.SourceFileLoader("try_multikernelbench", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def edit(text, old, new):
    assert old in text, old
    return text.replace(old, new)


def in_json(change):
    """An edit of the sources of a direct launch."""
    def edited(text):
        spec = json.loads(text)
        sources = {s["path"]: s["content"] for s in spec["sources"]}
        change(sources)
        spec["sources"] = [{"path": p, "content": c} for p, c in sources.items()]
        return json.dumps(spec)
    return edited


def source(path, old, new):
    return in_json(lambda sources: sources.update({path: edit(sources[path], old, new)}))


def without_sync(sources):
    sources["kernel/kernel.cpp"] = re.sub(SYNC, "", sources["kernel/kernel.cpp"])


KERNEL, BINDING, MODEL = "kernel/kernel.cpp", "kernel/pybind11.cpp", "ModelNew.py"
LAUNCH = "<<<blocks, nullptr, nullptr>>>(x0, y, d0, d1, a0)"
# Candidates that launch themselves: an edit of the right one, its verdict, and words of the first problem.
DIRECT = {
    "right": (lambda text: text, "passed", ""),
    "wrong": (source(KERNEL, LAUNCH, LAUNCH.replace("a0", "a0 * 2")), "wrong", "largest error"),
    "race": (in_json(without_sync), "unsafe", "nothing makes it wait"),
    "overrun": (source(KERNEL, LAUNCH, LAUNCH.replace("d0, d1", "d0 + 64, d1 + 64")), "unsafe", "bytes"),
    "short": (source(KERNEL, LAUNCH, LAUNCH.replace("d0, d1", "d0 - 64, d1 - 64")), "wrong", ""),
    "syntax": (source(KERNEL, LAUNCH, LAUNCH + " oops"), "not-compiled", "does not compile"),
    "computes": (source(MODEL, "return _ops.halve(x0, 0.5)", "return x0 * 0.5"), "not-compiled", "forward() does not return"),
    "works_after": (source(MODEL, "_ops.halve(x0, 0.5)", "_ops.halve(x0, 0.5) * 1"), "not-compiled", "forward() does not return"),
    "works_before": (source(MODEL, "_ops.halve(x0", "_ops.halve(x0 * 1"), "not-compiled", "line 12 of the model is not understood"),
    "twice": (source(KERNEL, "  scale_float" + LAUNCH + ";", ("  scale_float" + LAUNCH + ";\n") * 2), "wrong", "failed"),
    "other_shape": (source(BINDING, "at::empty_like(x0)", "at::empty({x0.numel()})"), "wrong", "failed"),
    "returns_input": (source(BINDING, "return y;", "return x0;"), "wrong", "failed"),
    "no_check": (source(BINDING, "launch(", 'TORCH_CHECK(x0.dim() == 7, "seven");\n  launch('), "wrong", "failed"),
    "outside": (in_json(lambda s: s.update({"../outside.cpp": ""})), "not-compiled", "outside of the candidate"),
    "reads_host": (source(BINDING, "#include", '#include "/etc/passwd"\n#include'), "not-compiled", "does not compile"),
    "no_launch": (source(KERNEL, "scale_float" + LAUNCH + ";", ";"), "not-compiled", "no kernel source launches"),
    "nonsense": (lambda text: "{" * 5000, "not-compiled", "not understood"),
}
# And the parts of an operator project.
PROJECT = {
    "right": (lambda text: text, "passed", ""),
    "wrong": (lambda text: edit(text, "tiling.set_a0(*", "tiling.set_a0(2 * *"), "wrong", "largest error"),
    "other_operator": (lambda text: edit(text, "aclnnHalveCustom", "aclnnAdd"), "not-compiled", "does not call aclnnHalveCustom"),
    "no_kernel": (lambda text: edit(text, "kernel_src =", "no_kernel ="), "not-compiled", "kernel_src is missing"),
    "prose": (lambda text: "I cannot do that.", "not-compiled", "neither JSON nor Python"),
    "runs_python": (lambda text: edit(text, "```python\n", "```python\nopen('PROOF', 'w').write('ran')\n"), "passed", ""),
}


class MultiKernelBench(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="mkb-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        reference = self.folder / "checkout/reference/activation/halve.py"
        reference.parent.mkdir(parents=True)
        reference.write_text(REFERENCE)
        self.set = f"multikernelbench:{self.folder / 'checkout'}"

    def belay(self, *arguments):
        done = subprocess.run([str(BELAY), "bench", *map(str, arguments)], cwd=self.folder, capture_output=True,
                              text=True, timeout=900, env={**os.environ, "NO_COLOR": "1"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_formats(self):
        self.assertIn(TASK, self.belay("tasks", "--tasks", self.set))
        self.belay("answers", "--tasks", "math/scale/float", "--format", "ascendc", "-o", "answers")
        code = (self.folder / "answers/level1/math/scale/float/answer.cpp").read_text()
        self.assertNotIn(str(ROOT), code)  # nothing of this machine
        args = ["in f32[n]", "out f32[n]", "scalar f32 = 1"]
        kernel = load_campaign().Kernel("halve", code, args, {"n": "e(0)"}, ["0.5"])
        place = self.folder / "candidates" / TASK
        place.mkdir(parents=True)
        # ModelNew may use what it is made with, and numbers that forward() gets.
        direct, project = kernel.direct(["factor"]), kernel.project(["factor"])
        for name, (change, _, _) in DIRECT.items():
            (place / f"{name}.json").write_text(change(direct))
        for name, (change, _, _) in PROJECT.items():
            (place / f"{name}.txt").write_text(change(project).replace("PROOF", str(self.folder / "proof")))
        self.belay("run", "--tasks", self.set, "--candidates", "candidates", "--largest", "4000")
        self.belay("report", "-o", "report")
        results = {r["sample"]: r["result"]
                   for r in json.loads((self.folder / "report/results.json").read_text())["results"]}
        wanted = {**{f"{n}.json": v for n, v in DIRECT.items()}, **{f"{n}.txt": v for n, v in PROJECT.items()}}
        self.assertEqual(set(results), set(wanted))
        for name, (_, verdict, words) in wanted.items():
            with self.subTest(name):
                self.assertEqual(results[name]["verdict"], verdict, results[name])
                self.assertIn(words, json.dumps(results[name]["problems"][:1]))
                self.assertNotIn("/belay-", json.dumps(results[name]))
                self.assertNotIn("tasks/foreign", json.dumps(results[name]))
        self.assertFalse((self.folder / "proof").exists(), "a candidate's Python was executed")
        self.assertEqual(results["right.json"]["cases"]["publicRight"], 5)


if __name__ == "__main__":
    unittest.main()
