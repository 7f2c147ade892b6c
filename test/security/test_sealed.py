#!/usr/bin/python3
"""Kernels that attack their own verdict, under belay run --sealed.

    test_sealed.py BELAY SOURCES

Each tries to be judged as passed, or to take the model down. None may: the run ends in
time, with the kernel at fault (a status of 1 or 4 and an id), or with the outputs that
its instructions have computed.
"""
import json
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

SOURCES = pathlib.Path(sys.argv.pop(2)).resolve() if len(sys.argv) > 2 else pathlib.Path("src")
BELAY = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else "belay"
HEAD = """#include "kernel_operator.h"
#include "sealed/Protocol.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
using namespace AscendC;
using namespace belay::sim;
using namespace belay::sim::sealed;
"""
# Finds the ring of this core, as a kernel that knows the protocol can.
RING = """
static Channels *channels() {
  // They lie below the libraries. Pages that are not mapped cannot be waited at.
  unsigned long at = (unsigned long)&puts & ~4095ul;
  for (int pages = 0; pages < 1 << 18; ++pages, at -= 4096) {
    auto *c = (Channels *)at;
    if (syscall(SYS_futex, at, FUTEX_WAKE, 0, 0, 0, 0) == 0 && c->C.Loaded.load() == 1 && c->C.Ready.load() == 1 &&
        c->C.NumCores == 1) return c;
  }
  abort();
}
// Puts bytes into the ring as if they were a record.
static void inject(Ring *ring, const void *bytes, unsigned count) {
  while (ring->Taken.load() != ring->Written.load()) {}
  unsigned long at = ring->Written.load();
  for (unsigned i = 0; i < count; ++i) ring->Data[(at + i) % RingBytes] = ((const unsigned char *)bytes)[i];
  ring->Written.store(at + count);
}
static void record(Ring *ring, unsigned what, std::initializer_list<unsigned long> words, long length = -1, int frames = 0) {
  unsigned char bytes[65536] = {}; unsigned used = 8;
  for (unsigned long w : words) { memcpy(bytes + used, &w, 8); used += 8; }
  RecordHeader header = {unsigned(length < 0 ? used : length), Function(what), uint16_t(frames)};
  memcpy(bytes, &header, 8); inject(ring, bytes, used);
}
"""
KERNEL = 'extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {\n'
# A race on purpose: nothing orders the copies and the addition.
RACE = """
{ TPipe p; TBuf<TPosition::VECCALC> b; p.InitBuffer(b, 1024); LocalTensor<float> t = b.Get<float>();
  GlobalTensor<float> g, o; g.SetGlobalBuffer((__gm__ float *)x, 8); o.SetGlobalBuffer((__gm__ float *)z, 8);
  DataCopy(t, g, 8); Adds(t, t, 1.0f, 8); DataCopy(o, t, 8); }
"""
# Asks for a verdict by all that a launch was ever told by.
FORGE = """
for (int fd = 0; fd < 64; ++fd) {
  if (ftruncate(fd, 0)) {}
  void *at = mmap(0, sizeof(Launch), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) continue;
  auto *l = (Launch *)at;
  if (l->Ask.Magic == LaunchMagic) { l->Answer.NumFindings = 0; l->Answer.KernelNanoseconds = 1;
    l->Answer.State = Status::Passed; }
}
"""
# Tries to get at an output by everything but an instruction.
OVERWRITE = """
static void overwrite(void *z) {
  for (int fd = 0; fd < 64; ++fd) {
    char path[64]; snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int again = open(path, O_RDWR);
    for (int each : {fd, again}) {
      void *at = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, each, 0);
      if (each < 0 || at == MAP_FAILED) continue;
      if (fcntl(each, F_GET_SEALS) & 0x10) *(volatile float *)at = 42; // F_SEAL_FUTURE_WRITE
    }
    float v = 42; if (pwrite(fd, &v, 4, 0) != 4) {}
    fchmod(fd, 0777); fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096);
  }
  mprotect((void *)((unsigned long)z & ~4095ul), 4096, PROT_READ | PROT_WRITE);
}
"""
FIVE = "GlobalTensor<float> o; o.SetGlobalBuffer((__gm__ float *)z, 8); for (int i = 0; i < 8; ++i) o.SetValue(i, 5.0f);\n"


