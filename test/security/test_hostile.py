#!/usr/bin/python3
"""Sources and kernels that attack Belay itself, not their own results.

    test_hostile.py BELAY

Each is bounded: it touches files of its own folder only. Belay has to end in time, with
a status that says what happened, without a crash of its own and without showing a line
of a file that is not part of the kernel.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

BELAY = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else "belay"
SECRET = "the-secret-line"
ARGUMENTS = ["--kernel", "k", "--in", "f32:8=ones", "--out", "f32:8"]
HEAD = """#include "kernel_operator.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
using namespace AscendC;
"""
# Crashes at a line that the source says is the first of NAME.
CRASH = """#include "kernel_operator.h"
#line 1 "NAME"
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) { *(volatile int *)8 = 1; }
"""
# A race, at such a line.
RACE = """#include "kernel_operator.h"
using namespace AscendC;
#line 1 "NAME"
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {
  TPipe pipe; TBuf<> buf; pipe.InitBuffer(buf, 64); LocalTensor<float> b = buf.Get<float>();
  GlobalTensor<float> g, h; g.SetGlobalBuffer((__gm__ float *)x); h.SetGlobalBuffer((__gm__ float *)z);
  DataCopy(b, g, 8); Adds(b, b, 1.0f, 8); DataCopy(h, b, 8); PipeBarrier<PIPE_ALL>(); }
"""


class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "tmp").mkdir()

    def belay(self, *args, **more):
        environment = {**os.environ, "NO_COLOR": "1", "TMPDIR": str(self.folder / "tmp"),
                       "BELAY_CACHE_DIR": str(self.folder / "cache")}
        return subprocess.run([BELAY, *map(str, args)], cwd=self.folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=100, **more)

    def source(self, text, name="kernel.cpp"):
        path = self.folder / name
        path.write_text(text)
        return path

    def both(self, result):
        return result.stdout + result.stderr

    # --- the file that a line says it is from ------------------------------------

    def named(self, template, name):
        return self.source(template.replace("NAME", str(name)))

    def targets(self):
        secret = self.folder / "secret.txt"
        secret.write_text(f"{SECRET}\n" * 20)
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        return secret, fifo, pathlib.Path("/dev/zero"), self.folder

    def test_line_of_another_file_when_a_kernel_crashes(self):
        for target in self.targets():
            for form in ("text", "json"):
                result = self.belay("run", self.named(CRASH, target), *ARGUMENTS, "--format", form)
                self.assertEqual(result.returncode, 4, self.both(result))
                self.assertIn("kernel-crash", self.both(result))
                self.assertNotIn(SECRET, self.both(result))

    def test_line_of_another_file_in_a_finding(self):
        for target in self.targets():
            source = self.named(RACE, target)
            for command in (["check", source], ["check", source, "--format", "json"],
                            ["check", source, "--format", "sarif"],
                            ["run", source, *ARGUMENTS, "--check", "--auto-sync", "off"]):
                result = self.belay(*command)
                self.assertEqual(result.returncode, 1, self.both(result))
                self.assertIn("missing-sync", self.both(result))
                self.assertNotIn(SECRET, self.both(result))

    def test_lines_of_the_kernel_are_shown(self):
        result = self.belay("check", self.named(RACE, self.folder / "kernel.cpp"))
        self.assertIn('extern "C" __global__', self.both(result))
        header = self.source("inline __aicore__ void bad() { *(volatile int *)8 = 1; }\n", "own.h")
        source = self.source('#include "kernel_operator.h"\n#include "own.h"\n'
                             'extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) { bad(); }\n')
        for _ in ("compiled", "found in the cache"):
            result = self.belay("run", source, *ARGUMENTS)
            self.assertIn("*(volatile int *)8", self.both(result), header)

    def test_allowances_of_another_file(self):
        other = self.folder / "other.txt"
        other.write_text("// belay: allow missing-sync because\n" * 20)
        result = self.belay("check", self.named(RACE, other))
        self.assertEqual(result.returncode, 1, self.both(result))

    # --- what is shared with the kernel -------------------------------------------

    def test_shared_memory_cut_short(self):
        source = self.source(HEAD + """
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {
  for (int fd = 3; fd < 64; ++fd) (void)!ftruncate(fd, 0);
  _exit(0); }
