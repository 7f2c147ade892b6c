"""libbelay.so as programs in C and C++ use it, and what it shows.

Environment: BELAY_LIBRARY is libbelay.so, BELAY_SOURCE the source tree,
BELAY_NM a tool that lists symbols; the rest as in test/compiler/standin.py.
"""
import os
import pathlib
import subprocess
import unittest

from standin import Case

LIBRARY = pathlib.Path(os.environ["BELAY_LIBRARY"])
SOURCE = pathlib.Path(os.environ["BELAY_SOURCE"])
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-pedantic"]


class Clients(Case):
    def build(self, name, *compiler):
        program = self.path / "client"
        subprocess.run(
            [*compiler, *WARNINGS, f"-I{SOURCE}/include",
             SOURCE / "test/library" / name, "-o", program, LIBRARY,
             f"-Wl,-rpath,{LIBRARY.parent}", "-pthread"],
            check=True)
        return program

    def run_client(self, program):
        (self.path / "out").mkdir()
        ran = subprocess.run(
            [program, self.cann.root, self.path / "cache", self.path / "out"],
            env=self.env, cwd=self.path, capture_output=True, text=True, timeout=120)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr),
                         (0, "passed\n", ""))
        self.assertFalse(self.cann.escaped())

    def test_c99(self):
        self.run_client(self.build("client.c", "gcc-12", "-std=c99"))

    def test_cpp17(self):
        self.run_client(self.build("client.cpp", "g++-12", "-std=c++17"))

    def test_symbols(self):
        """Only the interface, with its version; nothing is ever taken away."""
        text = subprocess.run(
            [os.environ["BELAY_NM"], "-D", "--defined-only", LIBRARY],
            check=True, capture_output=True, text=True).stdout
        shown = {line.split()[2] for line in text.splitlines()}
        shown.discard("BELAY_1")
        promised = (SOURCE / "test/library/exports.txt").read_text().split()
        self.assertEqual(sorted(shown), [f"{name}@@BELAY_1" for name in promised])

    def test_header_and_symbols_agree(self):
        header = (SOURCE / "include/belay/c.h").read_text()
        for name in (SOURCE / "test/library/exports.txt").read_text().split():
            self.assertIn(f"{name}(", header)


if __name__ == "__main__":
    unittest.main()
