"""`belay compile` with a stand-in for the device's compiler: exact command
lines, every way to fail, options that must not get through, and the cache."""
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import time
import unittest

import standin
from standin import BELAY, KERNEL, Case

STACK = [
    "-mllvm", "-cce-aicore-stack-size=0x8000",
    "-mllvm", "-cce-aicore-function-stack-size=0x8000",
    "-mllvm", "-cce-aicore-addr-transform",
    "-mllvm", "-cce-aicore-dcci-insert-for-scalar=false",
]
CCE = ["-xcce", "-std=c++17", "-O3", "--cce-auto-sync", *STACK]


class Commands(Case):
    """Exactly what the compiler is called with, for each row of the table."""

    def commands(self, *args):
        source = self.write("kernel.cpp")
        status, report = self.compile(source, "--no-cache", *args)
        self.assertEqual((status, report["problems"]), (0, []))
        calls = self.cann.calls()
        self.assertEqual(calls, report["commands"])
        # Scratch folders have other names each time.
        return [
            [re.sub(r"^/.*/belay-compile[^/]*", "SCRATCH", word) for word in call]
            for call in calls
        ]

    def bisheng(self, *flags, name="out"):
        return [
            str(self.cann.root / "bin/bisheng"), *flags, "-MD", "-MF",
            f"SCRATCH/{name}.d", "-o", f"SCRATCH/{name}",
            str(self.path / "kernel.cpp"),
        ]

    def link(self, *parts):
        return [
            str(self.cann.root / "bin/ld.lld"), "-m", "aicorelinux", "-Ttext=0",
            "-static", *(f"SCRATCH/{part}" for part in parts), "-o", "SCRATCH/out",
        ]

    def test_asc_object(self):
        self.assertEqual(
            self.commands("--soc", "Ascend910B3"),
            [self.bisheng("--npu-arch=dav-2201", "-c", "-xasc", "-std=c++17", "-O2")],
        )

    def test_asc_shared(self):
        self.assertEqual(
            self.commands("--soc", "Ascend950PR_950z", "--shared"),
            [self.bisheng("--npu-arch=dav-3510", "-shared", "-fPIC", "-xasc",
                          "-std=c++17", "-O2")],
        )

    def test_asc_static(self):
        self.assertEqual(
            self.commands("--soc", "Ascend910_9362", "--static"),
            [self.bisheng("--npu-arch=dav-2201", "-lib", "-xasc", "-std=c++17",
                          "-O2")],
        )

    def test_vector_cores(self):
        self.assertEqual(
            self.commands("--soc", "Ascend910B3", "--core", "vec"),
            [
                self.bisheng("--cce-aicore-arch=dav-c220-vec", "-c",
                             "--cce-aicore-only", *CCE, "-mllvm",
                             "-cce-aicore-record-overflow=true", name="part0.o"),
                self.link("part0.o"),
            ],
        )

    def test_cube_cores_of_950(self):
        self.assertEqual(
            self.commands("--soc", "Ascend950PR_950z", "--core", "cube"),
            [
                self.bisheng("--cce-aicore-arch=dav-c310-cube", "-c",
                             "--cce-aicore-only", *CCE, "-mllvm",
                             "-cce-aicore-record-overflow=false", name="part0.o"),
                self.link("part0.o"),
            ],
        )

    def test_both_kinds_of_cores(self):
        def part(arch, name):
            return self.bisheng(f"--cce-aicore-arch={arch}", "-c",
                                "--cce-aicore-only", *CCE, "-mllvm",
                                "-cce-aicore-record-overflow=true",
                                "-cce-enable-mix", "-D__MIX_CORE_MACRO__=1",
                                name=name)

        self.assertEqual(
            self.commands("--core", "mix"),
            [
                part("dav-c220-cube", "part0.o"),
                part("dav-c220-vec", "part1.o"),
                self.link("part0.o", "part1.o"),
            ],
        )

    M200 = [
        *CCE, "--cce-mask-opt", "-mllvm", "-cce-aicore-fp-ceiling=2", "-mllvm",
        "-cce-aicore-record-overflow=false", "-mllvm", "-cce-aicore-mask-opt=false",
    ]

    def test_310p(self):
        self.assertEqual(
            self.commands("--soc", "Ascend310P3"),
            [
                self.bisheng("--cce-aicore-arch=dav-m200", "-c",
                             "--cce-aicore-only", *self.M200, name="part0.o"),
                self.link("part0.o"),
            ],
        )

    def test_310p_shared(self):
        self.assertEqual(
            self.commands("--soc", "Ascend310P3", "--shared"),
            [self.bisheng("--cce-aicore-arch=dav-m200", "-shared", "-fPIC",
                          *self.M200)],
        )

    def test_own_headers_of_cann(self):
        root = self.cann.root
        for name in ("impl", "interface"):
            (root / "compiler/tikcpp/tikcfw" / name).mkdir(parents=True)
        (root / "include/version").mkdir(parents=True)
        (root / "include/version/cann_version.h").write_text("#define X 1\n")
        tikcfw = f"{root}/compiler/tikcpp/tikcfw"
        calls = self.commands("--core", "vec")
        at = calls[0].index("-I" + tikcfw)
        self.assertEqual(
            calls[0][at : at + 5],
            [f"-I{tikcfw}", f"-I{tikcfw}/impl", f"-I{tikcfw}/interface",
             "-include", f"{root}/include/version/cann_version.h"],
        )

    def test_users_options_come_last_and_replace(self):
        (self.path / "inc").mkdir()
        calls = self.commands("-O3", "-DN=2", "-D", "M", "-I", "inc", "--option",
                              "-std=c++20", "--option", "-Wno-unused")
        self.assertEqual(
            calls,
            [self.bisheng("--npu-arch=dav-2201", "-c", "-xasc", "-O3", "-DN=2",
                          "-DM", f"-I{self.path}/inc", "-std=c++20",
                          "-Wno-unused")],
        )

    def test_dry_run_runs_nothing(self):
        source = self.write("kernel.cpp")
        ran = self.belay(source, "--dry-run")
        self.assertEqual(ran.returncode, 0)
        self.assertIn("--npu-arch=dav-2201", ran.stdout)
        self.assertEqual(self.cann.calls(), [])
        self.assertFalse((self.path / "kernel.o").exists())


