#!/usr/bin/python3
"""belay bench generate against a server of the test's own; no model is asked.

    test_generate.py BELAY
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from model_server import Server, cut, flood, hang_up, nonsense, refuse, stream, whole

BELAY = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else pathlib.Path("belay")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROMPTS = ROOT / "tasks/prompts"
RELU, ADD = "level1/activation/relu/float", "level1/math/add/float"
RECORDED = pathlib.Path(__file__).resolve().parent / "recorded"
EXAMPLE = (PROMPTS / "example.txt").read_text()
CODE = "Here it is:\n\n```cpp\n" + EXAMPLE + "```\n\nIt adds."


class Generate(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def serve(self, *entries):
        server = Server(*entries)
        self.addCleanup(server.close)
        return server

    def generate(self, server, *more, task=ADD, status=0, key=None):
        command = [BELAY, "bench", "generate", "--model", "org/tested", "--endpoint", server.url, "--tasks", task,
                   "-o", self.folder / "out", "--jobs", "1", "--store", self.folder / "bench.db", *more]
        environment = {k: v for k, v in os.environ.items() if k not in ("BELAY_API_KEY", "http_proxy", "HTTP_PROXY")}
        environment |= {"NO_COLOR": "1", **({"BELAY_API_KEY": key} if key else {})}
        done = subprocess.run(list(map(str, command)), cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env=environment)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def trajectory(self, sample=0, task=ADD):
        return json.loads((self.folder / "out/org/tested" / task / f"{sample}.trajectory.json").read_text())

    def source(self, sample=0, task=ADD):
        path = self.folder / "out/org/tested" / task / f"{sample}.cpp"
        return path.read_text() if path.exists() else None

    def test_streams(self):
        for entry in (stream(CODE), stream(CODE, size=1), whole(CODE)):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            server = self.serve(entry)
            self.assertIn("1 samples: 0 were there, 1 have a source", self.generate(server))
            self.assertEqual(self.source(), EXAMPLE)
        request = server.requests[0]
        self.assertEqual(request["path"], "/v1/chat/completions")
        body = request["body"]
        self.assertEqual((body["model"], body["stream"], body["temperature"]), ("org/tested", True, 0.8))
        self.assertEqual([m["role"] for m in body["messages"]], ["system", "user"])
        self.assertNotIn("Authorization", request["headers"])
        made = self.trajectory()
        self.assertEqual((made["schema"], made["task"], made["ended"], made["template"]), (1, ADD, "single", "zero-shot"))
        said = made["exchanges"][0]
        self.assertEqual((said["answer"], said["finish"], said["requests"], said["answerTokens"]), (CODE, "stop", 1, 22))

    def test_samples_are_asked_once(self):
        server = self.serve(CODE)
        self.generate(server, "--samples", "3", "--temperature", "0.2", "--max-tokens", "99")
        self.assertEqual(len(server.requests), 3)
        self.assertEqual(len({r["body"]["seed"] for r in server.requests}), 3)
        self.assertEqual({(r["body"]["temperature"], r["body"]["max_tokens"]) for r in server.requests}, {(0.2, 99)})
        self.assertIn("4 samples: 3 were there, 1 have a source", self.generate(server, "--samples", "4"))
        self.assertEqual(len(server.requests), 4)

    def test_passing_failures(self):
        """Everything that may be another time; the last entry is an answer."""
        for entries in ((refuse(500), refuse(503), CODE), (cut(CODE), CODE), (hang_up, CODE), (nonsense(), CODE),
                        (nonsense(b"data: {oops\n\n"), CODE), (nonsense(b'data: {"choices": 7}\n\n'), CODE),
                        (nonsense(b""), CODE)):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            server = self.serve(*entries)
            self.generate(server)
            self.assertEqual(self.source(), EXAMPLE)
            self.assertEqual((len(server.requests), self.trajectory()["exchanges"][0]["requests"]), (len(entries),) * 2)
            self.assertGreater(server.times[1] - server.times[0], 0.4)
            if len(entries) > 2:
                self.assertGreater(server.times[2] - server.times[1], 0.9)

    def test_asked_to_wait(self):
        server = self.serve(refuse(429, ("Retry-After", "3")), CODE)
        self.generate(server)
        self.assertGreaterEqual(server.times[1] - server.times[0], 2.9)

    def test_gives_up(self):
        server = self.serve(refuse(500, text="broken"))
        said = self.generate(server, "--requests", "2", status=1)
        self.assertIn("1 got no answer", said)
        self.assertEqual(len(server.requests), 2)
        self.assertEqual(self.source(), None)
        self.assertEqual(self.trajectory()["ended"], "failed")
        self.assertIn("500: the server says: broken", self.trajectory()["exchanges"][0]["failure"])
        server.entries = [CODE]
        self.assertIn("0 were there, 1 have a source", self.generate(server))

    def test_refusals_end_all(self):
        for status in (400, 401, 403, 404):
            server = self.serve(refuse(status, text="bad key"))
            self.assertIn(f"the server answers {status}: the server says: bad key",
                          self.generate(server, "--samples", "5", status=2))
            self.assertEqual(len(server.requests), 1)
        server = self.serve(refuse(302, ("Location", "http://127.0.0.1:1/v1")))
        self.assertIn("the server answers 302", self.generate(server, status=2))

    def test_floods(self):
        server = self.serve(flood(10))
        begin = time.monotonic()
        self.generate(server, status=1)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(len(server.requests), 1, "it would say it again")
        self.assertIn("larger than 8 MiB", self.trajectory()["exchanges"][0]["failure"])
        self.assertLess((self.folder / "out/org/tested" / ADD / "0.trajectory.json").stat().st_size, 100000)
        server = self.serve(flood(2))
        self.generate(server, "--requests", "1", status=1)
        self.assertIn("more than 1 MiB", self.trajectory()["exchanges"][0]["failure"])

    def test_rate(self):
        server = self.serve(CODE)
        self.generate(server, "--samples", "4", "--rate", "120")
        self.assertGreaterEqual(server.times[3] - server.times[0], 1.4)

    def test_keys(self):
        server = self.serve(CODE)
        said = self.generate(server, key="hunter2")
        self.assertEqual(server.requests[0]["headers"]["Authorization"], "Bearer hunter2")
        server.url = "http://192.0.2.1/v1"
        said += self.generate(server, "--samples", "2", key="hunter2", status=2)
        self.assertIn("for everyone to read", said)
        server.url = "http://u:hunter2@127.0.0.1/v1"
        said += self.generate(server, status=2)
        text = "".join(p.read_text() for p in (self.folder / "out").rglob("*") if p.is_file())
        self.assertNotIn("hunter2", said + text)

    def test_prompts(self):
        for prompt, has in (("zero-shot", "extern \"C\" __global__ __aicore__ void"), ("one-shot", EXAMPLE.strip()),
                            ("api", "- Add(dst, a, b, count)"), ("language", "# The kernel language")):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            server = self.serve(CODE)
            self.generate(server, "--prompt", prompt)
            text = server.requests[0]["body"]["messages"][1]["content"]
            self.assertIn(has, text)
            self.assertNotIn("{{", text.split("# The kernel language")[0])
            if prompt == "api":
                self.assertNotIn("- Exp(", text)
        self.assertIn("--prompt takes zero-shot, one-shot, api, language, not 'x'", self.generate(server, "--prompt", "x", status=2))

    def test_repairs(self):
        """Diagnostics go back until nothing is left to correct."""
        broken = EXAMPLE.replace("Add(c, a, b, count)", "Addd(c, a, b, count)")
        racing = EXAMPLE.replace("    outZ.EnQue(c);\n    c = outZ.DeQue<float>();\n", "")
        server = self.serve("I would rather not.", f"```\n{broken}```", f"```c++\n{racing}```", CODE, "never asked")
        self.assertIn("1 of them with nothing left to correct", self.generate(server, "--repairs", "8"))
        said = self.trajectory()["exchanges"]
        self.assertEqual((len(said), len(server.requests), self.trajectory()["ended"]), (4, 4, "clean"))
        self.assertIn("it has no code block", said[1]["asked"])
        self.assertIn("Addd", said[1]["findings"])
        self.assertIn("Addd", said[2]["asked"])
        self.assertRegex(said[3]["asked"], r"\[[a-z-]+\]")
        self.assertEqual(said[3]["findings"], "")
        self.assertEqual(self.source(), EXAMPLE)
        messages = server.requests[3]["body"]["messages"]
        self.assertEqual([m["role"] for m in messages], ["system", "user"] + ["assistant", "user"] * 3)
        said = subprocess.run([BELAY, "bench", "run", "--tasks", ADD, "--candidates", self.folder / "out", "--store",
                               self.folder / "bench.db", "--json"], capture_output=True, text=True)
        self.assertEqual([r["result"]["verdict"] for r in json.loads(said.stdout)["results"]], ["passed"], said.stderr)

    def test_repairs_end(self):
        wrong = EXAMPLE.replace("Add(c", "Sub(c")
        server = self.serve(f"```\n{wrong}```")
        self.generate(server, "--repairs", "1")
        self.assertEqual((len(server.requests), self.trajectory()["ended"]), (2, "limit"))
        self.assertNotIn("hidden", json.dumps(self.trajectory()))
        self.assertEqual(self.source(), wrong)

    def test_recorded(self):
        """Answers as they come: thoughts, several blocks, no end, none at all."""
        for path in sorted(RECORDED.glob("*.txt")):
            head, answer = path.read_text().split("\n", 1)
            finish, wanted = head.split(" ", 1)
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            self.generate(self.serve(stream(answer, finish=finish)), task=RELU)
            got = self.source(task=RELU)
            if wanted.startswith("none: "):
                self.assertIsNone(got, path)
                self.assertEqual(self.trajectory(task=RELU)["exchanges"][0]["noSource"], wanted[len("none: "):], path)
            else:
                self.assertIsNotNone(got, path)
                self.assertEqual(got.splitlines()[0], wanted, path)
                self.assertEqual("```" in got, path.stem == "nested", path)

    def test_stopped(self):
        server = self.serve(lambda handler: time.sleep(60))
        command = [BELAY, "bench", "generate", "--model", "m", "--endpoint", server.url, "--tasks", ADD, "-o", self.folder / "out"]
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while not server.requests:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=20)
        self.assertIn("the same command goes on where it stopped", said)
        self.assertEqual(list((self.folder / "out").rglob("*.json")), [])

    def test_mistakes(self):
        server = self.serve(CODE)
        self.assertIn("nobody has read what a model writes", self.generate(server, "--no-sandbox", status=2))
        server.url = "ftp://x"
        self.assertIn("begins with https:// or http://", self.generate(server, status=2))
        self.assertEqual(server.requests, [])


if __name__ == "__main__":
    unittest.main()
