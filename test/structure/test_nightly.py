"""scripts/nightly: what it would run is there, and how it writes results down."""
import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts/nightly"


def load():
    loader = importlib.machinery.SourceFileLoader("nightly", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("nightly", loader))
    loader.exec_module(module)
    return module


class Nightly(unittest.TestCase):
    def setUp(self):
        sys.dont_write_bytecode = True
        self.nightly = load()

    def test_programs_are_there(self):
        for step, commands in self.nightly.STEPS.items():
            for command in commands:
                name = command[0]
                if name.startswith("build/"):
                    continue  # the command before makes it
                there = (ROOT / name).is_file() if "/" in name else shutil.which(name)
                self.assertTrue(there, f"{step}: {name}")

    def test_every_step_is_on_record_and_explained(self):
        page = (ROOT / "docs/nightly.md").read_text()
        for step in self.nightly.STEPS:
            self.assertIn(f"\n| {step} |", page)
            self.assertIn(f"\n    {step} ", self.nightly.__doc__)

    def test_records(self):
        page = "# A\n\n| step | date |\n|---|---|\n| asan | old |\n| gcc | old |\n\nEnd.\n"
        new = self.nightly.recorded(page, "asan", ("new",))
        self.assertEqual(new, page.replace("| asan | old |", "| asan | new |"))
        self.assertEqual(self.nightly.recorded(new, "asan", ("new",)), new)
        added = self.nightly.recorded(page, "fuzz", ("new",))
        self.assertEqual(added, page.replace("| gcc | old |\n", "| gcc | old |\n| fuzz | new |\n"))

    def test_a_failure_is_one(self):
        self.nightly.LOGS = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.assertEqual(self.nightly.run("a", [["true"], ["true"]], "1")[0], "passed")
        self.assertIn("FAILED", self.nightly.run("a", [["false"], ["true"]], "1")[0])

    def test_unknown_step(self):
        ran = subprocess.run([sys.executable, SCRIPT, "none"], capture_output=True, text=True,
                             check=False)
        self.assertEqual(ran.returncode, 2)


if __name__ == "__main__":
    unittest.main()
