"""The shim in the place of bisheng, called as TileLang, PyPTO and pyasc call it."""
import os
import pathlib
import subprocess
import unittest

from mistakes import DOUBTFUL, MISTAKES, RIGHT
from standin import KERNEL, Case

SHIM = pathlib.Path(os.environ["BELAY_SHIM_DIR"])


class ShimCase(Case):
    def setUp(self):
        super().setUp()
        # CANN's own set_env.sh, then the shim in front of it.
        self.env.update(
            ASCEND_HOME_PATH=str(self.cann.root),
            PATH=f"{SHIM}:{self.cann.root}/bin:/usr/bin:/bin",
            BELAY_SHIM_CHECK="off",
        )

    def call(self, words, **keywords):
        return subprocess.run(words, env=self.env, cwd=self.path,
                              capture_output=True, text=True, **keywords)

    def flags(self, index=-1):
        """What arrived at the real compiler, without files."""
        words = self.cann.calls()[index][1:]
        for name in ("-MF", "-o"):
            del words[words.index(name) : words.index(name) + 2]
        words.remove("-MD")
        return words[:-1]


class TileLang(ShimCase):
    def command(self, source, output):
        home = self.cann.root
        return [
            "bisheng", "--npu-arch=dav-2201", "-O2", "-std=c++17", "-xasc",
            f"-I{home}/include", f"-I{home}/pkg_inc", "-I../../src/",
            "-DBACKEND_HYBM", f"-L{home}/lib64", "-Wno-macro-redefined",
            "-Wno-ignored-attributes", "-lruntime", "-lascendcl", "-lm",
            "-ltiling_api", "-lplatform", "-lc_sec", "-ldl", "-fPIC", "--shared",
            str(source), "-o", str(output),
        ]

    def test_once_for_each_content(self):
        """Each source has a new name; the second is found, with the same flags."""
        outputs = []
        for name in ("tmp1.cpp", "tmp2.cpp"):
            source = self.write(name)
            output = self.path / name.replace(".cpp", ".so")
            ran = self.call(self.command(source, output))
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            outputs.append(output.read_bytes())
        self.assertEqual(len(self.cann.calls()), 1)
        self.assertEqual(outputs[0], outputs[1])
        flags = self.flags()
        # Relative folders count from where the tool is.
        here = f"-I{self.path}/../../src"
        self.assertIn(here, [flag.rstrip("/") for flag in flags])
        for flag in ("--npu-arch=dav-2201", "-xasc", "--shared", "-fPIC", "-O2",
                     "-lascendcl", "-DBACKEND_HYBM"):
            self.assertIn(flag, flags)
        self.assertNotIn("-O3", flags)

    def test_pto(self):
        source = self.write("k.cpp")
        ran = self.call([
            "bisheng", "--cce-aicore-arch=dav-c220", "-DMEMORY_BASE", "-O2",
            "-std=gnu++17", "-xcce", "-mllvm", "-cce-aicore-stack-size=0x8000",
            "-mllvm", "-cce-aicore-record-overflow=true", "-mllvm",
            "-cce-aicore-addr-transform", "-DL2_CACHE_HINT", "-lruntime", "-fPIC",
            "--shared", str(source), "-o", "k.so"])
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("--cce-aicore-arch=dav-c220", self.flags())

    def test_errors(self):
        source = self.write("k.cpp")
        self.cann.mode("fail")
        self.cann.set("stderr", f"{source}:2:1: error: bad\n")
        ran = self.call(self.command(source, self.path / "k.so"))
        self.assertEqual(ran.returncode, 1)
        self.assertIn(f"{source}:2:1: error: bad", ran.stderr)
        self.assertFalse((self.path / "k.so").exists())

    def test_validation(self):
        self.env["BELAY_SHIM_CHECK"] = "required"
        source = self.write("k.cpp", "#include \"nowhere.h\"\n")
        ran = self.call(self.command(source, self.path / "k.so"))
        self.assertEqual(ran.returncode, 1)
        self.assertIn("[validation-required]", ran.stderr)
        self.assertEqual(self.cann.calls(), [])
        source.write_text(KERNEL)
        ran = self.call(self.command(source, self.path / "k.so"))
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def test_mistakes_of_generators(self):
        for how in ("", "quick"):
            self.env["BELAY_SHIM_CHECK"] = how
            for id, _, text, line in MISTAKES:
                source = self.write("k.cpp", text)
                ran = self.call(self.command(source, self.path / "k.so"))
                self.assertEqual(ran.returncode, 1)
                self.assertRegex(ran.stderr, rf"k\.cpp:{line}:\d+: error: .*\[{id}\]")
        self.assertEqual(self.cann.calls(), [])
        source = self.write("k.cpp", RIGHT)
        ran = self.call(self.command(source, self.path / "k.so"))
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def test_warnings_do_not_stop(self):
        self.env["BELAY_SHIM_CHECK"] = "on"
        source = self.write("k.cpp", DOUBTFUL)
        for _ in range(2):
            ran = self.call(self.command(source, self.path / "k.so"))
            self.assertEqual(ran.returncode, 0)
            self.assertRegex(ran.stderr, r"warning: .*\[race-between-cores\]")
        self.assertEqual(len(self.cann.calls()), 1)


