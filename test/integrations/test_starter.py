"""`belay new`, and CMake projects whose kernels are for the simulated device."""
import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["BELAY_BUILD"])
SOURCE = pathlib.Path(os.environ["BELAY_SOURCE"])
BELAY = BUILD / "bin/belay"


class Starter(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="belay-starter-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        # As a user has them: no variable says where Belay is, and PATH does not, either.
        self.env = {k: v for k, v in os.environ.items()
                    if not k.startswith("BELAY") or k == "BELAY_CACHE_DIR"}
        self.env["PATH"] = "/usr/bin:/bin"
        self.env["CXX"] = "g++-12"

    def run_in(self, folder, *words):
        ran = subprocess.run([str(w) for w in words], cwd=folder, env=self.env, capture_output=True, text=True)
        return ran.returncode, ran.stdout + ran.stderr

    def passes(self, folder, *words):
        status, text = self.run_in(folder, *words)
        self.assertEqual(status, 0, text)
        return text

    def new(self, name="first"):
        text = self.passes(self.path, BELAY, "new", name)
        self.assertIn(f"-DCMAKE_PREFIX_PATH={BUILD}", text)
        return self.path / name

    def configure(self, folder):
        return self.passes(folder, "cmake", "-G", "Ninja", "-B", "build", f"-DCMAKE_PREFIX_PATH={BUILD}")

    def test_builds_and_passes_at_once(self):
        project = self.new()
        self.assertEqual(sorted(p.name for p in project.iterdir()),
                         [".gitignore", "CMakeLists.txt", "README.md", "kernels", "main.cpp"])
        self.assertNotIn("@NAME@", "".join(p.read_text() for p in project.rglob("*") if p.is_file()))
        self.configure(project)
        self.assertIn("proven", self.passes(project, "cmake", "--build", "build"))
        self.assertIn("100% tests passed, 0 tests failed out of 4",
                      self.passes(project, "ctest", "--test-dir", "build", "--output-on-failure"))
        self.assertIn("no work to do", self.passes(project, "cmake", "--build", "build"))
        # A kernel that computes something else is noticed by the tests, ...
        kernel = project / "kernels/scale.cpp"
        right = kernel.read_text()
        kernel.write_text(right.replace("* factor", "* 3.0f"))
        self.passes(project, "cmake", "--build", "build")
        self.assertNotEqual(self.run_in(project, "ctest", "--test-dir", "build")[0], 0)
        # ... and one that is not proven is not built.
        kernel.write_text(right.replace("  expects(x.size() == y.size());\n", ""))
        status, text = self.run_in(project, "cmake", "--build", "build")
        self.assertNotEqual(status, 0)
        self.assertIn("scale.cpp", text)

    def test_ascendc_headers_and_mistakes(self):
        project = self.path / "own"
        project.mkdir()
        (project / "size.h").write_text("constexpr int EXTRA = 64;\n")
        source = (SOURCE / "examples/ascendc/add/add.cpp").read_text()
        (project / "add.cpp").write_text(source.replace("#include \"kernel_operator.h\"",
                                                        "#include \"kernel_operator.h\"\n#include \"size.h\""))
        lists = ("cmake_minimum_required(VERSION 3.20)\nproject(Own LANGUAGES CXX)\nfind_package(Belay REQUIRED)\n"
                 "belay_add_kernel(add add.cpp SOC Ascend910B3 DEVICE simulated)\n"
                 "get_target_property(file add BELAY_OUTPUT)\nmessage(STATUS \"output: ${file}\")\n")
        (project / "CMakeLists.txt").write_text(lists)
        self.assertIn(f"output: {project}/build/add.o", self.configure(project))
        self.passes(project, "cmake", "--build", "build")
        self.assertIn("no work to do", self.passes(project, "cmake", "--build", "build"))
        (project / "size.h").write_text("constexpr int EXTRA = ;\n")
        status, text = self.run_in(project, "cmake", "--build", "build")
        self.assertNotEqual(status, 0)
        self.assertIn("size.h:1", text)
        (project / "CMakeLists.txt").write_text(lists.replace("DEVICE simulated", "DEVICE simulator"))
        status, text = self.run_in(project, "cmake", "-B", "build")
        self.assertNotEqual(status, 0)
        self.assertIn("DEVICE is cann or", text)

    def test_names(self):
        self.new("taken")
        for name, message in [("taken", "'taken' exists"), ("../up", "cannot be the name"), ("", "cannot be"),
                              ("scale", "cannot be the name"), ("a b", "cannot be the name")]:
            status, text = self.run_in(self.path, BELAY, "new", name)
            self.assertEqual(status, 2, text)
            self.assertIn(message, text)


if __name__ == "__main__":
    unittest.main()