class Refused(Case):
    """What must not reach the compiler."""

    BAD = [
        "@args", "-o/etc/x", "-o", "-fplugin=x.so", "-fpass-plugin=x.so",
        "-Xclang", "-load", "-Wl,-rpath,/x", "-Wa,-x", "-Wp,-MD,x", "-B/tmp",
        "-wrapper", "-specs=x", "--config=x", "-MF", "-MD", "-save-temps",
        "-ftime-trace", "-fprofile-use=x", "-include-pch", "-x", "-c", "-shared",
        "-lib", "--npu-arch=dav-3510", "--cce-aicore-arch=dav-c220-vec", "-E",
        "-S", "--sysroot=/", "-fuse-ld=/x", "-imacrosx", "-cc1",
        "--cce-auto-sync-log=x", "-DX\n-o", "other.cpp", "-l/etc/x", "-l:x.so",
        "-Onull", "-std=c99", "-W,x", "-D1X", "-D", "-I", "-L=/x", "",
        "-mllvm", "--target=x86_64", "-ivfsoverlay", "-resource-dir=/x",
    ]

    def test_each(self):
        source = self.write("kernel.cpp")
        for option in self.BAD:
            with self.subTest(option=option):
                status, report = self.compile(source, "--option=" + option)
                self.assertEqual(status, 2)
                self.assertEqual(self.problems(report), ["option-refused"])
        # A value of -mllvm is looked at as well.
        status, report = self.compile(source, "--option=-mllvm", "--option=-load=x")
        self.assertEqual(self.problems(report), ["option-refused"])
        self.assertEqual(self.cann.calls(), [])

    def test_harmless_ones_are_not(self):
        source = self.write("kernel.cpp")
        good = ["-DX=@f", "-UX", "-DF(a,b)=a", "-Wall", "-Wno-error=x", "-g", "-w",
                "-lascendcl", "-L/usr/lib", "-isystem", "/usr/include", "-mllvm",
                "-cce-aicore-jump-expand=true", "--cce-auto-sync=off",
                "-iquote/usr/include", "-ffp-contract=off", "--enable-simt"]
        status, report = self.compile(
            source, *(f"--option={option}" for option in good))
        self.assertEqual((status, report["problems"]), (0, []))
        self.assertFalse(self.cann.escaped())

    def test_the_stand_in_would_notice(self):
        """The witness of the other tests is awake."""
        subprocess.run([self.cann.root / "bin/bisheng", "@x", "/dev/null", "-o",
                        "/nowhere/x"], env=self.env)
        self.assertTrue(self.cann.escaped())

    def test_targets(self):
        source = self.write("kernel.cpp")
        for args, part in [
            (["--soc", "Ascend910C9"], "there is no SoC"),
            (["--soc", "Ascend310P3", "--core", "mix"], "does not know how"),
            (["--core", "vec", "--static"], "has no output 'static'"),
            (["--soc", "Ascend310B1"], "does not know how"),
        ]:
            with self.subTest(args=args):
                status, report = self.compile(source, *args)
                self.assertEqual(status, 2)
                self.assertIn(part, report["problems"][0]["message"])

    def test_paths(self):
        status, report = self.compile(self.path / "missing.cpp")
        self.assertEqual((status, self.problems(report)), (2, ["option-refused"]))
        source = self.write("kernel.cpp")
        status, report = self.compile(source, "-o", self.path)
        self.assertEqual((status, self.problems(report)), (2, ["option-refused"]))
        status, report = self.compile(self.path)
        self.assertEqual((status, self.problems(report)), (2, ["option-refused"]))


