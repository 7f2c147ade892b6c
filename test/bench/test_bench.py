#!/usr/bin/python3
"""belay bench from candidates to a report, on one machine.

    test_bench.py BELAY [--all]

Answers get full marks, mutants with a known defect the verdict of that defect, hostile
candidates nothing; records are the same when a result is replayed, a run goes on where it
was stopped. ctest tries every eighth of the hostile candidates; --all tries all of them.
"""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import hostile

ALL = "--all" in sys.argv and not sys.argv.remove("--all")
BELAY = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else "belay"
RELU = "level1/activation/relu/float"
# Edits of the hand-written relu, and what they make of it.
MUTANTS = {
    "right": ("", "", "passed"),
    "wrong_value": ("Relu(b, a, count);", "Relu(b, a, count); Adds(b, b, 0.01f, count);", "wrong"),
    "wrong_sign": ("Relu(b, a, count);", "Muls(b, a, -1.0f, count); Relu(b, b, count);", "wrong"),
    "wrong_tail": ("n - at < TILE ? n - at : TILE", "n - at < TILE ? n - at - 1 : TILE", "wrong"),
    "wrong_stride": ("at += GetBlockNum() * TILE", "at += (GetBlockNum() + 1) * TILE", "wrong"),
    "no_wait_for_input": ("    in.EnQue(a);\n    a = in.DeQue<float>();\n", "", "unsafe"),
    "no_wait_for_result": ("    out.EnQue(b);\n    b = out.DeQue<float>();\n", "", "unsafe"),
    "overrun": ("DataCopyPad(yGm[at], b, how);",
                "how.blockLen += 32; DataCopyPad(yGm[at], b, how);", "unsafe"),
    "overread": ("DataCopyPad(a, xGm[at], how, pad);",
                 "how.blockLen += 32; DataCopyPad(a, xGm[at], how, pad); how.blockLen -= 32;", "unsafe"),
    "leak": ("    in.FreeTensor(a);\n", "", "unsafe"),
    "too_large": ("pipe.InitBuffer(in, 2, TILE * sizeof(float));", "pipe.InitBuffer(in, 2, 400000);", "unsafe"),
    "slow": ("Relu(b, a, count);", "for (int i = 0; i < 2000; ++i) { Relu(b, a, count); PipeBarrier<PIPE_V>(); }", "passed"),
    "entry": ("__global__ __aicore__", "__global__", "not-compiled"),
    "trap": ("Relu(b, a, count);", "Relu(b, a, count); if (count < TILE) trap();", "stopped"),
    "syntax": ("Relu(b, a, count);", "Rellu(b, a, count);", "not-compiled"),
}


def descendants(root, name):
    """The processes below this one that have the name."""
    parents, named = {}, []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            head, rest = path.read_text().rsplit(")", 1)
        except OSError:
            continue
        pid, comm = head.split(" (", 1)
        parents[int(pid)] = int(rest.split()[1])
        if comm == name[:15]:
            named.append(int(pid))
    def below(pid):
        return pid == root or (pid in parents and below(parents[pid]))
    return [pid for pid in named if below(pid)]


