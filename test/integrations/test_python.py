"""The Python package, installed with pip from the tree, and what builds on it.

Environment: BELAY_LIBRARY, BELAY_SOURCE, BELAY_SHIM_DIR, and that of standin.py.
"""
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import types
import unittest

from mistakes import DOUBTFUL, FIXED, MISTAKES, RIGHT
from standin import KERNEL, Case

SOURCE = pathlib.Path(os.environ["BELAY_SOURCE"])
_installed = tempfile.TemporaryDirectory(prefix="belay-pip")


def setUpModule():
    # From a copy: pip leaves its build folder beside the sources.
    tree = pathlib.Path(_installed.name) / "tree"
    shutil.copytree(SOURCE / "python", tree)
    target = pathlib.Path(_installed.name) / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
         "--no-build-isolation", "--no-index", "--disable-pip-version-check",
         "--target", target, tree],
        check=True, env={**os.environ, "PIP_NO_INPUT": "1"})
    assert (target / "belay_npu/py.typed").exists()
    entries = next(target.glob("belay_npu-*.dist-info")) / "entry_points.txt"
    assert "belay = belay_npu.pytest_plugin" in entries.read_text()
    sys.path.insert(0, str(target))
    global belay
    import belay_npu as belay


def tearDownModule():
    _installed.cleanup()


class PythonCase(Case):
    def setUp(self):
        super().setUp()
        self.where = dict(cann=self.cann.root, cache_dir=self.path / "cache")


