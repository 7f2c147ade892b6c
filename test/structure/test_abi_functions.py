"""docs/generate/abi-functions: Functions.def, the headers beside it, the model and docs/abi.md agree."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(*arguments):
    return subprocess.run([sys.executable, ROOT / "docs/generate/abi-functions", *arguments],
                          capture_output=True, text=True, check=False)


class AbiFunctions(unittest.TestCase):
    def tried(self, table, header="void belay_sim_a();\n", model="void belay_sim_a() {}\n"):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in (("src/abi/Functions.def", table), ("src/abi/A.h", header),
                               ("src/model/A.cpp", model)):
                path = pathlib.Path(folder, path)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return run(folder)

    def test_this_tree(self):
        ran = run()
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_documentation(self):
        self.assertEqual(run("--markdown").stdout, (ROOT / "docs/abi.md").read_text(),
                         "docs/generate/abi-functions --markdown > docs/abi.md")

    def test_agrees(self):
        self.assertEqual(self.tried("BELAY_ABI_SYNC(a)\n").returncode, 0)

    def test_refused(self):
        for table, header, model, why in (
                ("", "void belay_sim_a();\n", "", "has no row"),
                ("BELAY_ABI_SYNC(a)\n", "", "void belay_sim_a() {}", "no header declares"),
                ("BELAY_ABI_SYNC(a)\nBELAY_ABI_END(a)\n", "void belay_sim_a();", "belay_sim_a()",
                 "listed 2 times"),
                ("BELAY_ABI_OTHER(a)\n", "void belay_sim_a();", "belay_sim_a()", "no known kind"),
                ("BELAY_ABI_SYNC(a)\n", "void belay_sim_a();", "", "defined nowhere")):
            ran = self.tried(table, header, model)
            self.assertEqual(ran.returncode, 1, ran.stdout)
            self.assertIn(why, ran.stdout)


if __name__ == "__main__":
    unittest.main()