class Bench(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.store = self.folder / "bench.db"

    def command(self, *arguments):
        return [str(BELAY), "bench", *map(str, arguments), "--store", str(self.store)]

    def belay(self, *arguments, status=0):
        done = subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True,
                              timeout=900, env={**os.environ, "NO_COLOR": "1"})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def put(self, sources, task=RELU, model="m"):
        folder = self.folder / "candidates" / model / task
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in sources.items():
            (folder / f"{name}.cpp").write_text(text)

    def run_all(self, *more, status=0):
        said = self.belay("run", "--candidates", self.folder / "candidates", *more, status=status)
        self.belay("report", "-o", self.folder / "report")
        table = list(csv.DictReader(io.StringIO((self.folder / "report/results.csv").read_text())))
        self.rows = {row["sample"]: row for row in table}
        return said

    def results(self):
        return {r["sample"]: r["result"] for r in json.loads((self.folder / "report/results.json").read_text())["results"]}

    def test_answers(self):
        tasks = ["level1/activation/relu/float", "level1/math/add/half", "level2/normalization/rms_norm_rows/bfloat16-96",
                 "level2/reduce/sum_all/float", "level2/optimizer/sgd/half", "level2/index/argmax_middle/float-i32"]
        for form in ("language", "ascendc"):
            for task in tasks:
                self.belay("answers", "--tasks", task, "--format", form, "-o", self.folder / "candidates" / form)
        self.belay("run", "--candidates", self.folder / "candidates")
        self.belay("report", "-o", self.folder / "report")
        rows = list(csv.DictReader(io.StringIO((self.folder / "report/results.csv").read_text())))
        self.assertEqual(len(rows), 2 * len(tasks))
        for row in rows:
            self.assertEqual((row["verdict"], row["score"]), ("passed", "1.0000"), row)
        for entry in json.loads((self.folder / "report/results.json").read_text())["results"]:
            result = entry["result"]
            self.assertTrue(result["sealed"] and result["sandbox"], result)
            self.assertEqual(result["cases"]["hiddenRight"], result["cases"]["hidden"])
            self.assertGreater(result["cases"]["hidden"], 1)
            self.assertLess(result["time"]["floor"], result["time"]["cycles"])

    def test_mutants(self):
        sources = {}
        for name, (old, new, _) in MUTANTS.items():
            text = hostile.right()
            self.assertIn(old, text)
            sources[name] = text.replace(old, new)
        self.put(sources)
        self.run_all()
        for name, (_, _, verdict) in MUTANTS.items():
            with self.subTest(name):
                self.assertIn(self.rows[name]["verdict"], verdict.split(" or "), self.results()[name])
        self.assertGreater(float(self.rows["right"]["score"]), 0)
        self.assertLess(float(self.rows["slow"]["score"]), 0.5 * float(self.rows["right"]["score"]))
        self.assertIn("Rellu", self.results()["syntax"]["messages"])
        page = (self.folder / "report/index.html").read_text()
        self.assertIn("Rellu(b, a, count)", page)
        self.assertNotIn("http://", page)
        # A result is what it was, byte for byte; nobody else's hidden values are in it.
        for name in ("right", "wrong_value", "no_wait_for_input"):
            self.assertIn("byte for byte", self.belay("replay", self.rows[name]["key"][:16]))
        for problem in self.results()["wrong_value"]["problems"]:
            self.assertEqual(bool(problem["notes"]), "hidden" not in problem["case"], problem)

    def test_hostile(self):
        canary = self.folder / "canary"
        cache = pathlib.Path(os.environ.get("BELAY_CACHE_DIR", "~/.cache/belay")).expanduser() / "bench"
        sources = hostile.sources(self.store, cache, canary)
        if not ALL:
            sources = dict(list(sources.items())[::8])
        self.put({**sources, "control": hostile.CONTROL})
        start = time.time()
        said = self.run_all("--time-limit", "2", "--compile-time-limit", "8", "--budget", "30")
        self.assertGreater(float(self.rows["control"]["score"]), 0, "attacks that work are seen")
        for name in sources:
            with self.subTest(name):
                self.assertEqual(float(self.rows[name]["score"]), 0, self.results()[name])
                self.assertNotEqual(self.rows[name]["verdict"], "passed")
        self.assertFalse(canary.exists())
        self.assertNotIn("\033", said)
        page = (self.folder / "report/index.html").read_text()
        self.assertNotIn("\033", page)
        self.assertNotIn("root:x:0", page)
        self.assertLess(time.time() - start, 30 * len(sources) + 60)

    def stop_first(self, program, *options):
        """Runs while the first process of that name is stopped, as one is that never gets a CPU."""
        running = subprocess.Popen(self.command("run", "--candidates", self.folder / "candidates", "--jobs", "1", *options),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(running.kill)
        end = time.time() + 120
        while not (found := descendants(running.pid, program)):
            self.assertIsNone(running.poll(), f"no {program} was seen")
            self.assertLess(time.time(), end)
            time.sleep(0.002)
        os.kill(found[0], signal.SIGSTOP)
        self.assertEqual(running.wait(300), 0)
        self.belay("report", "-o", self.folder / "report")
        table = csv.DictReader(io.StringIO((self.folder / "report/results.csv").read_text()))
        return {row["sample"]: row["verdict"] for row in table}

    def test_machine_that_gives_no_time(self):
        self.put({"right": hostile.right(), "spins": hostile.body('for (;;) asm volatile("");')})
        limits = ("--time-limit", "1", "--compile-time-limit", "20")
        # Whichever is judged first is not charged for it; on a machine that is busy, too, neither is.
        first = self.stop_first("belay-runner", *limits)
        self.assertIn("unjudged", first.values())
        self.assertIn(first["right"], ("unjudged", "passed"))
        self.assertIn(first["spins"], ("unjudged", "stopped"))
        # The next run tries what was not judged again.
        for _ in range(5):
            self.run_all(*limits)
            verdicts = {name: row["verdict"] for name, row in self.rows.items()}
            if "unjudged" not in verdicts.values():
                break
        self.assertEqual(verdicts, {"right": "passed", "spins": "stopped"})
        self.assertIn("1 s of CPU time", self.results()["spins"]["problems"][0]["message"])

    @unittest.skipUnless(ALL, "takes minutes")
    def test_machine_that_is_busy(self):
        self.put({"right": hostile.right()})
        for program in ("clang++-22", "belay-checker"):
            with self.subTest(program):
                self.assertEqual(self.stop_first(program, "--compile-time-limit", "5"), {"right": "unjudged"})
        load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8 * os.cpu_count())]
        try:
            self.run_all("--time-limit", "2")
        finally:
            for each in load:
                each.kill()
                each.wait()
        self.assertEqual(self.rows["right"]["verdict"], "passed")

    def test_check_that_takes_long(self):
        """Its topics stay open; all else is judged."""
        # Many paths, each of many steps: CPU time is looked at ten times a second.
        ways = "".join(f"  if (m > {k} && n > {3 * k + 1}) PipeBarrier<PIPE_ALL>();\n" for k in range(12))
        steps = "  int64_t sum = 0;\n  for (int64_t i = 0; i < 5000; ++i) sum += i;\n  if (sum < 0) return;\n"
        self.put({"right": hostile.right().replace("  TPipe pipe;\n", "  TPipe pipe;\n" + steps + ways, 1)})
        self.run_all()
        self.assertNotEqual(self.results()["right"]["unknown"], ["all"])
        self.run_all("--check-time-limit", "0.001")
        self.assertEqual(self.rows["right"]["verdict"], "passed")
        self.assertEqual(self.results()["right"]["unknown"], ["all"])

    def test_stopped_and_resumed(self):
        self.put({f"s{n}": hostile.right().replace("TILE = 2048", f"TILE = {2048 - 64 * n}") for n in range(6)})
        command = self.command("run", "--candidates", self.folder / "candidates", "--jobs", "1")
        for how in (signal.SIGINT, signal.SIGKILL):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not descendants(process.pid, "belay-runner"):
                self.assertIsNone(process.poll())
                time.sleep(0.05)
            process.send_signal(how)
            process.wait(60)
        # What was killed is still leased; leases of a dead process end.
        self.run_all()
        self.assertEqual({row["verdict"] for row in self.rows.values()}, {"passed"})
        before = (self.folder / "report/results.json").read_bytes()
        start = time.time()
        self.run_all()
        self.assertEqual((self.folder / "report/results.json").read_bytes(), before)
        self.assertLess(time.time() - start, 10, "nothing is judged twice")

    def test_refused_where_there_is_no_sandbox(self):
        prefix, real = self.folder / "prefix", BELAY.parent.parent
        (prefix / "libexec/belay").mkdir(parents=True)
        for name in ("bin", "lib", "include", "share"):
            (prefix / name).symlink_to(real / name)
        for program in (real / "libexec/belay").iterdir():
            if program.name != "belay-sandbox":
                (prefix / "libexec/belay" / program.name).symlink_to(program)
        broken = prefix / "libexec/belay/belay-sandbox"
        broken.write_text("#!/bin/sh\nexit 125\n")
        broken.chmod(0o755)
        self.put({"right": hostile.right()})
        done = subprocess.run(self.command("run", "--candidates", self.folder / "candidates"), cwd=self.folder,
                              env={**os.environ, "BELAY_HOME": str(prefix)}, capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertIn("no-sandbox", done.stderr)


if __name__ == "__main__":
    unittest.main()
