"""Every public header alone, with a compiler that users have and the build does not use:
g++-12, and C compilers for c.h. Warnings are errors: users may have them on."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
# What these are written in; the others need C++20.
STANDARDS = {"belay/c.h": "c++11", "belay/compiler.h": "c++17", "belay/launch.h": "c++17"}


def headers():
    """Those of include/belay and of the folders that its headers are made of."""
    for folder in ("belay", "belay/host", "belay/kernel"):
        for file in sorted((INCLUDE / folder).glob("*.h")):
            yield file.relative_to(INCLUDE).as_posix()


def compile_text(text, command, suffix):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "source" + suffix)
        source.write_text(text)
        return subprocess.run([*command, "-fsyntax-only", f"-I{INCLUDE}", str(source)],
                              capture_output=True, text=True, check=False)


class Headers(unittest.TestCase):
    def compiled(self, name, *command, suffix=".cpp"):
        if not shutil.which(command[0]):
            self.fail(f"no {command[0]}: scripts/setup-debian installs it")
        # Twice: the second must be empty.
        ran = compile_text(f'#include "{name}"\n' * 2, [*command, *WARNINGS], suffix)
        self.assertEqual(ran.returncode, 0, f"{' '.join(command)}: {name}\n{ran.stderr}")

    def test_gcc(self):
        for name in headers():
            with self.subTest(name):
                self.compiled(name, "g++-12", f"-std={STANDARDS.get(name, 'c++20')}")

    def test_c(self):
        for compiler in ("gcc-12", "clang-22"):
            self.compiled("belay/c.h", compiler, "-std=c99", "-pedantic", suffix=".c")

    def test_a_header_with_a_mistake(self):
        ran = compile_text("int f() {}\n", ["g++-12", *WARNINGS], ".cpp")
        self.assertNotEqual(ran.returncode, 0)

    def test_all_are_there(self):
        found = list(headers())
        for name in ("belay/c.h", "belay/host.h", "belay/kernel.h", "belay/kernel/tiles.h"):
            self.assertIn(name, found)


if __name__ == "__main__":
    sys.exit(unittest.main())
