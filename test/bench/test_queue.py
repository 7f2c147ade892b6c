#!/usr/bin/python3
"""belay bench with a queue in PostgreSQL: stores, agents, faults.

    test_queue.py BELAY

Starts a PostgreSQL of its own in a temporary folder. Where that is not installed nothing is
tested, and ctest says so. test/campaigns/break-queue is the large version of test_faults.
"""
import csv
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import private_postgres
import queue_faults

BELAY = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else pathlib.Path("belay")
TESTS = BELAY.parent.parent / "test/bin"
RELU = "level1/activation/relu/float"
KEY = "SELECT key FROM belay_bench.queue LIMIT 1"


class Queue(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = private_postgres.Cluster()
        cls.addClassCleanup(cls.cluster.remove)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.cluster.sql("SET client_min_messages TO warning; DROP SCHEMA IF EXISTS belay_bench CASCADE")

    def command(self, *arguments):
        return [str(BELAY), "bench", *map(str, arguments), "--queue", self.cluster.url()]

    def belay(self, *arguments, status=0):
        return self.end(subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True,
                                       timeout=300, env={**os.environ, "NO_COLOR": "1"}), status)

    def end(self, done, status):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def put(self, texts):
        for name, text in texts.items():
            path = self.folder / "work" / "m" / RELU / f"{name}.cpp"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def submit(self, texts):
        self.put(texts)
        return self.belay("submit", "--tasks", RELU, "--candidates", self.folder / "work")

    def sql(self, text):
        return self.cluster.sql(text)

    def test_stores(self):
        """The tests of the store in a file, of the one in a database."""
        done = subprocess.run([TESTS / "bench-test", "--gtest_filter=Postgres/*"], capture_output=True, text=True,
                              env={**os.environ, "BELAY_TEST_QUEUE": self.cluster.url()})
        self.assertNotIn("SKIPPED", self.end(done, 0))
        self.assertIn("PASSED", done.stdout)

    def test_load(self):
        done = subprocess.run([TESTS / "queue-load", self.cluster.url(), "16", "1000", "8"], capture_output=True, text=True)
        self.assertIn("1000 claimed and brought back", self.end(done, 0))

    def test_agents(self):
        """What is submitted twice is judged once, and reported from the queue."""
        subprocess.run([BELAY, "bench", "answers", "--tasks", RELU, "-o", self.folder / "work/library"], check=True,
                       capture_output=True)
        said = self.submit({"a": "int a;", "b": "int b;", "same": "int a;"})
        self.assertIn("4 candidates, 3 jobs, 3 of them wait", said)
        self.assertIn("3 judged", self.belay("agent", "--until-empty"))
        self.assertIn("4 candidates, 3 jobs, 0 of them wait", self.submit({}))
        self.assertIn("0 judged", self.belay("agent", "--until-empty"))
        self.belay("report", "-o", self.folder / "report")
        with open(self.folder / "report/results.csv") as table:
            rows = {row["sample"]: row for row in csv.DictReader(table)}
        self.assertEqual({name: row["verdict"] for name, row in rows.items()},
                         {"answer": "passed", "a": "not-compiled", "b": "not-compiled", "same": "not-compiled"})
        self.assertIn("the same record, byte for byte", self.belay("replay", rows["answer"]["key"][:16]))
        self.put({"c": "int c;"})
        self.assertIn("library", self.belay("run", "--tasks", RELU, "--candidates", self.folder / "work"))
        self.assertEqual(self.sql("SELECT count(*) FROM belay_bench.result"), [["4"]])

    def test_other_builds(self):
        """What another build is to judge is left to it: the key would be another."""
        self.submit({"a": "int a;"})
        self.sql("UPDATE belay_bench.queue SET harness = 'other'; INSERT INTO belay_bench.spec SELECT 'other', body "
                 "FROM belay_bench.spec")
        said = self.belay("agent", "--until-empty")
        self.assertIn("jobs of build other are left to others: Belay or the compilers are others here", said)
        self.assertIn("0 judged", said)
        self.assertEqual(self.sql("SELECT count(*), max(attempts) FROM belay_bench.queue"), [["1", "0"]])

    def test_other_values(self):
        """A job whose key this machine does not compute is not judged under it."""
        self.submit({"a": "int a;"})
        self.sql("INSERT INTO belay_bench.job SELECT 'f00', task, source FROM belay_bench.job; INSERT INTO "
                 "belay_bench.queue(key, harness) SELECT 'f00', harness FROM belay_bench.queue")
        said = self.belay("agent", "--until-empty")
        self.assertIn("computes other values for it", said)
        self.assertEqual(self.sql("SELECT key FROM belay_bench.result WHERE key = 'f00'"), [])
        self.assertEqual(self.sql("SELECT attempts FROM belay_bench.queue WHERE key = 'f00'"), [["0"]])

    def test_without_a_sandbox(self):
        """A queue cannot make an agent give up its sandbox."""
        self.put({"a": "int a;"})
        self.belay("submit", "--no-sandbox", "--tasks", RELU, "--candidates", self.folder / "work")
        self.assertIn("without a sandbox", self.belay("agent", "--until-empty"))
        self.assertEqual(self.sql("SELECT count(*) FROM belay_bench.result"), [["0"]])

    def test_poison(self):
        self.submit({"a": "int a;", "b": "int b;"})
        self.sql(f"UPDATE belay_bench.queue SET attempts = 3 WHERE key = ({KEY})")
        self.assertIn("1 judged", self.belay("agent", "--until-empty"))
        self.assertEqual(self.sql("SELECT verdict FROM belay_bench.result ORDER BY 1"), [["not-compiled"], ["unjudged"]])
        self.assertIn("2 jobs, 1 of them wait", self.submit({}))

    def test_stopped(self):
        """An agent that is asked to end gives back what it has not begun."""
        self.submit({str(i): f"int a{i};" for i in range(2000)})
        agent = subprocess.Popen(self.command("agent", "--jobs", "1"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True)
        deadline = time.monotonic() + 60
        while self.sql("SELECT count(*) FROM belay_bench.result") == [["0"]]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        agent.send_signal(signal.SIGTERM)
        said, _ = agent.communicate(timeout=60)
        self.assertEqual(agent.returncode, 0, said)
        left = self.sql("SELECT count(*), max(attempts), max(lease_until) FROM belay_bench.queue")[0]
        self.assertGreater(int(left[0]), 0)
        self.assertEqual(left[1:], ["0", "-infinity"])

    def test_refusals(self):
        for arguments, said in (
                (("agent",), "'agent' needs --queue URL"),
                (("submit", "--candidates", "."), "'submit' needs --queue URL"),
                (("agent", "--queue", "mysql://x"), "--queue takes postgres://USER@HOST/DATABASE"),
                (("report", "--queue", "postgres://u:hunter2@h/d"), "put it into PGPASSWORD or into ~/.pgpass"),
                (("report", "--queue", f"postgres:///d?host={self.folder}"), "No such file or directory")):
            done = subprocess.run([BELAY, "bench", *arguments], capture_output=True, text=True, cwd=self.folder)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stdout + done.stderr)
            self.assertNotIn("hunter2", done.stdout + done.stderr)

    def test_faults(self):
        done = queue_faults.run(BELAY, jobs=80, real=2, kills=4, cuts=1, seed=3)
        for name in ("lost", "strange", "twice", "differ", "left", "warnings"):
            self.assertFalse(done[name], done)
        self.assertEqual((done["restarts"], done["verdicts"]), (2, {"passed": 1, "wrong": 1, "not-compiled": 78}))


if __name__ == "__main__":
    if not private_postgres.programs():
        print("bench.queue: SKIPPED, nothing was tested: PostgreSQL is not installed (Debian: postgresql-15)", file=sys.stderr)
        sys.exit(77)
    unittest.main()