class Compile(PythonCase):
    def test_text(self):
        first = belay.compile_kernel(KERNEL, soc="Ascend910B3", shared=True,
                                     validate=True, **self.where)
        self.assertTrue(first.data.startswith(b"\x7fELF"))
        self.assertEqual((first.target, first.check, first.from_cache),
                         ("dav-2201", "passed", False))
        self.assertIn("-shared", first.commands[0])
        self.assertTrue(os.path.exists(first.path))
        again = belay.compile_kernel(KERNEL, soc="Ascend910B3", **self.where)
        self.assertTrue(again.from_cache)
        self.assertEqual(again.data, first.data)

    def test_file_and_output(self):
        source = self.write("add.cpp", '#include "part.h"\n')
        part = self.write("part.h", "// part\n")
        out = self.path / "libadd.so"
        made = belay.compile_kernel(source, validate=False, output=out,
                                    options=["-DN=1", "-O3"], **self.where)
        self.assertEqual(made.path, str(out))
        self.assertEqual(out.read_bytes(), made.data)
        self.assertTrue(os.access(out, os.X_OK))
        self.assertIn(str(part), made.inputs)
        self.assertIn("-DN=1", made.commands[0])

    def test_kinds(self):
        for arguments, flag in [
            (dict(shared=False), "-c"), (dict(static=True), "-lib"),
            (dict(shared=False, core="cube"), "--cce-aicore-only"),
        ]:
            made = belay.compile_kernel("int x;\n", validate=False, **arguments,
                                        **self.where)
            self.assertIn(flag, made.commands[0])

    def test_errors(self):
        self.cann.mode("fail")
        self.cann.set("stderr", "add.cpp:2:7: error: bad\nadd.cpp:1:1: note: here\n")
        with self.assertRaises(belay.CompileError) as caught:
            belay.compile_kernel("int x;\n", name="add.cpp", validate=False,
                                 **self.where)
        (problem,) = caught.exception.problems
        self.assertEqual(str(problem),
                         "add.cpp:2:7: error: bad [device-compile-error]")
        self.assertEqual(problem.notes, (belay.Note("here", "add.cpp", 1, 1),))
        self.assertIn("bad", str(caught.exception))
        self.assertIn("## Rule", belay.explain(problem.id))
        self.assertEqual(belay.explain("nothing"), "")

    def test_failures(self):
        """A compiler that is killed says nothing about the kernel."""
        self.cann.mode("killed")
        with self.assertRaises(belay.BelayFailed) as caught:
            belay.compile_kernel("int x;\n", validate=False, **self.where)
        self.assertEqual(caught.exception.problems[0].id, "belay-failed")

    def test_mistakes(self):
        for arguments in (dict(options=["@x"]), dict(soc="Ascend1"),
                          dict(options=["-o", "/etc/x"])):
            with self.assertRaises(belay.CompileError) as caught:
                belay.compile_kernel("int x;\n", **arguments, **self.where)
            self.assertEqual(caught.exception.problems[0].id, "option-refused")
        for arguments in (dict(validate="maybe"), dict(backend="gcc"),
                          dict(options=["a\0b"])):
            with self.assertRaises(ValueError):
                belay.compile_kernel("int x;\n", **arguments)
        with self.assertRaisesRegex(ValueError, "pathlib.Path"):
            belay.compile_kernel("add.cpp")
        with self.assertRaises(belay.CompileError) as caught:
            belay.compile_kernel("int x;\n", cann=self.path / "nothing")
        self.assertEqual(caught.exception.problems[0].id, "cann-not-found")

    def test_required(self):
        text = '#include "nowhere.h"\n'
        made = belay.compile_kernel(text, **self.where)
        self.assertEqual((made.check, made.problems[0].id, made.problems[0].severity),
                         ("unknown", "not-validated", "warning"))
        with self.assertRaises(belay.CompileError) as caught:
            belay.compile_kernel(text, validate="required", **self.where)
        self.assertEqual(caught.exception.problems[0].id, "validation-required")

    def test_mistakes_of_generators(self):
        """Named by their lines, before anything is compiled, from text and file."""
        for id, socs, text, line in MISTAKES:
            file = self.write("gen.cpp", text)
            for soc in socs:
                for source, name in ((text, "gen.cpp"), (file, str(file))):
                    with self.assertRaises(belay.CompileError) as caught:
                        belay.compile_kernel(source, soc=soc, name="gen.cpp", **self.where)
                    places = [(each.id, each.severity, each.file, each.line)
                              for each in caught.exception.problems]
                    self.assertIn((id, "error", name, line), places)
                    self.assertIn(f"gen.cpp:{line}:", str(caught.exception))
                found = belay.check(text, soc=soc, quick=True)
                self.assertEqual(found.verdict, "findings")
                self.assertIn(id, [each.id for each in found.problems])
        self.assertEqual(self.cann.calls(), [])
        for text in FIXED:
            made = belay.compile_kernel(text, validate="required", **self.where)
            self.assertEqual(made.problems, ())

    def test_doubtful(self):
        for _ in range(2):
            made = belay.compile_kernel(DOUBTFUL, **self.where)
            self.assertEqual(
                [(each.id, each.severity) for each in made.problems],
                [("race-between-cores", "warning")])
            self.assertEqual(made.check, "findings")
        self.assertEqual([each.severity for each in belay.check(DOUBTFUL).problems],
                         ["error"])
        with self.assertRaises(belay.CompileError):
            belay.compile_kernel(DOUBTFUL, validate="required", **self.where)

    def test_allowed(self):
        """Also where the source is in no file."""
        id, _, text, line = MISTAKES[0]
        lines = text.splitlines(keepends=True)
        lines.insert(line - 1, f"  // belay: allow {id} measured, and fast enough\n")
        made = belay.compile_kernel("".join(lines), **self.where)
        self.assertEqual(made.problems, ())

    def test_headers_of_the_current_folder_are_not_those_of_a_text(self):
        self.write("beside.h", "")
        here = os.getcwd()
        os.chdir(self.path)
        try:
            found = belay.check('#include "beside.h"\n' + RIGHT)
        finally:
            os.chdir(here)
        self.assertEqual([each.id for each in found.problems], ["not-validated"])

    def test_no_such_file(self):
        for function in (belay.check, belay.compile_kernel):
            with self.assertRaises(FileNotFoundError):
                function(self.path / "nosuch.cpp")

    def test_plan(self):
        (command,) = belay.plan("int x;\n", soc="Ascend910B3", cann=self.cann.root)
        self.assertEqual(command[1], "--npu-arch=dav-2201")
        self.assertEqual(self.cann.calls(), [])

    def test_threads(self):
        self.cann.mode("slow200")
        made = []
        threads = [
            threading.Thread(target=lambda: made.append(belay.compile_kernel(
                "int x;\n", validate=False, **self.where)))
            for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(self.cann.calls()), 1)
        self.assertEqual(len({kernel.data for kernel in made}), 1)

    def test_check(self):
        self.assertTrue(belay.check(KERNEL, soc="Ascend910B3"))
        answer = belay.check('#include "belay/kernel.h"\n[[belay::kernel]] void f(belay::In<float> x) {}\n')
        self.assertEqual(answer.verdict, "unknown")
        self.assertIn("it is of the kernel language, which 'belay build' and 'belay check' prove",
                      answer.problems[0].message)
        answer = belay.check('#include "nowhere.h"\n', soc="Ascend310P3")
        self.assertFalse(answer)
        self.assertEqual(answer.verdict, "unknown")
        self.assertIn("nowhere.h", answer.problems[0].message)
        with self.assertRaises(belay.CompileError):
            belay.check(KERNEL, soc="Ascend1")

    def test_structures(self):
        """The Python copies of the structures are those of the header."""
        from belay_npu import _library

        program = self.path / "sizes"
        names = ["compiler_options", "request", "problem", "note"]
        self.write("sizes.c", '#include "belay/c.h"\n#include <stdio.h>\nint main(void) {'
                   + "".join(f'printf("%zu ", sizeof(belay_{n}));' for n in names)
                   + "return 0;}")
        subprocess.run(["gcc-12", f"-I{SOURCE}/include", self.path / "sizes.c", "-o",
                        program], check=True)
        sizes = subprocess.run([program], capture_output=True, text=True).stdout
        ours = [_library.CompilerOptions, _library.Request, _library.Problem,
                _library.Note]
        self.assertEqual(sizes.split(), [str(ctypes.sizeof(each)) for each in ours])

    def test_version(self):
        self.assertRegex(belay.version(), r"^\d+\.\d+\.\d+$")

    def test_quick_start(self):
        """Of docs/python.md, with the installed package and belay in PATH."""
        page = (SOURCE / "docs/python.md").read_text()
        text = page.partition("```python\n")[2].partition("```")[0]
        env = {name: value for name, value in self.env.items()
               if not name.startswith("BELAY_")}
        command = os.path.realpath(os.environ["BELAY"])
        env.update(PYTHONPATH=f"{_installed.name}/site", BELAY_CACHE_DIR=str(self.path),
                   PATH=f"{os.path.dirname(command)}:{os.environ['PATH']}")
        ran = subprocess.run([sys.executable, "-c", text], env=env, capture_output=True,
                             text=True, cwd=SOURCE / "examples/kernels")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("cycles, bound by", ran.stdout)

    def test_library_not_found(self):
        env = {**self.env, "BELAY_LIBRARY": "/nowhere/libbelay.so",
               "PYTHONPATH": f"{_installed.name}/site"}
        ran = subprocess.run([sys.executable, "-c", "import belay_npu; belay_npu.version()"],
                             env=env, capture_output=True, text=True)
        self.assertIn("LibraryNotFound: libbelay.so was not found", ran.stderr)


