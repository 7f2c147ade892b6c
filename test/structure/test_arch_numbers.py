"""scripts/check-arch-numbers: the sources of this tree, and small trees with one line each."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TARGETS = 'BELAY_ARCH(2201, "A", .x = true)\nBELAY_ARCH_SIZES_ONLY(3003, "B")\n'


def check(*arguments):
    return subprocess.run([sys.executable, ROOT / "scripts/check-arch-numbers", *arguments],
                          capture_output=True, text=True, check=False)


class ArchNumbers(unittest.TestCase):
    def tried(self, line, name="src/model/A.cpp", targets=TARGETS):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in (("src/targets/Targets.def", targets), (name, f"\n{line}\n")):
                path = pathlib.Path(folder, path)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check(folder)

    def test_this_tree(self):
        ran = check()
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_refused(self):
        for line in ("if (Arch == 2201)", "if (Arch != 2201u)", "if (2201 == Arch)",
                     "return Arch >= 3003;", "return Arch < 3003;", "return 3003 > Arch;",
                     "if (Arch ==\n    2201)", "if (Arch == (2201))",
                     "return Arch == (Two ? 2201 : 3003);",
                     "constexpr uint32_t Atlas = 2201;",
                     'if (Arch == 2201) // "quoted"', "#if __NPU_ARCH__ == 2201"):
            ran = self.tried(line)
            self.assertEqual(ran.returncode, 1, line)
            self.assertIn("src/model/A.cpp:", ran.stdout)

    def test_says_the_line(self):
        self.assertIn("src/model/A.cpp:2: '== 2201'", self.tried("if (Arch == 2201)").stdout)

    def test_allowed(self):
        for line in ("if (Arch.hasBf16)", "// on Arch == 2201", '"only if Arch == 2201"',
                     "/* Arch ==\n2201 */", "if (Size == 12201)", "if (Size == 22010)",
                     "{2201, 3003}", "case 2201:", "DAV_2201 = 2201,", "if (Size == 4096)"):
            ran = self.tried(line)
            self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_headers_of_kernels(self):
        name = "src/ascendc/api/a.h"
        self.assertEqual(self.tried("#if __NPU_ARCH__ == 2201", name).returncode, 0)
        self.assertEqual(self.tried("if (Arch == 2201)", name).returncode, 1)

    def test_src_targets(self):
        self.assertEqual(self.tried("if (Arch == 2201)", "src/targets/A.cpp").returncode, 0)

    def test_no_architectures(self):
        ran = self.tried("if (Arch == 2201)", targets="")
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("no architectures", ran.stderr)


if __name__ == "__main__":
    unittest.main()
