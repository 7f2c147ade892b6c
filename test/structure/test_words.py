"""scripts/check-words: the files of this tree, and small trees with one line each."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GLOSSARY = (ROOT / "docs/glossary.md").read_text()


def check(*arguments):
    return subprocess.run([sys.executable, ROOT / "scripts/check-words", *arguments],
                          capture_output=True, text=True, check=False)


class Words(unittest.TestCase):
    def tried(self, line, name="src/model/A.cpp", glossary=GLOSSARY):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in (("docs/glossary.md", glossary), (name, f"\n{line}\n")):
                path = pathlib.Path(folder, path)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check(folder)

    def refused(self, line, *arguments):
        ran = self.tried(line, *arguments)
        self.assertEqual(ran.returncode, 1, line)
        return ran.stdout

    def allowed(self, line, *arguments):
        ran = self.tried(line, *arguments)
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_this_tree(self):
        ran = check()
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_prose(self):
        for line in ("// in the next turn", "# Turns of a loop", "the first round\nwaits",
                     "// how to mend it", "// all that lies behind the tensor",
                     "files of strangers", "the how-manieth SyncAll", "Add and its kin",
                     '"a meeting of cores"', "// the first\n// round is free"):
            self.assertIn("src/model/A.cpp:", self.refused(line), line)

    def test_inside_names(self):
        for line in ("awaitTurn();", "int next_turn;", "struct CoreMeeting;", "MENDED = 1",
                     "setBehind(X)", "TripCount"):
            self.refused(line)

    def test_right_uses(self):
        for line in ("each of them in turn", "int in_turn(int);", "turns tiles\n// into AscendC",
                     "return Value;", "rounds to nearest", "what it left behind",
                     "behind the cache's back", "a round trip", "// turned on", "int kIn;",
                     "around", "// Whole blocks are given"):
            self.allowed(line)

    def test_names_in_code(self):
        for line in ("Thing X;", "int Whole = 1;", "f(Given)", "auto Asked = 2;"):
            self.refused(line)
            self.allowed(f"// {line}")
            self.allowed(line, "docs/a.md")

    def test_says_line_and_replacement(self):
        self.assertIn("src/model/A.cpp:2: 'mended': say fix", self.refused("// mended"))

    def test_file_names(self):
        self.refused("", "test/meeting.py")

    def test_exempt(self):
        self.allowed("mend", "LICENSE")

    def test_words_come_from_the_glossary(self):
        table = "| not | but | right in |\n|---|---|---|\n| `gizmo` | gadget | `the gizmo` |\n"
        names = "\n| not | but |\n|---|---|\n| `Foo` | `Bar` |\n"
        self.assertIn("say gadget", self.refused("a gizmo", "a.md", table + names))
        self.allowed("the gizmo", "a.md", table + names)
        self.allowed("mended", "a.md", table + names)

    def test_no_table(self):
        ran = self.tried("", glossary="")
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("no table", ran.stderr)


if __name__ == "__main__":
    unittest.main()