""")
        result = self.belay("run", source, *ARGUMENTS, "--format", "json")
        self.assertEqual(result.returncode, 4, self.both(result))
        self.assertFalse(json.loads(result.stdout)["passed"])

    def test_object_replaced_by_garbage(self):
        source = self.source(HEAD + """
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {
  Dl_info info; dladdr((void *)&k, &info);
  static unsigned char bytes[1 << 22];
  int fd = open(info.dli_fname, O_RDONLY);
  long n = read(fd, bytes, sizeof bytes); close(fd);
  for (long i = 64; i < n; i += 7) bytes[i] = 0xff;
  unlink(info.dli_fname);
  fd = open(info.dli_fname, O_CREAT | O_WRONLY, 0600);
  (void)!write(fd, bytes, n); close(fd);
  *(volatile int *)8 = 1; }
""")
        result = self.belay("run", source, *ARGUMENTS, "--no-cache")
        self.assertEqual(result.returncode, 4, self.both(result))
        self.assertNotIn("LLVM ERROR", self.both(result))

    def test_object_in_the_place_of_another(self):
        good = self.source('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x, '
                           'GM_ADDR z) { ((__gm__ float *)z)[0] = 5; }\n', "good.cpp")
        bad = self.source('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x, '
                          'GM_ADDR z) { ((__gm__ float *)z)[0] = 7; }\n', "bad.cpp")
        for source in (good, bad):
            self.assertEqual(self.belay("run", source, *ARGUMENTS).returncode, 0)
        objects = sorted((self.folder / "cache").rglob("*.so"), key=lambda p: p.stat().st_mtime)
        self.assertEqual(len(objects), 2)
        attack = objects[1].read_bytes()
        objects[0].unlink()
        objects[0].write_bytes(attack)
        result = self.belay("run", good, "--kernel", "k", "--in", "f32:8=ones", "--out", "f32:8=out.npy")
        self.assertEqual(result.returncode, 0, self.both(result))
        self.assertIn(b"\x00\x00\xa0\x40", (self.folder / "out.npy").read_bytes(), "5 as a float")

    # --- what a kernel prints -----------------------------------------------------

    def test_printing_without_end(self):
        source = self.source(HEAD + """
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {
  static char text[1 << 16]; memset(text, 'a', sizeof text);
  for (;;) (void)!write(1, text, sizeof text); }
""")
        result = self.belay("run", source, *ARGUMENTS, "--time-limit", "3")
        self.assertEqual(result.returncode, 4, self.both(result)[-500:])
        self.assertLess(len(self.both(result)), 3 << 20)
        self.assertIn("are not shown", self.both(result))

    def test_printing_a_verdict(self):
        source = self.source(HEAD + """
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {
  std::printf("\\x1b[2Jpassed  k <1> 1 us\\npassed\\n"); std::fflush(stdout);
  *(volatile int *)8 = 1; }
""")
        result = self.belay("run", source, *ARGUMENTS)
        self.assertEqual(result.returncode, 4, self.both(result))
        self.assertIn("kernel: passed\n", self.both(result))
        self.assertNotIn("\x1b", self.both(result))
        self.assertFalse([line for line in self.both(result).splitlines() if line.startswith("passed")])

    def test_writing_files(self):
        source = self.source(HEAD + f"""
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {{
  int fd = open("{self.folder}/large", O_CREAT | O_WRONLY, 0600);
  posix_fallocate(fd, 0, 64 << 20); }}
""")
        self.belay("run", source, *ARGUMENTS)
        large = self.folder / "large"
        self.assertLessEqual(large.stat().st_size if large.exists() else 0, 1 << 20)

    # --- what a kernel says of itself ---------------------------------------------

    def test_nothing_runs_before_a_launch(self):
        """What a kernel is, is read from its object: a constructor cannot say it."""
        mark = self.folder / "constructor.txt"
        source = self.source(HEAD + """
__attribute__((constructor)) static void forge() {
  printf("{\\"name\\":\\"k\\",\\"params\\":[]}"); fflush(stdout); creat("MARK", 0600); _exit(0); }
struct T { int a; int b; };
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z, float a, float b, float c, GM_ADDR t) {}
""".replace("MARK", str(mark)))
        # One argument is missing, so the launch is refused when the kernel is known.
        result = self.belay("run", source, *ARGUMENTS, "--tiling", "b=true", "--tiling-struct", "T")
        self.assertEqual(result.returncode, 2, self.both(result))
        self.assertIn("argument", self.both(result))
        self.assertFalse(mark.exists())

    def test_symbols_that_nobody_has(self):
        source = self.source(HEAD + """
