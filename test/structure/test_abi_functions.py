"""docs/generate/abi-functions: Functions.def, the model and docs/abi.md agree."""
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
    def tried(self, table, header="", model="void belay_sim_a() {}\n", operands=""):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in (("src/abi/Functions.def", table), ("src/abi/A.h", header),
                               ("src/model/A.cpp", model), ("src/abi/Operands.def", operands)):
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
        for table, model in (
                ("BELAY_ABI_SYNC(a, void, ())\n", "void belay_sim_a() {}\n"),
                ("BELAY_ABI_INSTRUCTION(a, V, bool,\n                      (int X,\n"
                 "                       const Walk *W))\n",
                 'bool belay_sim_a(int X, const Walk *W) {\n  Issue I("A", on::a, PC);\n}\n'),
                ("BELAY_ABI_INSTRUCTION(a, ByCall, void, (Pipe P))\n",
                 'void belay_sim_a(Pipe P) {\n  Issue I("A", B ? Pipe::V : P, PC);\n}\n')):
            ran = self.tried(table, model=model)
            self.assertEqual(ran.returncode, 0, ran.stdout)
            self.assertIn("1 functions", ran.stdout)

    def test_refused(self):
        row = "BELAY_ABI_SYNC(a, void, ())\n"
        defined = "void belay_sim_a() {}\n"
        for table, header, model, why in (
                ("", "void belay_sim_a();\n", "", "belongs to Functions.def"),
                (row + "BELAY_ABI_END(a, void, ())\n", "", defined, "listed 2 times"),
                ("BELAY_ABI_OTHER(a, void, ())\n", "", defined, "no known kind"),
                (row, "", "void belay_sim_a();\n", "defined nowhere"),
                ("BELAY_ABI_INSTRUCTION(a, V, void, ())\n", "",
                 'void belay_sim_a() {\n  Issue I("A", Pipe::MTE3, PC);\n}\n', "on::a")):
            ran = self.tried(table, header, model)
            self.assertEqual(ran.returncode, 1, ran.stdout)
            self.assertIn(why, ran.stdout)

    def test_operands(self):
        table = ("BELAY_ABI_INSTRUCTION(a, V, void,\n                      (Elem T, void *Dst, "
                 "const void *Src,\n                       const Walk *W))\n")
        right = "BELAY_ABI_OPERAND(a, Src, Read, T, Walk1)\nBELAY_ABI_OPERAND(a, Dst, Write, T, Walk0)\n"
        self.assertEqual(self.tried(table, operands=right).returncode, 0)
        for row, why in (("b, Src, Read, T, Walk1", "no instruction"),
                         ("a, Src1, Read, T, Walk1", "no parameter Src1"),
                         ("a, Src, Read, SrcT, Walk1", "no parameter SrcT"),
                         ("a, Src, Write, T, Walk1", "Src is const void *"),
                         ("a, Dst, Read, T, Walk1", "Dst is void *")):
            ran = self.tried(table, operands=f"BELAY_ABI_OPERAND({row})\n")
            self.assertEqual(ran.returncode, 1, row)
            self.assertIn(why, ran.stdout)


if __name__ == "__main__":
    unittest.main()
