"""The cache of `belay compile`: what finds a result again, and what does not."""
import os
import pathlib
import subprocess
import time
import unittest

import standin
from standin import BELAY, KERNEL, Case


class Keys(Case):
    def again(self, *args, source="kernel.cpp"):
        """Whether the result came from the cache."""
        status, report = self.compile(source, *args)
        self.assertEqual((status, report["problems"]), (0, []))
        return report["fromCache"]

    def setUp(self):
        super().setUp()
        self.write("kernel.cpp", '#include "part.h"\n' + KERNEL)
        self.write("part.h", "// one\n")
        self.assertFalse(self.again())
        self.assertTrue(self.again())

    def test_source(self):
        self.write("kernel.cpp", '#include "part.h"\n// other\n' + KERNEL)
        self.assertFalse(self.again())

    def test_headers(self):
        self.write("part.h", "// two\n")
        self.assertFalse(self.again())
        self.write("part.h", "// one\n")
        self.assertTrue(self.again())

    def test_header_that_appears_in_front(self):
        self.write("late/other.h", "// late\n")
        (self.path / "early").mkdir()
        self.write("kernel.cpp", '#include "other.h"\n')
        args = ("-I", "early", "-I", "late")
        self.assertFalse(self.again(*args))
        self.assertTrue(self.again(*args))
        self.write("early/other.h", "// early\n")
        self.assertFalse(self.again(*args))

    def test_header_that_the_list_does_not_name(self):
        """The list of a two-pass compiler lacks what the other pass read."""
        self.cann.mode("nodep")
        self.write("kernel.cpp", '#include "part.h"\n// nodep\n')
        self.assertFalse(self.again())
        self.assertTrue(self.again())
        self.write("part.h", "// two\n")
        self.assertFalse(self.again())

    def test_directives_as_the_compiler_reads_them(self):
        """After comments, across lines, in branches that are off."""
        self.cann.mode("nodep")
        for text in ('/* first */ #include "part.h"\n', '#inc\\\nlude "part.h"\n',
                     '# /* a */ include /* b */ "part.h"\n', '#if 0\n#include "part.h"\n#endif\n',
                     '#define A R"x(\n)x"\n#include "part.h"\n'):
            with self.subTest(text=text):
                self.write("part.h", "// one\n")
                self.write("kernel.cpp", text + "// nodep\n")
                self.assertFalse(self.again())
                self.write("part.h", "// two\n")
                self.assertFalse(self.again())

    def test_includes_that_only_the_compiler_knows(self):
        self.cann.mode("nodep")
        self.write("kernel.cpp", "#define H \"part.h\"\n#include H\n")
        self.assertFalse(self.again())
        self.assertFalse(self.again())

    def test_flags_target_and_output(self):
        for args in (["-DX"], ["-O3"], ["--shared"], ["--soc", "Ascend310P3"],
                     ["--core", "vec"], ["--option=-w"]):
            with self.subTest(args=args):
                self.assertFalse(self.again(*args))
                self.assertTrue(self.again(*args))
        # Parts of one architecture are compiled alike.
        self.assertTrue(self.again("--soc", "Ascend910_9362"))

    def test_version_of_cann(self):
        (self.cann.root / "version.info").write_text("Version=9.9.2\n")
        self.assertFalse(self.again())

    def test_version_of_the_compiler(self):
        program = self.cann.root / "bin/bisheng"
        self.cann.set("version", "stand-in for bisheng 2")
        os.utime(program, (1, 1))  # installed anew
        self.assertFalse(self.again())

    def test_host_linker_of_libraries(self):
        """bisheng calls it for the host's part, from its own folder or from PATH."""
        def put(folder, version):
            self.write(f"{folder}/ld", f"#!/bin/sh\necho {version}\n").chmod(0o755)

        put("tools", "one")
        self.env["PATH"] = f"{self.path}/tools:" + self.env["PATH"]
        # An object is not linked.
        self.assertTrue(self.again())
        self.assertFalse(self.again("--shared"))
        self.assertTrue(self.again("--shared"))
        put("tools", "of another size")
        self.assertFalse(self.again("--shared"))
        self.assertTrue(self.again("--shared"))
        put("cann/bin", "beside")
        self.assertFalse(self.again("--shared"))
        self.assertTrue(self.again())

    def test_check(self):
        self.assertFalse(self.again("--check", "on"))
        self.assertTrue(self.again("--check", "on"))

    def test_name_only_where_it_matters(self):
        self.write("copy.cpp", '#include "part.h"\n' + KERNEL)
        self.assertTrue(self.again(source="copy.cpp"))
        self.assertFalse(self.again("-O2", "--option=-g"))
        self.assertFalse(self.again("-O2", "--option=-g", source="copy.cpp"))
        for name in ("kernel.cpp", "copy.cpp"):
            self.write(name, "const char *name = __FILE__;\n")
            self.assertFalse(self.again(source=name))

    def test_damage(self):
        for path in (self.path / "cache").rglob("*.bin"):
            path.write_bytes(path.read_bytes()[:-50])
        self.assertFalse(self.again())
        self.assertTrue(self.again())

    def test_off(self):
        self.assertFalse(self.again("--no-cache"))

    def test_output_is_the_same(self):
        first = (self.path / "kernel.o").read_bytes()
        (self.path / "kernel.o").unlink()
        self.assertTrue(self.again())
        self.assertEqual((self.path / "kernel.o").read_bytes(), first)
        self.assertTrue(first.startswith(b"\x7fELF"))

    def test_warnings_are_repeated(self):
        self.cann.set("stderr", "kernel.cpp:1:1: warning: odd\n")
        self.write("kernel.cpp", "// warns\n")
        for _ in range(2):
            self.assertIn("warning: odd",
                          self.belay("kernel.cpp", "--check", "off").stderr)

    def test_depfile(self):
        self.write("with space.h", "")
        self.write("kernel.cpp", '#include "part.h"\n#include "with space.h"\n')
        for _ in range(2):
            ran = self.belay("kernel.cpp", "--check", "off", "--depfile", "k.d",
                             "-o", "out.o")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            text = (self.path / "k.d").read_text()
            self.assertTrue(text.startswith("out.o:"))
            for name in ("kernel.cpp", "part.h", "with\\ space.h"):
                self.assertIn(f"{self.path}/{name}", text)
            (self.path / "k.d").unlink()