int elsewhere(int);
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) { ((__gm__ int *)z)[0] = elsewhere(1); }
""")
        result = self.belay("run", source, *ARGUMENTS)
        self.assertEqual(result.returncode, 3, self.both(result))
        self.assertIn("'elsewhere(int)', which is declared but not defined", self.both(result))

    def test_brackets_without_end(self):
        for text in ("(" * 1900 + "1" + ")" * 1900, "(a=" * 1700 + "1" + ")" * 1700):
            source = self.source('#include "kernel_operator.h"\n'
                                 f'extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {{ int a = {text}; }}\n')
            for command in (["check", source], ["run", source, *ARGUMENTS]):
                result = self.belay(*command)
                self.assertIn(result.returncode, (1, 3), self.both(result))
                self.assertIn("bracket nesting level exceeded maximum of 256", self.both(result))
                self.assertLess(len(self.both(result)), 20000)

    # --- the compiler -------------------------------------------------------------

    def test_enormous_objects(self):
        source = self.source('#include "kernel_operator.h"\nchar big[1ul << 42] = {1};\n'
                             'extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) { x[0] = big[5]; }\n')
        result = self.belay("run", source, *ARGUMENTS)
        self.assertEqual(result.returncode, 3, self.both(result))
        self.assertIn("larger than 256 MiB", self.both(result))
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    # --- case files and paths -----------------------------------------------------

    def case(self, text):
        self.source('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR z) '
                    "{ ((__gm__ float *)z)[0] = 5; }\n")
        return self.belay("run", self.source(text, "cases.json"))

    def test_members_that_are_there_twice(self):
        arguments = '"args": [{"out": "f32:1"}]'
        self.assertEqual(self.case('{"source": "kernel.cpp", "kernel": "k", %s}' % arguments).returncode, 0)
        for twice in ('"source": "/etc/passwd", "source": "kernel.cpp"',
                      '"source": "kernel.cpp", "sourc\\u0065": "/etc/passwd"'):
            result = self.case('{%s, "kernel": "k", %s}' % (twice, arguments))
            self.assertEqual(result.returncode, 2, self.both(result))
            self.assertIn("twice", self.both(result))

    def test_names_for_the_terminal(self):
        result = self.case('{"source": "kernel.cpp", "kernel": "k", "name": "a\\u001b[2J", "args": [{"out": "f32:1"}]}')
        self.assertEqual(result.returncode, 2, self.both(result))
        self.assertNotIn("\x1b", self.both(result))

    def test_outputs_that_nobody_reads(self):
        fifo = self.folder / "out.npy"
        os.mkfifo(fifo)
        source = self.source('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR z) '
                             "{ ((__gm__ float *)z)[0] = 5; }\n")
        result = self.belay("run", source, "--kernel", "k", "--out", f"f32:1={fifo}")
        self.assertNotEqual(result.returncode, 0, self.both(result))
        result = self.belay("run", source, "--kernel", "k", "--out", "f32:1", "--trace", "/nonexistent/trace")
        self.assertNotEqual(result.returncode, 0, self.both(result))
        self.assertIn("/nonexistent", self.both(result))

    # --- sources that know their judge, or nest without end -----------------------

    def test_silenced_findings_are_counted(self):
        quiet = RACE.replace("Adds(b, b, 1.0f, 8);", "Adds(b, b, 1.0f, 8); // belay: allow missing-sync x\n").replace(
            "DataCopy(h, b, 8);", "DataCopy(h, b, 8); // belay: allow missing-sync x\n")
        source = self.named(quiet, self.folder / "kernel.cpp").rename(self.folder / "quiet.cpp")
        source.write_text(quiet.replace('#line 1 "NAME"\n', ""))
        result = self.belay("check", source, "--auto-sync", "off", "--format", "json")
        case = json.loads(result.stdout)["cases"][0]
        self.assertEqual(result.returncode, 0, self.both(result))
        self.assertGreater(case["silenced"], 0)
        self.assertIn({"topic": "sync", "verdict": "silenced"},
                      [{k: v[k] for k in ("topic", "verdict")} for v in case["verdicts"]])
        result = self.belay("check", source, "--auto-sync", "off", "--ignore-allow")
        self.assertEqual(result.returncode, 1, self.both(result))
        self.assertIn("missing-sync", self.both(result))

    def test_a_source_that_asks_for_its_judge(self):
        body = 'extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) { ((__gm__ float *)z)[0] = N; }\n'
        asks = "#ifdef BELAY_SIMULATOR\n#define N 1\n#else\n#define N 2\n#endif\n"
        self.source(asks, "asks.h")
        for text in (asks, '#include "asks.h"\n', "#define CAT(a, b) a##b\n#if CAT(BELAY_SIM, ULATOR)\n#define N 1\n#endif\n"):
            source = self.source('#include "kernel_operator.h"\n' + text + body)
            result = self.belay("check", source)
            self.assertNotIn("clean", self.both(result))
            self.assertIn("asks whether Belay reads it", self.both(result))
            result = self.belay("run", source, *ARGUMENTS, "--sealed")
            self.assertIn(result.returncode, (3, 5), self.both(result))
            self.assertTrue("asks whether" in self.both(result) or "no-sandbox" in self.both(result), self.both(result))

    def test_nesting_without_end(self):
        head = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) { '
        for depth in (2000, 20000):
            for expression in ("1" + "+1" * depth, "-" * 0 + "- " * depth + "1", "(" * (depth // 100) + "1" + ")" * (depth // 100)):
                source = self.source(head + f"((__gm__ int *)z)[0] = {expression}; }}\n")
                result = self.belay("check", source)
                self.assertIn(result.returncode, (0, 3), self.both(result)[-1000:])
                self.assertLess(len(self.both(result)), 20000)
        kernel = ("#include <belay/kernel.h>\nusing namespace belay;\n[[belay::kernel]] void k(In<float> x, Out<float> y) {\n"
                  "  expects(x.size() == y.size());\n  for (auto w : my_tiles<256>(y)) store(w, load(x, w) * (0.0f%s));\n}\n")
        result = self.belay("build", self.source(kernel % (" + 1.0f" * 3000)), "--time-limit", "60")
        self.assertIn(result.returncode, (0, 3), self.both(result)[-1000:])
        self.assertLess(len(self.both(result)), 20000)

    def test_compilers_are_stopped(self):
        slow = self.source("template <int N> constexpr long f() { return f<N - 1>() + f<N - 2 & 1023>(); }\n"
                           "template <> constexpr long f<0>() { return 1; } long s = f<1000>();\n"
                           '#include "kernel_operator.h"\nconstexpr long g(long n) { long s = 0; for (long i = 0; i < n; ++i) s += i; '
                           'return s; }\nconstexpr long t = g(1l << 40);\n'
                           'extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {}\n')
        for option in ("--compile-time-limit", "--budget"):
            begin = time.monotonic()
            result = self.belay("run", slow, *ARGUMENTS, option, "3")
            self.assertEqual(result.returncode, 3, self.both(result)[-1000:])
            self.assertLess(time.monotonic() - begin, 30)

    def test_checks_in_a_sandbox(self):
        if " sandbox " not in "".join(l for l in self.belay("doctor").stdout.splitlines() if l.startswith("ok")):
            self.skipTest("this machine cannot confine anything")
        secret = self.source(f"int s = {SECRET};\n", "secret.h").rename(self.folder / "tmp" / "secret.h")
        own = self.folder / "own"
        own.mkdir()
        (own / "kernel.cpp").write_text(f'#include "kernel_operator.h"\n#include "{secret}"\n'
                                        'extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {}\n')
        self.assertIn(SECRET, self.both(self.belay("check", own / "kernel.cpp")))
        result = self.belay("check", own / "kernel.cpp", "--sandbox")
        self.assertEqual(result.returncode, 3, self.both(result))
        self.assertNotIn(SECRET, self.both(result))
        (own / "kernels.cpp").write_text(f'#include <belay/kernel.h>\n#include "{secret}"\n')
        self.assertIn(SECRET, self.both(self.belay("build", own / "kernels.cpp")))
        result = self.belay("build", own / "kernels.cpp", "--sandbox")
        self.assertEqual(result.returncode, 3, self.both(result))
        self.assertNotIn(SECRET, self.both(result))

    # --- numbers ------------------------------------------------------------------

    def test_quotients_that_do_not_exist(self):
        for expression in ("n / m", "n % m", "(n + 0) / (m * 1)", "n & n"):
            source = self.source('#include "kernel_operator.h"\nusing namespace AscendC;\n'
                                 'extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {\n'
                                 "  int64_t n = -9223372036854775807LL - 1, m = -1;\n"
                                 "  GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float *)x);\n"
                                 f"  g.SetValue({expression}, 1.0f);\n" "}\n")
            result = self.belay("check", source)
            self.assertIn(result.returncode, (0, 1), self.both(result))
            self.assertNotIn("ended with", self.both(result))


if __name__ == "__main__":
    unittest.main()