class Sealed(unittest.TestCase):
    """With all system calls, to attack the model by all that there is."""
    SEALED = ["--no-sandbox"]

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def belay(self, text, *options, sealed=True, limit="4"):
        source = self.folder / "kernel.cpp"
        source.write_text(text)
        environment = {**os.environ, "NO_COLOR": "1"}
        command = [BELAY, "run", source, "--kernel", "k", "--in", "f32:8=ones", "--out", f"f32:8={self.folder}/out.npy",
                   "-I", SOURCES, "--optimise", "off", "--format", "json", "--time-limit", limit, *options]
        if sealed:
            command += ["--sealed", *self.SEALED]
        result = subprocess.run(list(map(str, command)), cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=100)
        answer = json.loads(result.stdout) if result.stdout else {}
        ids = [p["id"] for case in answer.get("cases", []) for p in case["problems"]]
        return result.returncode, ids, result.stdout + result.stderr

    def output(self):
        return struct.unpack("8f", (self.folder / "out.npy").read_bytes()[-32:])

    def caught(self, text, *options, ids=None, limit="4"):
        """The run ends with the kernel at fault."""
        status, found, both = self.belay(text, *options, limit=limit)
        self.assertIn(status, (1, 4), both)
        self.assertNotIn("belay-failed", found, both)
        if ids:
            self.assertTrue(set(found) & set(ids), both)

    # --- the verdict --------------------------------------------------------------

    def test_verdict_is_not_forged(self):
        status, _, both = self.belay(HEAD + KERNEL + FORGE + "_exit(0); }", sealed=False)
        # The attack works where it can: this is what sealed runs are for.
        self.assertEqual(status, 0, both)
        self.caught(HEAD + KERNEL + FORGE + "_exit(0); }", ids=["kernel-crash"])

    def test_findings_are_not_hidden(self):
        for end in ("", FORGE, FORGE + "usleep(300000); _exit(0);"):
            self.caught(HEAD + KERNEL + RACE + end + "}", "--check", "--auto-sync", "off",
                        ids=["missing-sync"] if "_exit" not in end else ["missing-sync", "kernel-crash"])

    def test_json_says_whether_it_is_sealed(self):
        for sealed in (True, False):
            status, _, both = self.belay(HEAD + KERNEL + FIVE + "}", sealed=sealed)
            self.assertEqual(status, 0, both)
            self.assertIn('"sealed": ' + str(sealed).lower(), both)
            self.assertEqual(self.output(), (5.0,) * 8)

    def test_memory_limits_are_the_kernels(self):
        status, _, both = self.belay(HEAD + KERNEL + FIVE + "}", "--memory-limit", "64M")
        self.assertEqual(status, 0, both)
        self.caught(HEAD + KERNEL + "for (;;) { volatile char *p = (char *)malloc(1 << 20); for (int i = 0; i < 1 << 20; "
                    "i += 4096) p[i] = 1; } }", "--memory-limit", "64M", ids=["memory-limit"])

    # --- outputs ------------------------------------------------------------------

    def test_outputs_are_out_of_reach(self):
        text = HEAD + OVERWRITE + KERNEL + FIVE + "overwrite(z); }"
        status, _, both = self.belay(text)
        self.assertIn(status, (0, 4), both)
        if status == 0:
            self.assertEqual(self.output(), (5.0,) * 8)

    def test_a_late_writer_is_too_late(self):
        text = (HEAD + OVERWRITE + KERNEL + FIVE +
                "if (!fork()) { setsid(); if (!fork()) { for (int i = 0; i < 200; ++i) { overwrite(z); usleep(1000); } }"
                " _exit(0); } wait(0); }")
        status, _, both = self.belay(text)
        self.assertEqual(status, 0, both)
        self.assertEqual(self.output(), (5.0,) * 8)

    def test_raw_stores_are_carried_out(self):
        status, _, both = self.belay(HEAD + KERNEL + "for (int i = 0; i < 8; ++i) ((__gm__ float *)z)[i] = i; }")
        self.assertEqual(status, 0, both)
        self.assertEqual(self.output(), tuple(map(float, range(8))))

    def test_raw_reads_see_what_was_issued(self):
        status, _, both = self.belay(HEAD + KERNEL + """
  TPipe p; TBuf<TPosition::VECCALC> b; p.InitBuffer(b, 64); LocalTensor<float> t = b.Get<float>();
  GlobalTensor<float> o; o.SetGlobalBuffer((__gm__ float *)z, 8);
  for (int i = 0; i < 50; ++i) {
    Duplicate(t, float(i), 8); PipeBarrier<PIPE_ALL>(); DataCopy(o, t, 8); PipeBarrier<PIPE_ALL>();
    if (((__gm__ float *)z)[3] != i || t.GetValue(2) != i) Trap();
    ((__gm__ float *)z)[0] = -1; if (o.GetValue(0) != -1) Trap();
  } }""")
        self.assertEqual(status, 0, both)
        self.assertEqual(self.output(), (-1.0,) + (49.0,) * 7)

    def test_inputs_are_not_written(self):
        self.caught(HEAD + KERNEL + "((__gm__ float *)x)[0] = 1; }", ids=["input-written"])
        self.caught(HEAD + KERNEL + "*(volatile int *)8 = 1; }", ids=["kernel-crash"])

    # --- the ring -----------------------------------------------------------------

    def ring(self, body, *options, **more):
        self.caught(HEAD + RING + KERNEL + "Ring *r = &channels()->Rings[0];\n" + body + "\nfor (;;) pause(); }",
                    *options, **more)

    def test_unknown_functions(self):
        for what in ("NumFunctions", "65535"):
            self.ring(f"record(r, {what}, {{1, 2, 3}});", ids=["forged-call"])

    def test_forged_lengths(self):
        copy = "unsigned(Function::copy)"
        for length in ("0", "7", "9", "12", "65544", "0xfffffff8", "0x80000000"):
            self.ring(f"record(r, {copy}, {{1, 2, 3}}, {length});", ids=["forged-call"])
        self.ring(f"record(r, {copy}, {{1, 2, 3}});", ids=["forged-call"])  # too short for its structure
        self.ring(f"record(r, {copy}, {{1, 2, 3}}, -1, 3000);", ids=["forged-call"])  # frames
        self.ring(f"record(r, {copy}, {{1, 2, 3}}, -1, 24);", ids=["forged-call"])

    def test_forged_cursors(self):
        for to in ("0x7fffffffffffffff", "r->Written.load() + RingBytes + 8", "r->Written.load() - 8"):
            self.ring(f"usleep(1000); r->Written.store({to});", ids=["forged-call"])

    def test_a_block_inside_of_a_block(self):
        # The end of the block is told twice: nothing is left to run.
        status, _, both = self.belay(HEAD + RING + KERNEL + FIVE + "if (o.GetValue(7) != 5) Trap();"
                                     "record(&channels()->Rings[0], unsigned(Function::next_block), {}); pause(); }")
        self.assertEqual(status, 0, both)
        self.assertEqual(self.output(), (5.0,) * 8)

    def test_wild_addresses(self):
        for address in ("(void *)1", "(void *)0x7fffffffffff", "(void *)&k", "(void *)~0ul", "malloc(4096)",
                        "(void *)(LocalBase + (5ul << 20))", "(void *)(GlobalBase + 64)"):
            self.caught(HEAD + KERNEL + f"""
  TPipe p; TBuf<TPosition::VECCALC> b; p.InitBuffer(b, 1024); LocalTensor<float> t = b.Get<float>();
  GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float *){address}, 8);
  DataCopy(g, t, 8); DataCopy(t, g, 8); Adds(t, t, 1.0f, 8); }}""", ids=["gm-out-of-bounds", "local-out-of-bounds"])

    def test_strides_that_wrap(self):
        for stride in ("-32", "0x7fffffffffffffff", "-0x7fffffffffffffff", "1l << 62", "1l << 32"):
            for which in ("DstStride", "SrcStride"):
                self.caught(HEAD + KERNEL + f"""
  belay::sim::Copy c = {{}}; c.Dst = z; c.Src = belay_sim_memory(Space::UB); c.Bursts = 3; c.BurstBytes = 32;
  c.DstStride = c.SrcStride = 0; c.{which} = {stride}; c.On = belay::sim::Pipe::MTE3;
  belay_sim_copy(&c); }}""")

    def test_numbers_that_are_no_values(self):
        for call in ("belay_sim_set_flag(belay::sim::Pipe(200), belay::sim::Pipe::V, 0)",
                     "belay_sim_set_flag(belay::sim::Pipe::V, belay::sim::Pipe::MTE2, 0x80000000)",
                     "belay_sim_set_atomic(belay::sim::AtomicOp(77), Elem(3))",
                     "belay_sim_set_atomic(belay::sim::AtomicOp::Add, Elem(250))",
                     "belay_sim_buffer_init(Space::Host, 64)", "belay_sim_buffer_init(Space(99), 64)",
                     "belay_sim_cross_set(255, belay::sim::Pipe::S, 65535)",
                     "belay_sim_mutex(true, belay::sim::Pipe::S, 0xffffffff)"):
            self.caught(HEAD + KERNEL + call + "; }")

    def test_queues_that_are_none(self):
        for change in ("q.state_.Num = 60", "q.state_.Buffers += 5", "q.state_.Head = 4000000", "q.state_.Length = 4000",
                       "q.state_.Ring[0] = 250; q.state_.Length = 1", "q.state_.Buffers = (BufferRecord *)8",
                       "memset(&q, 0xff, sizeof q)"):
            self.caught(HEAD + KERNEL + f"""
  TPipe p; static TQue<TPosition::VECIN, 2> q; p.InitBuffer(q, 2, 256);
  {change}; belay_sim_queue_deque(&q.state_, belay::sim::Pipe::V, belay::sim::Pipe::MTE3); }}""")

    def test_pools_and_matmuls_that_are_none(self):
        for body in ("PoolRange p = {Space::UB, 0xfffff000, 0x2000, 0}; belay_sim_pool_buffer(&p, 64);",
                     "PoolRange p = {Space(9), 0, 64, 0}; belay_sim_pool_buffer(&p, 64);",
                     "PoolRange p = {Space::UB, 0, 64, 4096}; belay_sim_pool_buffer(&p, 64);",
                     "MatmulState m; m.Results = (void *)8; belay_sim_cube_matmul_iterate(&m, false, nullptr);",
                     "MatmulState m; m.Results = z; m.SingleM = m.SingleN = m.SingleK = m.BaseM = m.BaseN = m.BaseK = 16;"
                     "belay_sim_cube_matmul_get(&m, nullptr);"):
            self.caught(HEAD + KERNEL + body + " }")

    def test_a_writer_that_races_with_the_reader(self):
        status, found, both = self.belay(HEAD + RING + """
static void *race(void *at) {
  auto *r = (Ring *)at; unsigned n = 1;
  for (;;) { n = n * 1664525 + 1013904223; r->Data[(n >> 8) % RingBytes] ^= n; if (!(n & 0xfff)) usleep(10); }
}
""" + KERNEL + """
  pthread_t t; pthread_create(&t, 0, race, &channels()->Rings[0]);
  TPipe p; TBuf<TPosition::VECCALC> b; p.InitBuffer(b, 1024); LocalTensor<float> l = b.Get<float>();
  for (int i = 0; i < 2000000; ++i) { Adds(l, l, 1.0f, 8); PipeBarrier<PIPE_V>(); } }""", limit="20")
        self.assertIn(status, (0, 1, 4), both)
        self.assertNotIn("belay-failed", found, both)

    def test_flooded_ring(self):
        self.ring("for (;;) { r->Written.fetch_add(8); }", ids=["forged-call"])
        self.ring("for (;;) { r->Taken.store(0); r->WakeAt.store(0); r->ModelSleeps.store(1); }",
                  limit="1", ids=["kernel-timeout"])
        self.caught(HEAD + KERNEL + "for (;;) belay_sim_set_mask(1, 2); }", limit="1", ids=["kernel-timeout"])
        self.caught(HEAD + KERNEL + "for (;;) belay_sim_buffer_init(Space::UB, 0); }", limit="10")

    # --- the process --------------------------------------------------------------

    def test_a_process_that_ends(self):
        for end in ("_exit(0)", "exit(0)", "_exit(3)", "abort()", "raise(SIGKILL)", "kill(getppid(), SIGKILL); pause()",
                    "__builtin_trap()", "close(3); close(4); raise(SIGTERM)", "quick_exit(0)"):
            if self.SEALED or "kill(" not in end:  # kill() is refused, and the kernel goes on
                self.caught(HEAD + KERNEL + RACE + end + "; }", ids=["kernel-crash"])

    def test_a_process_that_does_not_end(self):
        for body in ("for (;;) ;", "raise(SIGSTOP);", "for (;;) pause();",
                     "sigset_t s; sigfillset(&s); sigprocmask(SIG_SETMASK, &s, 0); for (;;) ;",
                     "kill(getppid(), SIGSTOP); for (;;) pause();",
                     "if (fork()) for (;;) pause(); for (;;) pause();"):
            self.caught(HEAD + KERNEL + body + " }", limit="1", ids=["kernel-timeout"])

    def test_forks(self):
        # Two processes that are one core: both issue into one ring.
        status, found, both = self.belay(HEAD + KERNEL + "fork();" + RACE + "}")
        self.assertIn(status, (0, 1, 4), both)
        self.assertNotIn("belay-failed", found, both)

    def test_handlers_of_its_own(self):
        self.caught(HEAD + KERNEL + "signal(SIGSEGV, SIG_IGN); signal(SIGABRT, SIG_DFL); *(volatile int *)8 = 1; }",
                    ids=["kernel-crash", "kernel-timeout"], limit="1")
        self.caught(HEAD + KERNEL + "stack_t s = {}; s.ss_flags = SS_DISABLE; sigaltstack(&s, 0);"
                    "volatile char big[1 << 22]; big[0] = 1; k(x, z + big[0]); }", ids=["kernel-crash"])


