#!/usr/bin/python3
"""The tasks that come with Belay.

    test_tasks.py BELAY

task.json says what the references say, hidden cases are others than public ones and the
same for the same secret, and the lint finds tasks that accept wrong answers.
"""
import filecmp
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BELAY = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else "belay"
ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}

# A task whose reference forgets its input, one that copies it, and one that is right.
REFERENCE = """
from library import In, Out, kernel, normal
import torch


def cases(want):
    def make():
        for n in (64, 100):
            x = normal(1, n)
            yield 1, [In(x), Out(want(x.double()), torch.float32)]
    return make


kernel("bad/NAME", "NAME")(cases(lambda x: WANT))
"""


class Tasks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def belay(self, *arguments, status=0):
        done = subprocess.run([BELAY, "bench", *map(str, arguments)], env=ENVIRONMENT, cwd=self.folder,
                              capture_output=True, text=True, timeout=500)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def reference(self, *arguments):
        return subprocess.run([sys.executable, ROOT / "tasks/reference.py", *map(str, arguments)], env=ENVIRONMENT,
                              check=True, capture_output=True, text=True)

    def test_they_say_what_the_references_say(self):
        """Otherwise: tasks/reference.py write tasks"""
        self.reference("write", self.folder)
        for made in self.folder.glob("level*/*/*/task.json"):
            kept = ROOT / "tasks" / made.relative_to(self.folder)
            self.assertTrue(kept.exists() and filecmp.cmp(made, kept, shallow=False), kept)
        kept = {p.relative_to(ROOT / "tasks") for p in (ROOT / "tasks").glob("level*/*/*/task.json")
                if not (p.parent / "reference.py").exists()}
        self.assertEqual(kept, {p.relative_to(self.folder) for p in self.folder.glob("level*/*/*/task.json")})

    def values(self, salt, name):
        request = {"tasks": str(ROOT / "tasks"), "task": "level1/activation/relu/float", "salt": salt,
                   "out": str(self.folder / name)}
        (self.folder / "requests").write_text(json.dumps(request) + "\n")
        self.reference("values", self.folder / "requests")
        return (self.folder / name).read_bytes()

    def test_hidden_cases_are_a_secret(self):
        public, hidden = self.values("", "public"), self.values("abc", "hidden")
        self.assertEqual(hidden, self.values("abc", "again"))
        self.assertNotEqual(hidden, self.values("abd", "other"))
        shapes = [[case["arguments"][0]["shape"] for case in json.loads(text.split(b"\n")[0])["cases"]]
                  for text in (public, hidden)]
        self.assertEqual(len(shapes[0]), len(shapes[1]))
        self.assertNotEqual(shapes[0], shapes[1])

    def make(self, name, want):
        folder = self.folder / "tasks/level1/bad" / name
        folder.mkdir(parents=True)
        (folder / "reference.py").write_text(REFERENCE.replace("NAME", name).replace("WANT", want))
        (folder / "task.json").write_text(json.dumps({
            "schema": 1, "operator": f"bad/{name}", "level": 1, "category": "bad", "summary": "", "signature": "",
            "answer": "none.cpp", "variants": {"default": {"instance": name, "arguments": [], "socs": ["Ascend910B3"]}}}))

    def test_lint(self):
        (self.folder / "kernels").symlink_to(ROOT / "kernels")
        for name, want in (("zeros", "x * 0"), ("nearly_zero", "x * 1e-40"), ("constant", "torch.full_like(x, 3.0)"),
                           ("copies", "x.clone()"), ("right", "x * 2 + 1"), ("same", "2 * x + 1"),
                           ("alone", "torch.relu(x) + 0.5")):
            self.make(name, want)
        (self.folder / "tasks/reference.py").symlink_to(ROOT / "tasks/reference.py")
        said = self.belay("lint", "--task-folder", self.folder / "tasks", status=1)
        for name, why in (("zeros", "accepts zeros"), ("nearly_zero", "accepts zeros"), ("constant", "accepts a constant"),
                          ("copies", "accepts a copy of argument 0"), ("right", "accepts the answer of level1/bad/same")):
            self.assertIn(f"level1/bad/{name}/default: it {why}", said)
        self.assertNotIn("alone", said)
        self.assertIn("2 of 7 tasks pass", said)

    def test_lint_of_ours(self):
        """What it refuses belongs into tasks/refused.txt."""
        self.belay("lint")

    def test_patterns(self):
        self.assertEqual(len(self.belay("tasks", "--tasks", "activation/elu").splitlines()), 3)
        self.belay("tasks", "--tasks", "activation/nothing", status=2)
        self.assertGreater(len(self.belay("tasks").splitlines()), 300)


if __name__ == "__main__":
    unittest.main()