class TileLang(PythonCase):
    """A module of TileLang's shape; TileLang itself needs TVM and torch_npu."""

    def setUp(self):
        super().setUp()
        module = types.ModuleType("tilelang.jit.adapter.libgen")

        class LibraryGenerator:
            srcpath = libpath = lib_code = None

            def __init__(self, target):
                self.target = target

            def update_lib_code(self, lib_code):
                self.lib_code = lib_code

            def compile_lib(self, timeout=None):
                raise AssertionError("TileLang's own compilation was called")

            def get_lib_path(self):
                return self.libpath

            def remove_lib(self):
                os.remove(self.libpath)

        module.LibraryGenerator = self.Generator = LibraryGenerator
        env = types.ModuleType("tilelang.env")
        env.TILELANG_TEMPLATE_PATH = str(self.path / "templates")
        for name, each in {
            "tilelang": types.ModuleType("tilelang"),
            "tilelang.jit": types.ModuleType("tilelang.jit"),
            "tilelang.jit.adapter": types.ModuleType("tilelang.jit.adapter"),
            "tilelang.jit.adapter.libgen": module, "tilelang.env": env,
        }.items():
            sys.modules[name] = each
            self.addCleanup(sys.modules.pop, name, None)
        for name, value in {
            "ASCEND_HOME_PATH": str(self.cann.root), "TL_ROOT": "/opt/tilelang",
            "BELAY_CACHE_DIR": str(self.path / "cache"),
        }.items():
            old = os.environ.get(name)
            os.environ[name] = value
            self.addCleanup(
                lambda name=name, old=old: os.environ.pop(name, None)
                if old is None else os.environ.__setitem__(name, old))
        import belay_npu.integrations.tilelang as integration

        self.undo = integration.install(validate=False)

    def test_compiles(self):
        made = []
        for _ in range(2):
            generator = self.Generator("ascendc")
            generator.update_lib_code(KERNEL)
            generator.compile_lib(timeout=30)
            made.append(generator)
        self.assertEqual(len(self.cann.calls()), 1)
        words = self.cann.calls()[0]
        for word in ("--npu-arch=dav-2201", "-shared", "-DBACKEND_HYBM",
                     f"-I{self.cann.root}/include", f"-I{self.path}/templates",
                     "-I/opt/tilelang/3rdparty/catlass/include",
                     f"-L{self.cann.root}/lib64", "-lascendcl"):
            self.assertIn(word, words)
        # Each has a file of its own, which it may remove.
        self.assertNotEqual(made[0].libpath, made[1].libpath)
        for generator in made:
            self.assertTrue(pathlib.Path(generator.libpath).read_bytes()
                            .startswith(b"\x7fELF"))
            self.assertEqual(pathlib.Path(generator.srcpath).read_text(), KERNEL)
            generator.remove_lib()
            os.remove(generator.srcpath)

    def test_failure(self):
        self.cann.mode("crash")
        generator = self.Generator("auto")
        generator.update_lib_code(KERNEL)
        with self.assertRaisesRegex(RuntimeError, "Compilation Failed.*signal 11"):
            generator.compile_lib()
        self.assertIsNone(generator.libpath)

    def test_other_targets_and_undo(self):
        generator = self.Generator("pto")
        with self.assertRaises(AssertionError):
            generator.compile_lib()
        self.undo()
        with self.assertRaises(AssertionError):
            self.Generator("ascendc").compile_lib()