class Command(Case):
    def cache(self, *args):
        return subprocess.run([BELAY, "cache", *args], env=self.env,
                              capture_output=True, text=True)

    def test_list_prune_clear(self):
        for i in range(4):
            self.write(f"k{i}.cpp", f"// {i}\n" * 1000)
            self.compile(f"k{i}.cpp")
        lines = self.cache("list").stdout.splitlines()
        self.assertEqual(len(lines), 4)
        self.assertIn("k3.cpp for dav-2201 (object, CANN 9.9.1)", "".join(lines))
        self.assertGreater(len(self.cache("list", "--all").stdout.splitlines()), 10)
        self.assertRegex(self.cache().stdout, r"device binaries +4 ")
        self.assertIn("removed 0 files",
                      self.cache("prune", "--older-than", "1h").stdout)
        self.assertIn("removed 0 files", self.cache("prune").stdout)
        self.cache("prune", "--max-size", "20000")
        left = sum(p.stat().st_size for p in (self.path / "cache").rglob("*")
                   if p.is_file())
        self.assertLess(left, 20001)
        self.assertGreater(left, 0)
        self.cache("clear")
        self.assertEqual(self.cache("list", "--all").stdout, "")
        _, report = self.compile("k0.cpp")
        self.assertFalse(report["fromCache"])

    def test_what_the_dead_left(self):
        self.write("kernel.cpp")
        self.compile("kernel.cpp")
        shard = next((self.path / "cache/v2").glob("?"))
        for name, age in (("old.bin.AbCdEf", 7200), ("new.bin.AbCdEf", 5)):
            (shard / name).write_text("half")
            os.utime(shard / name, (time.time() - age,) * 2)
        self.assertIn("removed 1 files, 4 B", self.cache("prune").stdout)
        self.assertTrue((shard / "new.bin.AbCdEf").exists())

    def test_mistakes(self):
        for args in (["sweep"], ["list", "prune"], ["prune", "--max-size", "much"],
                     ["prune", "--older-than", "long"]):
            self.assertEqual(self.cache(*args).returncode, 2)


if __name__ == "__main__":
    unittest.main()