class Failures(Case):
    """Whatever the compiler does, there is an answer and no half output."""

    def broken(self, mode, *args, said="", status=3):
        source = self.write("kernel.cpp")
        self.cann.mode(mode)
        self.cann.set("stderr", said)
        ended, report = self.compile(source, *args)
        self.assertEqual(ended, status)
        self.assertEqual(report["status"], "failed")
        self.assertFalse((self.path / "kernel.o").exists())
        # Nothing of it is kept.
        self.cann.mode("")
        status, report2 = self.compile(source)
        self.assertEqual((status, report2["fromCache"]), (0, False))
        return report["problems"]

    def one(self, mode, *args, id="device-compiler-failed", **keywords):
        problems = self.broken(mode, *args, **keywords)
        self.assertEqual([p["id"] for p in problems], [id])
        return problems[0]["message"]

    def of_machine(self, mode):
        """Says nothing about the source."""
        return self.one(mode, id="belay-failed", status=5)

    def test_status_without_a_message(self):
        self.assertIn("exit status 1", self.one("fail"))

    def test_status_with_a_message_that_is_no_error(self):
        problem = self.broken("fail", said="licence expired\n")[0]
        self.assertEqual(problem["notes"][0]["message"], "it said: licence expired")

    def test_crash(self):
        self.assertIn("signal 11", self.of_machine("crash"))

    def test_killed_while_writing(self):
        self.assertIn("signal 9", self.of_machine("killed"))

    def test_hang(self):
        start = time.monotonic()
        self.assertIn("within 1 s", self.one("hang", "--timeout", "1"))
        self.assertLess(time.monotonic() - start, 20)

    def test_no_output(self):
        self.assertIn("wrote no output", self.one("silent"))

    def test_empty_output(self):
        self.assertIn("no object file", self.one("empty"))

    def test_garbage(self):
        self.assertIn("no object file", self.one("garbage"))

    def test_noise(self):
        self.one("noise")

    def test_second_command_fails(self):
        source = self.write("kernel.cpp")
        (self.cann.root / "bin/ld.lld").write_text("#!/bin/sh\necho 'ld.lld: error: "
                                                   "undefined symbol: f' >&2; exit 1")
        status, report = self.compile(source, "--core", "vec")
        self.assertEqual(status, 3)
        self.assertEqual(self.problems(report), ["device-compile-error"])
        self.assertEqual(report["problems"][0]["message"], "undefined symbol: f")

    def test_compiler_that_cannot_start(self):
        source = self.write("kernel.cpp")
        program = self.cann.root / "bin/bisheng"
        program.write_bytes(b"\x7fELF but not really")
        status, report = self.compile(source)
        self.assertEqual((status, self.problems(report)), (5, ["belay-failed"]))

    def test_source_that_changes(self):
        source = self.write("kernel.cpp")
        self.cann.mode("slow800")
        child = subprocess.Popen(
            [BELAY, "compile", source, "--cann", self.cann.root, "--check", "off"],
            cwd=self.path, env=self.env, stderr=subprocess.PIPE, text=True)
        time.sleep(0.4)
        source.write_text(KERNEL + "// changed\n")
        error = child.communicate()[1]
        self.assertEqual(child.returncode, 3)
        self.assertIn("changed while it was compiled", error)