class Torch(PythonCase):
    """A compiler that makes host code of the source, so that it can be loaded."""

    TEXT = """#include <cstdint>
extern "C" void launch_scale(float *x, float *y, int64_t n, double s, void *stream) {
  for (int64_t i = 0; i < n; ++i)
    y[i] = float(x[i] * s) + (stream ? 1000 : 0);
}
"""

    def setUp(self):
        super().setUp()
        (self.cann.root / "bin/bisheng").write_text(
            "#!/bin/sh\n[ \"$1\" = --version ] && { echo host; exit; }\n"
            "for last; do :; done\n"
            "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n"
            "exec g++-12 -shared -fPIC \"$last\" -o \"$out\"\n")

    def test_launch(self):
        import torch

        from belay_npu.integrations.launch import Kernel

        scale = Kernel(self.TEXT, "launch_scale", soc="Ascend910B3",
                       validate=False, **self.where)
        x = torch.arange(100, dtype=torch.float32)
        y = torch.zeros(100)
        scale(x, y, 100, 0.5)
        self.assertTrue(torch.equal(y, x * 0.5))
        scale(x, y, 100, 0.5, stream=1)
        self.assertTrue(torch.equal(y, x * 0.5 + 1000))
        with self.assertRaisesRegex(ValueError, "contiguous"):
            scale(x[::2], y, 50, 0.5)
        with self.assertRaises(TypeError):
            scale("x", y, 50, 0.5)


if __name__ == "__main__":
    unittest.main()