class InSandbox(Sealed):
    """The same as users run it."""
    SEALED = []

    @classmethod
    def setUpClass(cls):
        doctor = subprocess.run([BELAY, "doctor"], capture_output=True, text=True).stdout
        if not any(line.startswith("ok ") and " sandbox " in line for line in doctor.splitlines()):
            raise unittest.SkipTest("this machine cannot confine anything:\n" + doctor)


class Machine(unittest.TestCase):
    """What the machine does to a run is not the kernel's fault: status 5."""
    SEALED = ([], ["--sealed"], ["--sealed", "--no-sandbox"])

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, body, *options, under=(), **more):
        source = self.folder / "kernel.cpp"
        source.write_text('#include "kernel_operator.h"\n#include <csignal>\n#include <unistd.h>\nextern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z) {'
                          + body + "}\n")
        command = [*under, BELAY, "run", source, "--kernel", "k", "--in", "f32:8=ones", "--out", "f32:8", "--format",
                   "json", "--time-limit", "60", "--blocks", "4", *options]
        return subprocess.Popen(list(map(str, command)), cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**os.environ, "NO_COLOR": "1", "BELAY_CACHE_DIR": str(self.folder / "cache")}, **more)

    def test_no_address_space(self):
        ends = set()
        for options in self.SEALED:
            process = self.start("", *options)  # compiles, without a limit
            both = process.communicate(timeout=100)
            self.assertEqual(process.returncode, 0, both)
            for megabytes in (200, 250, 300, 500, 1000, 4000, 16000):
                limit = megabytes << 20
                process = self.start("", *options, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                both = process.communicate(timeout=100)
                self.assertIn(process.returncode, (0, 5), (options, megabytes, both))
                ends.add(process.returncode)
        self.assertEqual(ends, {0, 5})

    def children(self, pid):
        try:
            found = [int(c) for c in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except OSError:
            return []
        return found + [g for c in found for g in self.children(c)]

    def test_killed_by_others(self):
        for options in self.SEALED:
            process = self.start("for (;;) ;", *options)
            for _ in range(600):
                time.sleep(0.05)
                # The judge, once it has used some time: the kernel spins there, or in one of its children.
                names = {c: pathlib.Path(f"/proc/{c}/comm").read_text().strip() for c in self.children(process.pid)
                         if pathlib.Path(f"/proc/{c}").exists()}
                judges = [c for c, name in names.items() if name == "belay-runner"]
                if judges and ("--sealed" not in options or "belay-issuer" in names.values()):
                    break
            time.sleep(0.3)
            os.kill(judges[0], signal.SIGKILL)
            out, errors = process.communicate(timeout=100)
            self.assertEqual(process.returncode, 5, out + errors)
            self.assertIn("belay-failed", out)

    def test_kernel_killed_for_want_of_memory(self):
        """The Linux kernel counts whom it kills; this one's counter is a file of ours."""
        counter = self.folder / "vmstat"
        under = ["unshare", "-rm", "sh", "-c", 'mount --bind "$0" /proc/vmstat && exec "$@"', counter]
        counter.write_text("oom_kill 0\n")
        if subprocess.run([*under, "true"], capture_output=True).returncode:
            self.skipTest("this user cannot have namespaces")
        # Any block: which ones run at the same time depends on the CPUs.
        body = "usleep(300000); raise(SIGKILL);"
        for counts, status, ident in ((False, 4, "kernel-crash"), (True, 5, "belay-failed")):
            process = self.start(body, "--sealed", "--no-sandbox", under=under)
            with counter.open("r+") as file:
                kills = 100
                while process.poll() is None:
                    time.sleep(0.01)
                    kills += counts
                    os.pwrite(file.fileno(), f"oom_kill {kills}\n".encode(), 0)
            out, errors = process.communicate()
            self.assertEqual(process.returncode, status, out + errors)
            self.assertIn(ident, out)
            if counts:
                self.assertIn("want of memory", out)


if __name__ == "__main__":
    unittest.main()