class Messages(Case):
    """Errors of the compiler, in the user's lines."""

    def errors(self, said):
        source = self.write("kernel.cpp")
        self.cann.mode("fail")
        self.cann.set("stderr", said.replace("SOURCE", str(source)))
        status, report = self.compile("kernel.cpp")
        self.assertEqual(status, 3)
        self.assertEqual(set(self.problems(report)), {"device-compile-error"})
        return report["problems"]

    def test_in_the_source(self):
        (error,) = self.errors("SOURCE:2:5: error: no matching function\n  x\n  ^\n"
                               "SOURCE:1:1: note: candidate\n1 error generated.\n")
        self.assertEqual((error["file"], error["line"], error["column"]),
                         ("kernel.cpp", 2, 5))
        self.assertEqual(error["message"], "no matching function")
        self.assertEqual(error["notes"][0]["line"], 1)

    def test_in_a_header(self):
        (error,) = self.errors(
            "In file included from SOURCE:1:\n"
            "In file included from /cann/kernel_operator.h:7:\n"
            "/cann/impl.h:99:3: fatal error: 'x.h' file not found\n")
        self.assertEqual((error["file"], error["line"]), ("kernel.cpp", 1))
        self.assertEqual(error["notes"][0]["file"], "/cann/impl.h")

    def test_in_a_template(self):
        (error,) = self.errors(
            "/cann/impl.h:99:3: error: static assertion failed\n"
            "SOURCE:3:11: note: in instantiation of 'Add<int>' requested here\n")
        self.assertEqual((error["file"], error["line"]), ("kernel.cpp", 3))

    def test_once_for_both_kinds_of_cores(self):
        said = "SOURCE:2:5: error: bad\nSOURCE:3:5: error: worse\n"
        errors = self.errors(said + said)
        self.assertEqual([error["line"] for error in errors], [2, 3])

    def test_terminal_sequences_are_removed(self):
        (error,) = self.errors("\x1b[1mSOURCE:2:5: \x1b[0;31merror: \x1b[0mbad\x07\n")
        self.assertEqual(error["message"], "bad")

    def test_text_shows_the_line(self):
        source = self.write("kernel.cpp")
        self.cann.mode("fail")
        self.cann.set("stderr", f"{source}:3:3: error: bad\n")
        ran = self.belay("kernel.cpp", "--check", "off")
        self.assertEqual(ran.returncode, 3)
        self.assertIn("kernel.cpp:3:3: error: bad [device-compile-error]\n"
                      "    AscendC::TPipe pipe;\n", ran.stderr)