class PyPTO(ShimCase):
    def test_through_a_shell(self):
        """PyPTO builds one string and gives it to std::system."""
        source = self.write("leaf.cpp")
        ran = self.call([
            "sh", "-c",
            "bisheng -c -O3 -g -x cce -std=c++17 -D__AIV__ -D__DAV_V220 "
            "-DMEMORY_BASE --cce-aicore-only --cce-aicore-arch=dav-c220-vec "
            "-mllvm -cce-aicore-stack-size=0x8000 -mllvm "
            "-cce-aicore-function-stack-size=0x8000 -mllvm "
            "-cce-aicore-record-overflow=false -mllvm -cce-aicore-addr-transform "
            f"-mllvm -cce-aicore-dcci-insert-for-scalar=false -o leaf.o {source}"])
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertTrue((self.path / "leaf.o").read_bytes().startswith(b"\x7fELF"))
        self.assertEqual(self.flags()[:3], ["-c", "-xcce",
                                            "--cce-aicore-arch=dav-c220-vec"])
        # No second link: the tool has its own.
        self.assertEqual(len(self.cann.calls()), 1)


class PyAsc(ShimCase):
    def test_compiler_variable(self):
        """pyasc starts what PYASC_COMPILER names, and links by itself."""
        self.env["PYASC_COMPILER"] = str(SHIM / "bisheng")
        self.env["PATH"] = "/usr/bin:/bin"
        source = self.write("in.cce")
        words = [
            self.env["PYASC_COMPILER"], "-c", "-x", "cce", "-O3", str(source),
            "--cce-aicore-arch=dav-c220-vec", "--cce-aicore-only", "-o",
            str(self.path / "out.o"), "-I", f"{self.cann.root}/include",
            "-std=c++17", "--cce-disable-kernel-global-attr-check", "-mllvm",
            "-cce-aicore-stack-size=0x8000", "-DASCENDC_DUMP=0", "--cce-auto-sync",
            "-mllvm", "-api-deps-filter", "-D__NPU_TILING__", "-DTILING_KEY_VAR=0"]
        for _ in range(2):
            ran = self.call(words)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(len(self.cann.calls()), 1)
        # One with -g, whose name is in the binary, and the other kind of core.
        self.call(words + ["-g", "-mllvm", "--cce-aicore-jump-expand=true"])
        words[6] = "--cce-aicore-arch=dav-c220-cube"
        self.call(words)
        self.assertEqual(len(self.cann.calls()), 3)
        self.assertFalse(self.cann.escaped())


class PassedOn(ShimCase):
    def test_questions(self):
        ran = self.call(["bisheng", "--version"])
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("stand-in", ran.stdout)

    def test_what_is_not_understood(self):
        source = self.write("k.cpp")
        words = ["bisheng", "--npu-arch=dav-2201", "-c", "-fplugin=x.so",
                 str(source), "-o", "k.o"]
        ran = self.call(words)
        self.assertEqual(ran.returncode, 0)
        self.assertIn("passed on to bisheng unchecked, because option "
                      "'-fplugin=x.so'", ran.stderr)
        self.assertEqual(self.cann.calls()[0][1:], words[1:])
        self.env["BELAY_SHIM"] = "strict"
        ran = self.call(words)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("refused", ran.stderr)
        self.assertEqual(len(self.cann.calls()), 1)

    def test_links(self):
        self.write("a.o", "x")
        ran = self.call(["bisheng", str(self.path / "a.o"), "-o", "demo"])
        self.assertEqual(ran.stderr, "")
        self.assertEqual(self.cann.calls()[0][1:],
                         [str(self.path / "a.o"), "-o", "demo"])

    def test_off(self):
        self.env["BELAY_SHIM"] = "off"
        source = self.write("k.cpp")
        for _ in range(2):
            self.call(["bisheng", "--npu-arch=dav-2201", "-c", str(source), "-o",
                       "k.o"])
        self.assertEqual(len(self.cann.calls()), 2)

    def test_no_compiler(self):
        del self.env["ASCEND_HOME_PATH"]
        self.env["PATH"] = f"{SHIM}:/usr/bin:/bin"
        ran = self.call(["bisheng", "--version"])
        self.assertEqual(ran.returncode, 1)
        self.assertIn("there is no bisheng to call", ran.stderr)


if __name__ == "__main__":
    unittest.main()
