"""scripts/check-tree: the files of this tree, and small trees with one file each."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OURS, BASE, MIDDLE, THEIRS = (sign * 7 for sign in "<|=>")


def check(*arguments):
    return subprocess.run([sys.executable, ROOT / "scripts/check-tree", *arguments],
                          capture_output=True, text=True, check=False)


class Tree(unittest.TestCase):
    def tried(self, text, mode=0o644, name="a.txt", ignored=""):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "init", "-q", folder], check=True)
            pathlib.Path(folder, ".gitignore").write_text(ignored)
            path = pathlib.Path(folder, name)
            path.write_text(text)
            path.chmod(mode)
            return check(folder)

    def test_this_tree(self):
        if not (ROOT / ".git").exists():
            self.skipTest("not a checkout")
        ran = check()
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_conflicts(self):
        both = f"{OURS} HEAD\nours\n{MIDDLE}\ntheirs\n{THEIRS} branch\n"
        ran = self.tried("first\n" + both)
        self.assertEqual(ran.returncode, 1)
        for line in (2, 4, 6):
            self.assertIn(f"a.txt:{line}: a marker", ran.stdout)
        for line in (OURS, THEIRS + " x", BASE + " 1234567"):
            self.assertEqual(self.tried(line + "\n").returncode, 1, line)

    def test_no_conflicts(self):
        for text in (f"Heading\n{MIDDLE}\n", f"  {OURS} HEAD\n", "kernel<<<8, nullptr>>>(x);\n",
                     f"{OURS}<\n", f"std::cout {OURS}\n"):
            ran = self.tried(text)
            self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_run_bits(self):
        self.assertIn("has no run bit", self.tried("#!/bin/sh\n").stdout)
        self.assertIn("has a run bit", self.tried("text\n", 0o755).stdout)
        self.assertEqual(self.tried("#!/bin/sh\n", 0o755).returncode, 0)
        self.assertEqual(self.tried("text\n").returncode, 0)

    def test_ignored(self):
        self.assertEqual(self.tried("text\n", 0o755, ignored="a.txt\n").returncode, 0)


if __name__ == "__main__":
    unittest.main()
