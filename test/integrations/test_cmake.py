"""A CMake project of a user: find_package(Belay), belay_add_kernel."""
import os
import pathlib
import shutil
import subprocess
import unittest

from standin import Case

SOURCE = pathlib.Path(os.environ["BELAY_SOURCE"])
BUILD = pathlib.Path(os.environ["BELAY_BUILD"])


class Project(Case):
    def setUp(self):
        super().setUp()
        shutil.copytree(SOURCE / "test/integrations/project", self.path / "project")
        self.build = self.path / "build"

    def cmake(self, *words):
        ran = subprocess.run(["cmake", *map(str, words)], env=self.env,
                             capture_output=True, text=True)
        return ran.returncode, ran.stdout + ran.stderr

    def configure(self):
        return self.cmake("-G", "Ninja", "-S", self.path / "project", "-B",
                          self.build, f"-DBelay_DIR={BUILD}/lib/cmake/Belay",
                          f"-DBELAY_CANN={self.cann.root}")

    def make(self):
        status, text = self.cmake("--build", self.build)
        self.assertEqual(status, 0, text)
        return text

    def test_builds_and_follows_headers(self):
        status, text = self.configure()
        self.assertEqual(status, 0, text)
        self.assertIn(f"output: {self.build}/libadd.so", text)
        self.make()
        for name in ("libadd.so", "add_vec.o", "add_310p.o"):
            self.assertTrue((self.build / name).read_bytes().startswith(b"\x7fELF"))
        first = next(call for call in self.cann.calls() if "-shared" in call)
        self.assertIn("-DTILE=64", first)
        self.assertIn('-DNAME="a b"', first)
        self.assertIn(f"-I{self.path}/project/include", first)
        self.assertEqual(subprocess.run([self.build / "hub"]).returncode, 0)
        self.assertIn("no work to do", self.make())
        calls = len(self.cann.calls())
        (self.path / "project/include/part.h").write_text("// changed\n")
        self.make()
        # One call for the library, two and a link for each object.
        self.assertEqual(len(self.cann.calls()), calls * 2)

    def test_errors_reach_the_user(self):
        self.cann.mode("fail")
        self.cann.set("stderr", f"{self.path}/project/add.cpp:2:1: error: bad\n")
        self.assertEqual(self.configure()[0], 0)
        status, text = self.cmake("--build", self.build)
        self.assertNotEqual(status, 0)
        self.assertIn("add.cpp:2:1: error: bad [device-compile-error]", text)

    def test_mistakes(self):
        lists = self.path / "project/CMakeLists.txt"
        text = lists.read_text()
        for old, new, message in [
            ("SOC Ascend310P3 OBJECT", "OBJECT", "SOC is missing"),
            ("(add add.cpp", "(add add.cpp other.cpp", "unexpected other.cpp"),
        ]:
            lists.write_text(text.replace(old, new))
            status, said = self.configure()
            self.assertNotEqual(status, 0)
            self.assertIn(message, said)


if __name__ == "__main__":
    unittest.main()