class Finding(Case):
    """Where CANN is looked for, and in which order."""

    def setUp(self):
        super().setUp()
        self.write("kernel.cpp")
        self.other = standin.Cann(self.path / "other")

    def used(self, **env):
        self.env.update({name: str(value) for name, value in env.items()})
        status, report = self.compile("kernel.cpp", "--dry-run", cann=False)
        return report["cann"]["root"] if status == 0 else self.problems(report)

    def test_nowhere(self):
        self.env["PATH"] = "/usr/bin:/bin"
        status, report = self.compile("kernel.cpp", cann=False)
        self.assertEqual((status, self.problems(report)), (3, ["cann-not-found"]))
        self.assertIn("looked in", report["problems"][0]["notes"][0]["message"])

    def test_dry_run_without_any(self):
        """Shows what would be run; a folder that is named has to be there."""
        self.env["PATH"] = "/usr/bin:/bin"
        ran = self.belay("kernel.cpp", "--dry-run", cann=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("<cann>/bin/bisheng", ran.stdout)
        self.assertIn("--npu-arch=dav-2201", ran.stdout)
        self.assertIn("note: no CANN was found; <cann> stands for its folder", ran.stderr)
        ran = self.belay("kernel.cpp", "--dry-run", "--cann", self.path / "nothing", cann=False)
        self.assertEqual(ran.returncode, 3)

    def test_variables(self):
        self.assertEqual(self.used(ASCEND_TOOLKIT_HOME=self.other.root),
                         str(self.other.root))
        self.assertEqual(self.used(ASCEND_HOME_PATH=self.cann.root),
                         str(self.cann.root))

    def test_home(self):
        place = self.path / "Ascend/ascend-toolkit"
        place.mkdir(parents=True)
        (place / "latest").symlink_to(self.other.root)
        self.assertEqual(self.used(), str(self.other.root))

    def test_path(self):
        self.assertEqual(self.used(PATH=f"{self.other.root}/bin:/usr/bin:/bin"),
                         str(self.other.root))

    def test_other_layout(self):
        deep = standin.Cann(self.path / "deep", "tools/bisheng_compiler/bin")
        self.assertEqual(self.used(ASCEND_HOME_PATH=deep.root), str(deep.root))
        self.assertEqual(
            self.used(ASCEND_HOME_PATH="",
                      PATH=f"{deep.root}/tools/bisheng_compiler/bin:/usr/bin"),
            str(deep.root))

    def test_named_but_not_there(self):
        for root in (self.path / "nothing", self.path / "empty"):
            (self.path / "empty").mkdir(exist_ok=True)
            ran = self.belay("kernel.cpp", "--cann", root, cann=False)
            self.assertEqual(ran.returncode, 3)
            self.assertIn("[cann-not-found]", ran.stderr)

    def test_version(self):
        for text, version in [("Version=8.5.0.alpha\n", "8.5.0.alpha"),
                              ("a=b\nversion = 9.1\n", "9.1"),
                              ("toolkit_running_version=[8.2.RC1:x]\n", "8.2.RC1"),
                              ("nothing\n", "")]:
            (self.cann.root / "version.info").write_text(text)
            _, report = self.compile("kernel.cpp", "--dry-run")
            self.assertEqual(report["cann"]["version"], version)

    def test_environment_of_the_compiler(self):
        """What would change results behind the cache's back does not arrive."""
        (self.cann.root / "bin/bisheng").write_text(
            "#!/bin/sh\n[ \"$1\" = --version ] || env > "
            f"{self.path}/env\nexit 1\n")
        self.env.update(CPATH="/evil", CCC_OVERRIDE_OPTIONS="+-fplugin=x",
                        LD_PRELOAD="", COMPILER_PATH="/evil")
        self.compile("kernel.cpp")
        text = (self.path / "env").read_text()
        self.assertIn(f"ASCEND_HOME_PATH={self.cann.root}", text)
        self.assertNotIn("evil", text)
        self.assertNotIn("OVERRIDE", text)


@unittest.skipUnless(standin.RTC_STANDIN, "no stand-in for the library")
class Library(Case):
    """The runtime compile library instead of the compiler."""

    def setUp(self):
        super().setUp()
        (self.cann.root / "lib64").mkdir()
        shutil.copy(standin.RTC_STANDIN, self.cann.root / "lib64/libacl_rtc.so")

    def test_chosen_when_alone(self):
        self.write("kernel.cpp")
        _, report = self.compile("kernel.cpp", "--dry-run")
        self.assertEqual(report["cann"]["backend"], "bisheng")
        (self.cann.root / "bin/bisheng").unlink()
        status, report = self.compile("kernel.cpp", "-DN=1")
        self.assertEqual((status, report["cann"]["backend"]), (0, "aclrtc"))
        self.assertEqual((self.path / "kernel.o").read_bytes(),
                         b"\x7fELFrtc\n--npu-arch=dav-2201\n-DN=1\n"
                         + KERNEL.encode())
        status, report = self.compile("kernel.cpp", "-DN=1")
        self.assertTrue(report["fromCache"])

    def test_what_it_cannot_do(self):
        self.write("kernel.cpp")
        for args in (["--shared"], ["--core", "vec"], ["--soc", "Ascend310P3"]):
            status, report = self.compile("kernel.cpp", "--backend", "aclrtc", *args)
            self.assertEqual((status, self.problems(report)),
                             (2, ["option-refused"]))

    def test_failures(self):
        for how, ends, what in [("fail", 3, "device-compile-error"),
                                ("crash", 5, "belay-failed"),
                                ("hang", 3, "device-compiler-failed")]:
            with self.subTest(how=how):
                self.write("kernel.cpp", f"// rtc: {how}\n")
                status, report = self.compile("kernel.cpp", "--backend", "aclrtc",
                                              "--timeout", "1")
                self.assertEqual((status, self.problems(report)), (ends, [what]))
                if how == "fail":
                    self.assertEqual(report["problems"][0]["file"], "kernel.cpp")
                    self.assertEqual(report["problems"][0]["line"], 3)

    def test_no_library(self):
        (self.cann.root / "lib64/libacl_rtc.so").write_bytes(b"no library at all")
        self.write("kernel.cpp")
        status, report = self.compile("kernel.cpp", "--backend", "aclrtc")
        self.assertEqual((status, self.problems(report)),
                         (3, ["device-compile-error"]))


class Checks(Case):
    """What happens before the compiler is asked."""

    def test_passed(self):
        self.write("kernel.cpp")
        status, report = self.compile("kernel.cpp", "--check", "required")
        self.assertEqual((status, report["check"], report["problems"]),
                         (0, "passed", []))
        # The verdict is kept with the result.
        status, report = self.compile("kernel.cpp", "--check", "required")
        self.assertEqual((status, report["check"], report["fromCache"]),
                         (0, "passed", True))

    def test_unreadable(self):
        self.write("kernel.cpp", "#include \"vendor_only.h\"\n" + KERNEL)
        for fromCache in (False, True):
            status, report = self.compile("kernel.cpp", "--check", "on")
            self.assertEqual((status, report["check"], report["fromCache"]),
                             (0, "unknown", fromCache))
            self.assertEqual(self.problems(report), ["not-validated"])
            self.assertIn("vendor_only.h", report["problems"][0]["message"])
        for _ in range(2):
            status, report = self.compile("kernel.cpp", "--check", "required")
            self.assertEqual((status, self.problems(report)),
                             (1, ["validation-required"]))

    def test_launches_are_read(self):
        self.write("kernel.cpp", KERNEL + """
extern "C" void call(uint8_t *x, uint8_t *y, void *stream) {
  add<<<8, nullptr, stream>>>(x, y);
}
""")
        status, report = self.compile("kernel.cpp", "--check", "required")
        self.assertEqual((status, report["check"]), (0, "passed"))


if __name__ == "__main__":
    unittest.main()
